package health_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"afterimage/internal/health"
)

func ask(h http.Handler, path string) (status int, text string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Code, w.Body.String()
}

func TestReadinessSaysInWordsWhatIsMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		h := health.New(slog.New(slog.NewTextHandler(&log, nil)))
		served := h.Before(http.NotFoundHandler())
		if status, text := ask(served, "/readyz"); status != 503 || !strings.Contains(text, "process: The process is starting.") {
			t.Errorf("before the start: %d %s", status, text)
		}
		if status, _ := ask(served, "/healthz"); status != 200 {
			t.Errorf("a starting process does not live: %d", status)
		}
		var fault error
		looks := 0
		h.Started(health.Check{Part: "database", Look: func(context.Context) error { looks++; return fault }},
			health.Check{Part: "images", Look: func(context.Context) error { return nil }})
		if status, text := ask(served, "/readyz"); status != 200 || text != "ready\ndatabase: ready\nimages: ready\n" {
			t.Errorf("when all is well: %d %s", status, text)
		}
		fault = &health.Problem{Sentence: "It is full: make room.", Cause: errors.New("dial 192.0.2.1 as secret-role")}
		for range 100 {
			if status, _ := ask(served, "/readyz"); status != 200 {
				t.Fatal("an answer within a second was not the one before")
			}
		}
		if looks != 1 {
			t.Errorf("102 questions within a second looked %d times", looks)
		}
		for range 2 {
			time.Sleep(2 * time.Second)
			status, text := ask(served, "/readyz")
			if status != 503 || text != "not ready\ndatabase: It is full: make room.\nimages: ready\n" {
				t.Errorf("with a fault: %d %s", status, text)
			}
		}
		fault = nil
		time.Sleep(2 * time.Second)
		ask(served, "/readyz")
		if said := log.String(); strings.Count(said, "not ready") != 1 || strings.Count(said, "ready again") != 1 ||
			!strings.Contains(said, "secret-role") {
			t.Errorf("the log tells each change once, with its cause:\n%s", said)
		}
		fault = errors.New("dial 192.0.2.1")
		time.Sleep(2 * time.Second)
		if _, text := ask(served, "/readyz"); strings.Contains(text, "192.0.2.1") {
			t.Errorf("the cause is shown: %s", text)
		}
		h.Stopping()
		if status, text := ask(served, "/readyz"); status != 503 || !strings.Contains(text, "is stopping") {
			t.Errorf("while it stops: %d %s", status, text)
		}
	})
}

// A check that hangs must not make probes hang.
func TestAHangingCheckIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := health.New(slog.New(slog.DiscardHandler))
		h.Started(health.Check{Part: "database", Look: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }})
		began := time.Now()
		status, text := ask(h.Before(nil), "/readyz")
		if took := time.Since(began); status != 503 || took > 3*time.Second {
			t.Errorf("%d after %s: %s", status, took, text)
		}
	})
}
