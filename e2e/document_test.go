package e2e

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"afterimage/internal/openapitest"
)

// served is what the program says about its interface, once a server of it was asked: every answer of REST must fit it.
var served struct {
	sync.Mutex
	document *openapitest.Document
}

func (s *service) document() *openapitest.Document {
	s.t.Helper()
	served.Lock()
	defer served.Unlock()
	if served.document != nil {
		return served.document
	}
	a, err := s.raw(http.MethodGet, "/api/v2/openapi.yaml", nil)
	if err != nil || a.status != http.StatusOK {
		s.t.Fatalf("the document: status %d, %v", a.status, err)
	}
	read, err := openapitest.Load(a.body)
	if err != nil {
		s.t.Fatal(err)
	}
	served.document = read
	return read
}

// checkAnswer holds an answer of REST against the document.
func (s *service) checkAnswer(method, path string, a answer) {
	s.t.Helper()
	path, _, _ = strings.Cut(path, "?")
	if !strings.HasPrefix(path, "/api/v2/") {
		return
	}
	if err := s.document().Check(method, path, a.status, a.header, a.body); err != nil {
		s.t.Error(err)
	}
}

// TestDocument reads the document and its page as a client does, without a token.
func TestDocument(t *testing.T) {
	t.Parallel()
	s := lodge(t)
	if n := len(s.document().Operations); n < 30 {
		t.Errorf("the document has %d operations", n)
	}
	for path, part := range map[string]string{"/api/docs": "<h1>", "/api/docs/docs.css": "nav",
		"/api/v2/openapi.json": `"openapi":"3.1.0"`} {
		response, body := get(t, http.DefaultClient, s.url+path, nil)
		if response.StatusCode != http.StatusOK || !contains(body, part) {
			t.Errorf("%s: %s", path, response.Status)
		}
	}
}
