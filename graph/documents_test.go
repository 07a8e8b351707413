package graph_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"afterimage/graph"
)

// trustedQuery is a document of the list, otherQuery one that is not.
const (
	trustedQuery = `query Who { viewer { tokenId } }`
	otherQuery   = `{ viewer { lastEvent } }`
)

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// named is a request that names its document by a hash, beside what else it has.
func named(hash string, more vars) string {
	request := vars{"extensions": vars{"persistedQuery": vars{"version": 1, "sha256Hash": hash}}}
	for key, value := range more {
		request[key] = value
	}
	body, err := json.Marshal(request)
	if err != nil {
		panic(err)
	}
	return string(body)
}

// withDocuments is the world's server with a document list.
func (w *world) withDocuments(only bool) *site {
	s := serve(w.t, w.use, func(c *graph.Config) {
		c.Documents, c.DocumentsOnly = map[string]string{hashOf(trustedQuery): trustedQuery}, only
	})
	s.token = w.token
	return s
}

func TestDocumentsByHash(t *testing.T) {
	w := newWorld(t)
	open, only, none := w.withDocuments(false), w.withDocuments(true), w.site
	known, unknown := hashOf(trustedQuery), hashOf(otherQuery)
	for name, c := range map[string]struct {
		s    *site
		body string
		code string // empty for success
	}{
		"by hash":                       {open, named(known, nil), ""},
		"by hash in capitals":           {open, named(strings.ToUpper(known), nil), ""},
		"by hash and text":              {open, named(known, vars{"query": trustedQuery}), ""},
		"by text":                       {open, `{"query":"{ viewer { lastEvent } }"}`, ""},
		"unknown hash with its text":    {open, named(unknown, vars{"query": otherQuery}), ""},
		"unknown hash":                  {open, named(unknown, nil), "PERSISTED_QUERY_NOT_FOUND"},
		"hash of another text":          {open, named(known, vars{"query": otherQuery}), "BAD_REQUEST"},
		"no hash":                       {open, `{"extensions":{"persistedQuery":{"version":1}}}`, "BAD_REQUEST"},
		"not an object":                 {open, `{"extensions":{"persistedQuery":7}}`, "BAD_REQUEST"},
		"another version":               {open, strings.Replace(named(known, nil), `"version":1`, `"version":2`, 1), "BAD_REQUEST"},
		"nothing":                       {open, `{"extensions":{}}`, "BAD_REQUEST"},
		"only: by hash":                 {only, named(known, nil), ""},
		"only: by its text":             {only, `{"query":"query Who { viewer { tokenId } }"}`, ""},
		"only: another":                 {only, `{"query":"{ viewer { lastEvent } }"}`, "DOCUMENT_NOT_TRUSTED"},
		"only: another with its hash":   {only, named(unknown, vars{"query": otherQuery}), "DOCUMENT_NOT_TRUSTED"},
		"only: unknown hash":            {only, named(unknown, nil), "PERSISTED_QUERY_NOT_FOUND"},
		"without a list: by hash":       {none, named(known, nil), "PERSISTED_QUERY_NOT_SUPPORTED"},
		"without a list: hash and text": {none, named(known, vars{"query": trustedQuery}), ""},
	} {
		for range 2 { // nothing is learned from the first
			a := c.s.do(c.s.request(c.body))
			if a.code() != c.code {
				t.Errorf("%s: got %s", name, a.body)
			}
		}
	}
	remembered := open.do(open.request(named(unknown, nil)))
	want(t, "a hash whose text was sent before", remembered.code(), "PERSISTED_QUERY_NOT_FOUND")
}

func TestDocumentsByHashOverGet(t *testing.T) {
	w := newWorld(t)
	s := w.withDocuments(true)
	extensions := fmt.Sprintf(`{"persistedQuery":{"version":1,"sha256Hash":%q}}`, hashOf(trustedQuery))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/graphql?extensions="+url.QueryEscape(extensions), http.NoBody)
	w.check(err)
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Accept", "application/json")
	if a := s.do(r); a.status != http.StatusOK || len(a.Errors) > 0 {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

func TestDocumentsByHashOnASocket(t *testing.T) {
	w := newWorld(t)
	c := w.withDocuments(true).connect()
	c.send(wire{ID: "1", Type: "subscribe", Payload: json.RawMessage(named(hashOf(trustedQuery), nil))})
	if a := c.payload(c.next()); len(a.Errors) > 0 {
		t.Errorf("by hash: %s", a.body)
	}
	want(t, "the end", c.next().Type, "complete")
	c.subscribe("2", otherQuery, nil)
	if a := c.payload(c.next()); a.code() != "DOCUMENT_NOT_TRUSTED" {
		t.Errorf("another: %s", a.body)
	}
}

func TestDocumentListsThatCannotServe(t *testing.T) {
	for name, documents := range map[string]map[string]string{
		"wrong hash":    {hashOf("another"): trustedQuery},
		"no hash":       {"Who": trustedQuery},
		"unknown field": {hashOf("{ nothing }"): "{ nothing }"},
		"no GraphQL":    {hashOf("{"): "{"},
		"empty":         {},
	} {
		config := newSite(t).config
		config.Documents, config.DocumentsOnly = documents, true
		if _, err := graph.New(config); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// TestSchemaIsServed reads the schema as a code generator does.
func TestSchemaIsServed(t *testing.T) {
	s := newSite(t)
	get := func(tag string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+graph.SDLPath, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("If-None-Match", tag)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	answer := get("")
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	served, err := gqlparser.LoadSchema(&ast.Source{Name: "served", Input: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	own := s.graph.Schema()
	for name, d := range own.Types {
		if got := served.Types[name]; got == nil || len(got.Fields) != len(d.Fields) || len(got.EnumValues) != len(d.EnumValues) {
			t.Errorf("%s is another type in what is served", name)
		}
	}
	if served.Mutation.Fields.ForName("createGroup").Directives.ForName("requires") == nil {
		t.Error("what is served does not say which permissions are needed")
	}
	if strings.Contains(string(text), "goField") {
		t.Error("a directive of the code generator is served")
	}
	again := get(answer.Header.Get("ETag"))
	defer func() { _ = again.Body.Close() }()
	want(t, "status with the tag", again.StatusCode, http.StatusNotModified)
}
