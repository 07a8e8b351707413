package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// answers serve one after the other.
type answers struct {
	handlers []http.HandlerFunc
	bodies   []string
}

func (a *answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := make([]byte, r.ContentLength)
	_, _ = r.Body.Read(body)
	n := len(a.bodies)
	a.bodies = append(a.bodies, string(body))
	a.handlers[min(n, len(a.handlers)-1)](w, r)
}

func events(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, line := range lines {
			fmt.Fprintf(w, ":\n\nevent: next\ndata: %s\n\n", line)
		}
	}
}

func follow(t *testing.T, handlers ...http.HandlerFunc) (totals []int, bodies []string, err error) {
	t.Helper()
	a := &answers{handlers: handlers}
	server := httptest.NewServer(a)
	defer server.Close()
	c, err := New(server.URL, "token", "test")
	if err != nil {
		t.Fatal(err)
	}
	c.pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	err = c.Follow(t.Context(), "b", func(n Counts) { totals = append(totals, n.Done) })
	return totals, a.bodies, err
}

const (
	first = `{"data":{"batchProgress":{"number":7,"finished":false,"counts":{"done":1,"failed":0,"total":2}}}}`
	last  = `{"data":{"batchProgress":{"number":8,"finished":true,"counts":{"done":2,"failed":0,"total":2}}}}`
)

// TestABrokenSubscriptionGoesOn after the last number, however it broke.
func TestABrokenSubscriptionGoesOn(t *testing.T) {
	away := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }
	cut := func(w http.ResponseWriter, r *http.Request) {
		events(first)(w, r)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	totals, bodies, err := follow(t, cut, away, events(last))
	if err != nil || !slices.Equal(totals, []int{1, 2}) {
		t.Fatalf("got %v, %v", totals, err)
	}
	if len(bodies) != 3 || strings.Contains(bodies[0], `"after":`) || !strings.Contains(bodies[2], `"after":7`) {
		t.Errorf("asked %q", bodies)
	}
}

func TestARefusedSubscriptionEnds(t *testing.T) {
	_, bodies, err := follow(t, events(`{"errors":[{"message":"No.","extensions":{"code":"UNAUTHENTICATED"}}]}`))
	var refused *Refusal
	if !errors.As(err, &refused) || len(bodies) != 1 {
		t.Errorf("got %v after %d requests", err, len(bodies))
	}
}

// TestAMutationIsNotRepeated where it may have been done.
func TestAMutationIsNotRepeated(t *testing.T) {
	for code, want := range map[string]int{codeUnavailable: 1, codeRateLimited: 1 + maxRefuse} {
		a := &answers{handlers: []http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"errors":[{"message":"Later.","extensions":{"code":%q}}]}`, code)
		}}}
		server := httptest.NewServer(a)
		c, err := New(server.URL, "token", "test")
		if err != nil {
			t.Fatal(err)
		}
		c.pause = func(context.Context, time.Duration) error { return nil }
		if _, err := c.Start(t.Context(), []Group{{ID: "g", Enabled: true}}, true); err == nil || len(a.bodies) != want {
			t.Errorf("%s: asked %d times, want %d: %v", code, len(a.bodies), want, err)
		}
		server.Close()
	}
}

// unreachable is a network without servers.
type unreachable struct{}

func (unreachable) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("no route to host")
}

// TestALostServerIsGivenUp after a while, which is not waited for here.
func TestALostServerIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New("https://afterimage.example.com", "token", "test")
		if err != nil {
			t.Fatal(err)
		}
		c.http.Transport = unreachable{}
		begun := time.Now()
		err = c.Follow(t.Context(), "b", func(Counts) {})
		if !errors.Is(err, ErrLost) || time.Since(begun) > patience+maxBackoff {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
	})
}

// TestDocumentsFitTheSchema: otherwise a server that runs known documents only would not start.
func TestDocumentsFitTheSchema(t *testing.T) {
	files, err := filepath.Glob("../../graph/schema/*.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schema: %v", err)
	}
	var sources []*ast.Source
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: name, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range Documents() {
		if _, errs := gqlparser.LoadQueryWithRules(schema, text, nil); len(errs) > 0 {
			t.Errorf("%v\n%s", errs, text)
		}
	}
}
