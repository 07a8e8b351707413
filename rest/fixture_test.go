package rest

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"afterimage/internal/openapitest"
)

const (
	idA       = "0190a1b2-0000-7000-8000-00000000000a"
	idB       = "0190a1b2-0000-7000-8000-00000000000b"
	goodToken = "abcdefghijklmnopqrstuvwxyz0123456789ABCD"
)

var shelfRoutes = []route{
	{get, "/shelves", "ListShelves", list},
	{post, "/shelves", "CreateShelf", wrapped},
	{get, "/shelves/{id:Shelf}", "ReadShelf", wrapped},
	{change, "/shelves/{id:Shelf}", "UpdateShelf", bare},
	{remove, "/shelves/{id:Shelf}", "DeleteShelf", message("{id} deleted")},
	{post + " " + change, "/shelves/{shelfId:Shelf}/books", "AddBooks", payload},
	{remove, "/shelves/{id:Shelf}/books", "ClearShelf", noContent},
	{post, "/shelves/run", "RunShelves", created(bare)},
}

// cannedExecutor answers every operation with what its test prescribes, and remembers what it was asked.
type cannedExecutor struct {
	schema    *ast.Schema
	respond   func(ctx context.Context) *graphql.Response
	calls     int
	operation string
	document  *ast.QueryDocument
	variables map[string]any
}

func (e *cannedExecutor) Schema() *ast.Schema { return e.schema }

func (e *cannedExecutor) Execute(
	ctx context.Context, operation string, document *ast.QueryDocument, variables map[string]any,
) *graphql.Response {
	e.calls++
	e.operation, e.document, e.variables = operation, document, variables
	return e.respond(ctx)
}

func data(json string) func(context.Context) *graphql.Response {
	return func(context.Context) *graphql.Response { return &graphql.Response{Data: []byte(json)} }
}

func refused(code, text string, extensions map[string]any) func(context.Context) *graphql.Response {
	all := map[string]any{"code": code}
	for name, value := range extensions {
		all[name] = value
	}
	return func(context.Context) *graphql.Response {
		return &graphql.Response{Data: []byte("null"), Errors: gqlerror.List{{Message: text, Extensions: all}}}
	}
}

func loadTestSchema(t testing.TB) *ast.Schema {
	t.Helper()
	schema, err := readTestSchema()
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func readTestSchema() (*ast.Schema, error) {
	text, err := os.ReadFile("testdata/schema.graphqls")
	if err != nil {
		return nil, err
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(text)})
	if err != nil {
		return nil, err
	}
	return schema, nil
}

func testOperations() fs.FS { return os.DirFS("testdata/operations") }

// newFixtureAuthenticator knows one token.
func newFixtureAuthenticator() Authenticator {
	return func(ctx context.Context, token string) (context.Context, error) {
		if token != goodToken {
			return nil, &gqlerror.Error{Extensions: map[string]any{"code": codeUnauthenticated}}
		}
		return ctx, nil
	}
}

// fixture is a server on the test schema with an executor that its test controls.
type fixture struct {
	t        testing.TB
	executor *cannedExecutor
	handler  http.Handler
	log      *bytes.Buffer
	document *openapitest.Document // that answers must fit
}

func newFixture(t testing.TB, respond func(context.Context) *graphql.Response, adjust ...func(*Config)) *fixture {
	t.Helper()
	f := &fixture{t: t, executor: &cannedExecutor{schema: loadTestSchema(t), respond: respond}, log: &bytes.Buffer{}}
	var err error
	if f.document, err = shelfDocument(); err != nil {
		t.Fatal(err)
	}
	config := Config{
		Executor:     f.executor,
		Authenticate: newFixtureAuthenticator(),
		Logger:       slog.New(slog.NewTextHandler(f.log, nil)),
		NewRequestID: func() string { return "request-1" },
		PublicURL:    "http://example.com",
	}
	for _, change := range adjust {
		change(&config)
	}
	server, err := newServer(config, testOperations(), shelfRoutes)
	if err != nil {
		t.Fatal(err)
	}
	f.handler = server
	return f
}

// send makes a request with a good token; options change it. The answer must fit the document.
func (f *fixture) send(method, target, contentType, body string, options ...func(*http.Request)) *httptest.ResponseRecorder {
	f.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, target, reader)
	r.Header.Set("Authorization", "Bearer "+goodToken)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for _, option := range options {
		option(r)
	}
	w := httptest.NewRecorder()
	f.handler.ServeHTTP(w, r)
	if f.document == nil || r.Context().Err() != nil { // a client that has left takes whatever there is
		return w
	}
	if f.executor != nil && (w.Code < 400 || w.Code == http.StatusPaymentRequired) { // its test made the answer up
		return w
	}
	if err := f.document.Check(method, r.URL.EscapedPath(), w.Code, w.Header(), w.Body.Bytes()); err != nil {
		f.t.Error(err)
	}
	return w
}

func (f *fixture) get(target string) *httptest.ResponseRecorder { return f.send("GET", target, "", "") }

func (f *fixture) json(method, target, body string) *httptest.ResponseRecorder {
	return f.send(method, target, "application/json", body)
}

func (f *fixture) form(method, target, body string) *httptest.ResponseRecorder {
	return f.send(method, target, "application/x-www-form-urlencoded", body)
}

func expect(t testing.TB, w *httptest.ResponseRecorder, status int, body string) {
	t.Helper()
	if w.Code != status || w.Body.String() != body {
		t.Fatalf("got %d %s\nwant %d %s", w.Code, w.Body, status, body)
	}
}
