package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestListEnvelope(t *testing.T) {
	f := newFixture(t, data(`{"data":{"nodes":[{"id":"1"},{"id":"2"}],"total":32,"open_count":7}}`))
	expect(t, f.get("/api/v2/shelves?colors[]=blue&page=2&per_page=15&search=a%26b"), 200, strings.ReplaceAll(
		`{"data":[{"id":"1"},{"id":"2"}],`+
			`"links":{"first":"@1","last":"@3","prev":"@1","next":"@3"},`+
			`"meta":{"current_page":2,"from":16,"last_page":3,"links":[`+
			`{"url":"@1","label":"&laquo; Previous","active":false},`+
			`{"url":"@1","label":"1","active":false},`+
			`{"url":"@2","label":"2","active":true},`+
			`{"url":"@3","label":"3","active":false},`+
			`{"url":"@3","label":"Next &raquo;","active":false}],`+
			`"path":"http://example.com/api/v2/shelves","per_page":15,"to":17,"total":32,"open_count":7}}`,
		"@", "http://example.com/api/v2/shelves?colors%5B%5D=blue&per_page=15&search=a%26b&page="))
}

func TestEmptyList(t *testing.T) {
	f := newFixture(t, data(`{"data":{"nodes":[],"total":0,"open_count":0}}`))
	expect(t, f.get("/api/v2/shelves"), 200,
		`{"data":[],"links":{"first":"http://example.com/api/v2/shelves?page=1","last":"http://example.com/api/v2/shelves?page=1",`+
			`"prev":null,"next":null},`+
			`"meta":{"current_page":1,"from":null,"last_page":1,"links":[`+
			`{"url":null,"label":"&laquo; Previous","active":false},`+
			`{"url":"http://example.com/api/v2/shelves?page=1","label":"1","active":true},`+
			`{"url":null,"label":"Next &raquo;","active":false}],`+
			`"path":"http://example.com/api/v2/shelves","per_page":15,"to":null,"total":0,"open_count":0}}`)
}

func TestPageBeyondTheLast(t *testing.T) {
	f := newFixture(t, data(`{"data":{"nodes":[],"total":16}}`))
	var got struct {
		Data  []any
		Links struct{ Prev, Next, Last *string }
		Meta  struct {
			CurrentPage int `json:"current_page"`
			LastPage    int `json:"last_page"`
			From, To    *int
		}
	}
	if err := json.Unmarshal(f.get("/api/v2/shelves?page=9").Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Data) != 0 || got.Meta.CurrentPage != 9 || got.Meta.LastPage != 2 || got.Meta.From != nil || got.Meta.To != nil ||
		got.Links.Next != nil || got.Links.Prev == nil || *got.Links.Last != "http://example.com/api/v2/shelves?page=2" {
		t.Fatalf("got %+v", got)
	}
}

func TestPublicURL(t *testing.T) {
	f := newFixture(t, data(`{"data":{"nodes":[],"total":0}}`), func(c *Config) { c.PublicURL = "https://shots.example.com/" })
	if body := f.get("/api/v2/shelves/").Body.String(); !strings.Contains(body, `"path":"https://shots.example.com/api/v2/shelves"`) {
		t.Fatal(body)
	}
}

// TestLinksNameNoStranger is named after the poisoned cache: links that repeat whatever host a request names lead elsewhere.
func TestLinksNameNoStranger(t *testing.T) {
	f := newFixture(t, data(`{"data":{"nodes":[],"total":40}}`))
	body := f.send(http.MethodGet, "/api/v2/shelves", "", "", func(r *http.Request) {
		r.Host = "attacker.test"
		r.Header.Set("X-Forwarded-Host", "attacker.test")
	}).Body.String()
	if strings.Contains(body, "attacker") || !strings.Contains(body, `"path":"http://example.com/api/v2/shelves"`) {
		t.Fatal(body)
	}
}

func TestMetaOfAnEnclosingObject(t *testing.T) {
	f := newFixture(t, data(`{"data":{"list":{"nodes":[{}],"total":1},"open_count":3},"by":{"a":[1]}}`))
	if body := f.get("/api/v2/shelves").Body.String(); !strings.HasSuffix(body, `"to":1,"total":1,"open_count":3,"by":{"a":[1]}}}`) {
		t.Fatal(body)
	}
}

func TestListsOfBrokenResults(t *testing.T) {
	for _, result := range []string{
		`{"data":{"nodes":[],"total":null}}`, `{"data":{"nodes":{},"total":1}}`, `{"data":{"total":1}}`, `{"data":[`,
		`{"data":{"nodes":[1 2],"total":1}}`,
	} {
		f := newFixture(t, func(context.Context) *graphql.Response { return &graphql.Response{Data: []byte(result)} })
		expect(t, f.get("/api/v2/shelves"), 500, `{"message":"Server Error"}`)
	}
}

func TestPageNumbers(t *testing.T) {
	for _, c := range []struct {
		current, last int64
		want          string
	}{
		{1, 1, "[1]"},
		{5, 13, "[1 2 3 4 5 6 7 8 9 10 11 12 13]"},
		{1, 14, "[1 2 3 4 5 6 7 8 9 10 0 13 14]"},
		{7, 50, "[1 2 3 4 5 6 7 8 9 10 0 49 50]"},
		{8, 50, "[1 2 0 5 6 7 8 9 10 11 0 49 50]"},
		{42, 50, "[1 2 0 39 40 41 42 43 44 45 0 49 50]"},
		{43, 50, "[1 2 0 40 41 42 43 44 45 46 0 49 50]"},
		{44, 50, "[1 2 0 41 42 43 44 45 46 47 48 49 50]"},
		{13, 20, "[1 2 0 10 11 12 13 14 15 16 0 19 20]"},
		{14, 20, "[1 2 0 11 12 13 14 15 16 17 18 19 20]"},
		{99, 50, "[1 2 0 41 42 43 44 45 46 47 48 49 50]"},
	} {
		if diff := cmp.Diff(c.want, fmt.Sprint(pageNumbers(c.current, c.last))); diff != "" {
			t.Errorf("page %d of %d (-want +got):\n%s", c.current, c.last, diff)
		}
	}
}

func TestPageNumbersInGeneral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		last := rapid.Int64Range(1, 1_000_000).Draw(t, "last")
		current := rapid.Int64Range(1, last).Draw(t, "current")
		numbers := pageNumbers(current, last)
		if len(numbers) > shortList+2 {
			t.Fatalf("%d links", len(numbers))
		}
		for _, needed := range []int64{1, last, current, max(current-1, 1), min(current+1, last)} {
			if !slices.Contains(numbers, needed) {
				t.Fatalf("page %d is missing in %v", needed, numbers)
			}
		}
		pages := slices.DeleteFunc(slices.Clone(numbers), func(n int64) bool { return n == gap })
		if !slices.IsSorted(pages) || len(slices.Compact(pages)) != len(pages) {
			t.Fatalf("pages out of order: %v", numbers)
		}
	})
}
