package graph_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A refusal may take 150 ms of processor time. The bound of the tests is wider, for the race detector: what the refusals
// really take is logged, run with -v.
const (
	costGoal  = 150 * time.Millisecond
	costBound = 10 * costGoal
)

// processorTime is what the process has used so far, all threads together.
func processorTime(t testing.TB) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// costliest remembers the dearest refusal of each way in.
type costliest map[string]struct {
	name string
	cost time.Duration
}

// measure runs the handling of one abuse. The rubbish of what went before is not on its bill.
func (c costliest) measure(t *testing.T, way, name string, handle func()) {
	t.Helper()
	runtime.GC()
	before := processorTime(t)
	handle()
	cost := processorTime(t) - before
	if cost > costBound {
		t.Errorf("%s by %s took %s of processor time", name, way, cost)
	}
	if cost > c[way].cost {
		c[way] = struct {
			name string
			cost time.Duration
		}{name, cost}
	}
}

func (c costliest) log(t *testing.T) {
	t.Helper()
	for way, worst := range c {
		t.Logf("%s: the dearest refusal took %s of processor time (goal %s): %s", way, worst.cost, costGoal, worst.name)
	}
}

// bodies are requests whose abuse is not in an operation.
func bodies() map[string]string {
	long := strings.Repeat("x", 5<<20)
	return map[string]string{
		"5 MB of query": `{"query":"{ ` + long + ` }"}`,
		"5 MB of variables": `{"query":"query ($a: String) { urls(filter: {search: $a}) { totalCount } }","variables":{"a":"` +
			long + `"}}`,
		"5 MB of rubbish":          long,
		"5 MB of brackets":         strings.Repeat("[", 5<<20),
		"1,000 operations at once": "[" + strings.TrimSuffix(strings.Repeat(`{"query":"{ account { id } }"},`, 1000), ",") + "]",
		"variables nested deeply": `{"query":"{ a }","variables":` + strings.Repeat(`{"a":`, 100_000) + "1" +
			strings.Repeat("}", 100_000) + "}",
		"a list of 100,000 for one": `{"query":"query ($a: ID!) { group(id: $a) { id } }","variables":{"a":[` + strings.Repeat(`"x",`,
			100_000) + `"x"]}}`,
		"40,000 unknown variables": `{"query":"{ account { nothing } }","variables":{` + each(40_000,
			func(i int) string { return fmt.Sprintf(`"v%d":%d,`, i, i) }) + `"v":1}}`,
		"an object of 40,000 fields": `{"query":"query ($a: GroupFilter) { groups(filter: $a) { totalCount } }","variables":{"a":{` +
			each(40_000, func(i int) string { return fmt.Sprintf(`"v%d":%d,`, i, i) }) + `"v":1}}}`,
	}
}

func TestRefusalsAreCheap(t *testing.T) {
	s := newSite(t)
	worst := costliest{}
	t.Cleanup(func() { worst.log(t) })
	ask := func(way, name string, r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+s.token)
		w := httptest.NewRecorder()
		worst.measure(t, way, name, func() { s.graph.ServeHTTP(w, r) })
		if body := w.Body.String(); !strings.Contains(body, `"errors"`) || strings.Contains(body, `"data":{`) || len(body) > 20_000 {
			t.Errorf("%s by %s is not refused: status %d: %.300s", name, way, w.Code, body)
		}
		wantNothingInternal(t, name, w.Body.String())
	}
	post := func(way, name, body string) {
		r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if way == "SSE" {
			r.Header.Set("Accept", "text/event-stream")
		}
		ask(way, name, r)
	}
	for name, query := range abuse {
		body := encode(t, query, nil)
		post("POST", name, body)
		post("SSE", name, body)
		ask("GET", name, httptest.NewRequest(http.MethodGet, "/graphql?query="+url.QueryEscape(query), http.NoBody))
	}
	for name, body := range bodies() {
		post("POST", name, body)
		post("SSE", name, body)
		ask("GET", name, httptest.NewRequest(http.MethodGet, "/graphql?query=%7Ba%7D&variables="+url.QueryEscape(body), http.NoBody))
	}
}

// Over a WebSocket the cost includes the client's: it reads and writes in this process too.
func TestRefusalsOverAWebSocketAreCheap(t *testing.T) {
	s := newSite(t)
	worst := costliest{}
	t.Cleanup(func() { worst.log(t) })
	c := s.connect()
	for name, query := range abuse {
		payload := json.RawMessage(encode(t, query, nil))
		worst.measure(t, "WebSocket", name, func() {
			c.send(wire{ID: name, Type: "subscribe", Payload: payload})
			if m := c.next(); m.Type != "error" {
				t.Errorf("%s: %s %.300s", name, m.Type, m.Payload)
			} else {
				wantNothingInternal(t, name, string(m.Payload))
			}
		})
	}
	for name, body := range bodies() {
		c := s.connect()
		worst.measure(t, "WebSocket", name, func() {
			message := `{"id":"1","type":"subscribe","payload":` + body + `}`
			_ = c.conn.WriteMessage(1, []byte(message)) // it may be cut off in the middle
			var m wire
			if err := c.conn.ReadJSON(&m); err == nil && m.Type != "error" {
				t.Errorf("%s: %s %.300s", name, m.Type, m.Payload)
			}
		})
	}
}

// internal are words that only our own insides use.
var internal = regexp.MustCompile(`(?i)panic|goroutine|\.go:\d|SQLSTATE|pgx|\bbun\b|gqlparser|gqlgen|runtime ` +
	`error|afterimage/|postgres|nil pointer`)

func wantNothingInternal(t *testing.T, name, body string) {
	t.Helper()
	if strings.Contains(body, "Did you mean") {
		t.Errorf("%s: the refusal suggests: %.300s", name, body)
	}
	if found := internal.FindString(body); found != "" {
		t.Errorf("%s: the refusal speaks of %q: %.300s", name, found, body)
	}
}

// A name that is nearly right must not be answered with the right one.
func TestNoNameIsSuggested(t *testing.T) {
	s := newSite(t)
	for right, query := range map[string]string{
		"account":         `{ acount { id } }`,
		"checksLeft":      `{ account { checksLef } }`,
		"perPage":         `{ groups(perPag: 1) { totalCount } }`,
		"groupIds":        `{ batches(filter: {groupIdz: []}) { totalCount } }`,
		"false_positive":  `{ comparisons(filter: {statuses: [FALSE_POSITIV]}) { totalCount } }`,
		"Comparison ":     `{ node(id: "x") { ... on Comparrison { id } } }`,
		"include":         `{ account @inclde(if: true) { id } }`,
		"GroupFilter":     `query ($f: GroupFiltr) { groups(filter: $f) { totalCount } }`,
		"takeScreenshots": `mutation { takeScreenshot(input: {groupIds: [], scType: PRE}) { batchId } }`,
		"scType":          `mutation { takeScreenshots(input: {groupIds: [], sctype: PRE}) { batchId } }`,
		"email":           `{ account { id { emai } } }`,
	} {
		a := s.post(query, nil)
		if a.status < 400 || len(a.Errors) == 0 {
			t.Errorf("%s: status %d: %s", query, a.status, a.body)
		}
		wantNothingInternal(t, query, a.body)
		if right != "scType" && strings.Contains(strings.ToLower(a.body), strings.ToLower(right)+`"`) { // what is missing may be named
			t.Errorf("%s: the answer names %s: %s", query, right, a.body)
		}
	}
}
