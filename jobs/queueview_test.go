package jobs_test

import (
	"context"
	"image/color"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"afterimage/capture"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// TestOperatorsSeeTheQueueAndCannotChangeIt looks at the jobs of a run as River UI does.
func TestOperatorsSeeTheQueueAndCannotChangeIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) { return shot(color.White), nil })
	w.run(w.group("https://example.com/", inventory.GroupChange{}), vcd.QueuePre)
	ctx, end := context.WithCancel(t.Context())
	view, err := jobs.QueueView(ctx, w.db.SystemPool(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	ask := func(method, path string) (status int, body string) {
		recorder := httptest.NewRecorder()
		view.ServeHTTP(recorder, httptest.NewRequest(method, jobs.QueuePath+path, http.NoBody))
		return recorder.Code, recorder.Body.String()
	}
	for path, want := range map[string]string{
		"/":                         "<html", // the pages
		"/api/jobs?state=completed": `"kind":"capture"`,
		"/api/states":               `"completed":`,
		"/api/queues?limit=100":     `"name":"`,
	} {
		if status, body := ask(http.MethodGet, path); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d %.300s, want %s", path, status, body, want)
		}
	}
	for _, path := range []string{"/api/jobs/cancel", "/api/jobs/delete", "/api/jobs/retry", "/api/queues/default/pause"} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			if status, body := ask(method, path); status != http.StatusMethodNotAllowed || !strings.Contains(body, "is read-only") {
				t.Errorf("%s %s: %d %.300s", method, path, status, body)
			}
		}
	}
}
