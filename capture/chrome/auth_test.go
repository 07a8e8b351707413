package chrome

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
)

// TestCredentialsStayWithTheirOrigin: they reach the requested origin, once per request, and nobody else.
func TestCredentialsStayWithTheirOrigin(t *testing.T) {
	var mu sync.Mutex
	var attempts int
	var strangers []string
	site.handle(t, "picture", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Header.Get("Authorization") != "" && strings.HasPrefix(r.Host, "localhost") {
			strangers = append(strangers, r.URL.String())
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="r"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	address := site.handle(t, "page", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if user, password, ok := r.BasicAuth(); ok {
			attempts++
			if user == "anna" && password == "secret" {
				other := strings.Replace(r.Host, "127.0.0.1", "localhost", 1)
				serve("text/html", `<title>inside</title><img src="http://`+other+`/`+t.Name()+`/picture">`)(w, r)
				return
			}
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="r"`)
		w.WriteHeader(http.StatusUnauthorized)
	})

	shot := take(t, capture.Request{URL: address, Credentials: &capture.Credentials{User: "anna", Password: "secret"}})
	if shot.Title != "inside" || shot.Status != 200 || attempts != 1 || len(strangers) != 0 {
		t.Errorf("title %q, status %d, %d attempts, sent to strangers %q", shot.Title, shot.Status, attempts, strangers)
	}
	attempts = 0
	failure := failToTake(t, capture.Request{URL: address, Credentials: &capture.Credentials{User: "anna", Password: "wrong"}})
	if failure.Reason != capture.ReasonCredentials || failure.Retryable() || attempts != 1 {
		t.Errorf("wrong password: reason %q, %d attempts", failure.Reason, attempts)
	}
	if failure = failToTake(t, capture.Request{URL: address}); failure.Reason != capture.ReasonCredentials {
		t.Errorf("no credentials: reason %q", failure.Reason)
	}
	redirected := site.handle(t, "away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace("http://"+r.Host+"/"+t.Name()+"/picture", "127.0.0.1", "localhost", 1), http.StatusFound)
	})
	failure = failToTake(t, capture.Request{URL: redirected, Credentials: &capture.Credentials{User: "anna", Password: "secret"}})
	if failure.Reason != capture.ReasonCredentials || len(strangers) != 0 {
		t.Errorf("redirect to another origin: reason %q, sent to strangers %q", failure.Reason, strangers)
	}
}
