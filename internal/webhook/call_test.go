package webhook_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"afterimage/internal/webhook"
)

// TestACallIsAPlainRequest: what a site gets is a GET request without a body or signature, and it is followed on its own host only.
func TestACallIsAPlainRequest(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another host was called") }))
	t.Cleanup(elsewhere.Close)
	site := http.NewServeMux()
	site.HandleFunc("/wp-cron.php", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodGet || len(body) > 0 || r.Header.Get("Signature") != "" || r.Header.Get("webhook-id") != "" {
			t.Errorf("%s with %q and %v", r.Method, body, r.Header)
		}
		_, _ = io.WriteString(w, "done")
	})
	site.Handle("/old", http.RedirectHandler("/wp-cron.php?doing_wp_cron", http.StatusMovedPermanently))
	site.Handle("/away", http.RedirectHandler(elsewhere.URL, http.StatusFound))
	site.Handle("/round", http.RedirectHandler("/round", http.StatusFound))
	site.HandleFunc("/broken", answers(500))
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	for path, want := range map[string]struct {
		status  int
		outcome webhook.Outcome
		problem string
	}{
		"/wp-cron.php": {200, webhook.Delivered, ""}, "/old": {200, webhook.Delivered, ""},
		"/away":   {302, webhook.Failed, "to another host or too often (302)"},
		"/round":  {302, webhook.Failed, "to another host or too often (302)"},
		"/broken": {500, webhook.Failed, "answered 500"},
	} {
		a, err := newSender(t, "127.0.0.1").Call(t.Context(), server.URL+path, "id")
		if err != nil || a.Status != want.status || a.Outcome != want.outcome || !strings.Contains(a.Problem, want.problem) {
			t.Errorf("%s: %+v, %v", path, a, err)
		}
	}
	if a, err := newSender(t).Call(t.Context(), server.URL, "id"); err != nil || a.Status != 0 || !strings.Contains(a.Problem, "internal") {
		t.Errorf("an internal address is called: %+v, %v", a, err)
	}
}
