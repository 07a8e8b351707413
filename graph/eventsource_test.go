package graph_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// source is what a browser's EventSource reads.
type source struct {
	status int
	lines  *bufio.Scanner
	close  func() error
}

// openSource asks as a page of the server does: by GET, with the session's cookie.
func (b *browser) openSource(query string, header http.Header) *source {
	b.t.Helper()
	address := b.url + "/graphql?" + url.Values{"query": {query}}.Encode()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	for name, values := range header {
		r.Header[http.CanonicalHeaderKey(name)] = values
	}
	response, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { response.Body.Close() })
	return &source{response.StatusCode, bufio.NewScanner(response.Body), response.Body.Close}
}

// next is the next message: its id, its name and its data.
func (s *source) next() (id, name, data string) {
	for s.lines.Scan() {
		field, value, _ := strings.Cut(s.lines.Text(), ": ")
		switch field {
		case "id":
			id = value
		case "event":
			name = value
		case "data":
			data = value
		case "":
			if name != "" {
				return id, name, data
			}
		}
	}
	return "", "", ""
}

const sourceQuery = "subscription ($after: EventNumber) { events(after: $after) { number kind } }"

// sessionOf is a browser with a session of the world's account.
func (w *world) sessionOf() *browser {
	w.t.Helper()
	b := newBrowser(w.site)
	if status, _, body := b.send("POST", "/session", "application/json", `{"token":"`+w.token+`"}`, nil); status != http.StatusNoContent {
		w.t.Fatalf("signing in: %d %s", status, body)
	}
	return b
}

// TestAnEventSourceGoesOnWhereItWas loses the connection after each event. The browser sends the last id that it was given.
func TestAnEventSourceGoesOnWhereItWas(t *testing.T) {
	w := newWorld(t)
	b := w.sessionOf()
	last := strconv.FormatInt(int64(w.must(`{ viewer { lastEvent } }`, nil).at(t, "viewer", "lastEvent").(float64)), 10)
	for round := range 5 {
		w.group("a"+strconv.Itoa(round), "a.example.test") // several events
		s := b.openSource(sourceQuery, http.Header{"Last-Event-ID": {last}, "Sec-Fetch-Site": {"same-origin"}})
		id, name, data := s.next()
		before, err := strconv.Atoi(last)
		if err != nil || id != strconv.Itoa(before+1) || name != "next" || !strings.Contains(data, `"number":`+id) {
			t.Errorf("after %s: id %q, %s %s, status %d", last, id, name, data, s.status)
		}
		last = id
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}
}

func TestWhatAnEventSourceMustNotDo(t *testing.T) {
	w := newWorld(t)
	b := w.sessionOf()
	w.group("a", "a.example.test")
	for name, c := range map[string]struct {
		query  string
		header http.Header
		status int
		code   string
	}{
		"of the future":    {sourceQuery, http.Header{"Last-Event-ID": {"1000000"}}, 200, "INVALID"},
		"no number":        {sourceQuery, http.Header{"Last-Event-ID": {"x"}}, 400, "BAD_REQUEST"},
		"negative":         {sourceQuery, http.Header{"Last-Event-ID": {"-1"}}, 400, "BAD_REQUEST"},
		"no place":         {"subscription { events { number } }", http.Header{"Last-Event-ID": {"1"}}, 200, "BAD_REQUEST"},
		"query":            {"{ viewer { lastEvent } }", nil, 200, "BAD_REQUEST"},
		"mutation":         {`mutation { createGroup(input: {name: "by a link"}) { group { id } } }`, nil, 200, "BAD_REQUEST"},
		"another origin":   {sourceQuery, http.Header{"Origin": {"https://evil.example.com"}}, 403, "FORBIDDEN"},
		"a neighbour":      {sourceQuery, http.Header{"Sec-Fetch-Site": {"same-site"}}, 403, "FORBIDDEN"},
		"another's page":   {sourceQuery, http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403, "FORBIDDEN"},
		"without a cookie": {sourceQuery, http.Header{"Authorization": {"Bearer no-such-token"}}, 401, "UNAUTHENTICATED"},
	} {
		s := b.openSource(c.query, c.header)
		var answer struct {
			Errors []struct{ Extensions struct{ Code string } }
		}
		var text string
		if s.status == http.StatusOK {
			_, _, text = s.next()
		} else if s.lines.Scan() {
			text = s.lines.Text()
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil || len(answer.Errors) == 0 || s.status != c.status ||
			answer.Errors[0].Extensions.Code != c.code {
			t.Errorf("%s: %d %s, want %d %s", name, s.status, text, c.status, c.code)
		}
	}
	if groups := w.must(`{ groups(first: 10) { totalCount } }`, nil); groups.at(t, "groups", "totalCount") != 1.0 {
		t.Errorf("a link made a group: %s", groups.body)
	}
}
