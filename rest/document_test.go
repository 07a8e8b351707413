package rest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"afterimage/internal/openapitest"
)

// loadDocument reads a document, which is checked on the way.
func loadDocument(t testing.TB, text []byte, err error) *openapitest.Document {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapitest.Load(text)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// shelfDocument is the document of the test schema's interface.
var shelfDocument = sync.OnceValues(func() (*openapitest.Document, error) {
	schema, err := readTestSchema()
	if err != nil {
		return nil, err
	}
	operations, err := loadOperations(schema, testOperations())
	if err != nil {
		return nil, err
	}
	all, err := describe(schema, operations, shelfRoutes)
	if err != nil {
		return nil, err
	}
	text, err := all.yaml()
	if err != nil {
		return nil, err
	}
	return openapitest.Load(text)
})

func TestTheDocumentIsServed(t *testing.T) {
	handler, _ := newSampleServer(t)
	for path, want := range map[string]string{
		"/api/v2/openapi.yaml": "application/yaml", "/api/v2/openapi.json": "application/json",
		"/api/docs": "text/html; charset=utf-8", "/api/docs/": "text/html; charset=utf-8", "/api/docs/docs.css": "text/css; charset=utf-8",
	} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != want || w.Body.Len() == 0 {
			t.Errorf("%s: %d %s", path, w.Code, w.Header().Get("Content-Type"))
		}
		again := httptest.NewRequest(http.MethodGet, path, nil)
		again.Header.Set("If-None-Match", w.Header().Get("ETag"))
		w = httptest.NewRecorder()
		if handler.ServeHTTP(w, again); w.Code != http.StatusNotModified {
			t.Errorf("%s again: %d", path, w.Code)
		}
	}
}

func TestTheDocumentHoldsEveryRoute(t *testing.T) {
	text, err := Document(loadSchema(t))
	document := loadDocument(t, text, err)
	methods := 0
	for _, r := range routes {
		methods += len(strings.Fields(r.methods))
	}
	if len(document.Operations) != methods {
		t.Errorf("the document has %d operations, the route table %d", len(document.Operations), methods)
	}
	again, err := Document(loadSchema(t))
	if err != nil || string(again) != string(text) {
		t.Errorf("a second document differs from the first (%v)", err)
	}
}

// What the descriptions of the schema say about limits stands in the document as limits.
func TestLimitsOfDescriptions(t *testing.T) {
	for _, c := range []struct {
		typ         *ast.Type
		description string
		want        string
	}{
		{ast.NamedType("String", nil), "A name, at most 255 characters.", `{"type":["string","null"],"maxLength":255}`},
		{ast.NamedType("String", nil), "CSS, at most 64 KiB; null clears it.", `{"type":["string","null"],"maxLength":65536}`},
		{ast.NonNullNamedType("Int", nil), "Seconds, 7 to 60; null clears it.",
			`{"type":"integer","format":"int32","minimum":7,"maximum":60}`},
		{ast.NonNullNamedType("Float", nil), "Hours: 0.25, 0.5 or 24; 24 when left out.", `{"type":"number","enum":[0.25,0.5,24]}`},
		{ast.NonNullNamedType("Int", nil), "A number.", `{"type":"integer","format":"int32"}`},
		{ast.ListType(ast.NonNullNamedType("String", nil), nil), "Who, at most 50; others.",
			`{"type":["array","null"],"items":{"type":"string"},"maxItems":50}`},
		{ast.ListType(ast.NonNullNamedType("String", nil), nil), "Who, at most 50, each at most 300 characters.",
			`{"type":["array","null"],"items":{"type":"string","maxLength":300},"maxItems":50}`},
		{ast.NonNullListType(ast.NonNullNamedType("ID", nil), nil), "The ids, 1 to 10,000.",
			`{"type":"array","items":{"type":"string","format":"uuid"},"minItems":1,"maxItems":10000}`},
	} {
		d, err := newDescriber(loadSchema(t))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(appendJSON(nil, d.inputType(c.typ, c.description))); got != c.want {
			t.Errorf("%q: %s\nwant %s", c.description, got, c.want)
		}
	}
}

func TestThePageTellsAllOfTheDocument(t *testing.T) {
	handler, _ := newSampleServer(t)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, DocsPath, nil))
	for _, r := range routes {
		if id := `id="` + strings.ToLower(r.operation[:1]) + r.operation[1:] + `"`; !strings.Contains(w.Body.String(), id) {
			t.Errorf("the page has no %s", id)
		}
	}
	for _, remote := range []string{`src="http`, `href="http`, `src="//`, `<script`, "url(http"} {
		if strings.Contains(w.Body.String(), remote) {
			t.Errorf("the page holds %s", remote)
		}
	}
	if strings.Contains(w.Body.String(), "ZgotmplZ") {
		t.Error("the template refused a value")
	}
}
