package rest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAddressesOfTheWebRoot(t *testing.T) {
	pages := PublicPages("/c/")
	for _, test := range []struct {
		handler          http.Handler
		request          string
		status           int
		location, answer string
	}{
		{pages, "GET /show-change-detection?token=a1B2", 302, "/c/a1B2", ""},
		{pages, "GET /show-change-detection/?token=a1B2", 302, "/c/a1B2", ""},
		{pages, "GET /show-change-detection?token=%2F%2Fexample.com/..", 302, "/c/%2F%2Fexample.com%2F..", ""},
		{pages, "GET /show-change-detection", 404, "", ""},
		{NoTrials(), "POST /add-trial-account", 403, "",
			`{"message":"There are no trial accounts: ask the operator of this installation for an account."}`},
		{NoTrials(), "GET /add-trial-account", 405, "", `{"message":"Use POST."}`},
	} {
		method, target, _ := strings.Cut(test.request, " ")
		w := httptest.NewRecorder()
		test.handler.ServeHTTP(w, httptest.NewRequest(method, target, nil))
		if w.Code != test.status || w.Header().Get("Location") != test.location || test.answer != "" && w.Body.String() != test.answer {
			t.Errorf("%s: %d to %q: %s", test.request, w.Code, w.Header().Get("Location"), w.Body)
		}
	}
}
