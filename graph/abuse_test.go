package graph_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// abuse is a corpus of operations that must be refused quickly, on every way in.
var abuse = map[string]string{
	"10000 aliases":         "{" + each(10_000, func(i int) string { return fmt.Sprintf("a%d: account { id } ", i) }) + "}",
	"500 aliases":           "{" + each(500, func(i int) string { return fmt.Sprintf("a%d: account { id } ", i) }) + "}",
	"deep nesting":          strings.Repeat("{ node(id: \"x\") { ... on Batch ", 500) + "{ id }" + strings.Repeat("} }", 500),
	"deep inline fragments": "{ " + strings.Repeat("... { ", 1500) + "__typename " + strings.Repeat("} ", 1500) + "}",
	"fragment cycle":        "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
	"fragment of itself":    "query { ...A } fragment A on Query { account { id } ...A }",
	"fragments that double": "{ ...F0 } " + each(40, func(i int) string {
		return fmt.Sprintf("fragment F%d on Query { ...F%d ...F%d } ", i, i+1, i+1)
	}) + "fragment F40 on Query { account { id } }",
	"repeated field":             "{ account { " + strings.Repeat("id ", 3000) + "} }",
	"unused fragment of repeats": "{ account { id } } fragment U on Account { " + strings.Repeat("id ", 3000) + "}",
	"fields in conflict": "{ account { " + each(1200, func(i int) string {
		return fmt.Sprintf("x%d: %s ", i%600, []string{"id", "email"}[i%2])
	}) + "} }",
	"1000 directives":     "{ account { id " + strings.Repeat("@include(if: true) ", 1000) + "} }",
	"directives all over": "{ " + strings.Repeat("account { id @skip(if: false) email @skip(if: false) } ", 200) + "}",
	"circular introspection": "{ __schema { types " + strings.Repeat("{ fields { type ", 12) + "{ name }" +
		strings.Repeat("} }", 12) + "} }",
	"broad introspection": "{ __schema { types { fields { type { " + each(90, func(i int) string {
		return fmt.Sprintf("a%d: fields { args { name } } ", i)
	}) + "} } } } }",
	"introspection in fragments": "{ ...A } fragment A on Query { __type(name: \"Query\") { ...B } } fragment B on __Type { " +
		each(6, func(i int) string { return fmt.Sprintf("a%d: name ", i) }) + "}",
	"introspection over and over": "{ " + each(6, func(i int) string { return fmt.Sprintf("a%d: __schema { types { name } } ", i) }) + "}",
	"types of types of types":     "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
	"costly lists": `{ batches(first: 100) { nodes { comparisons(first: 100) { nodes { id before { id }
		group { urls(first: 100) { nodes { urlId } } } } } } } }`,
	"costly default lists": "{ groups { nodes " + strings.Repeat("{ urls { nodes { group ", 4) + "{ id }" +
		strings.Repeat("} } }", 4) + "} }",
	"costly lists with small pages": "{groups(first:100,perPage:1){nodes{urls(first:100,perPage:1){nodes{url{address}}}}}}",
	"counts of counts": "{ groups(first: 100) { nodes { " + each(10, func(i int) string {
		return fmt.Sprintf("u%d: urls(first: 1) { totalCount } ", i)
	}) + "} } }",
	"short lists in a list": "{ groups(first: 100) { nodes { " + each(20, func(i int) string {
		return fmt.Sprintf("u%d: urls(first: 1) { nodes { urlId } } ", i)
	}) + "} } }",
	"deep list value": "{ groups(filter: {ids: " + strings.Repeat("[", 2400) + strings.Repeat("]", 2400) + "}) { totalCount } }",
	"many variables": "query(" + each(2000, func(i int) string { return fmt.Sprintf("$v%d: Int ", i) }) +
		") { account { id } }",
	"long name":       "query " + strings.Repeat("x", 100_000) + " { nothing }",
	"many operations": each(1500, func(i int) string { return fmt.Sprintf("query Q%d { account { id } } ", i) }),
	"unclosed":        strings.Repeat("{ a ", 4000),
	"long texts over and over": "{ groups(first: 100) { nodes { " + each(90, func(i int) string {
		return fmt.Sprintf("c%d: css ", i)
	}) + "} } }",
	"many runs": "mutation { " + each(50, func(i int) string {
		return fmt.Sprintf("a%d: takeScreenshots(input: {groupIds: [], scType: PRE}) { batchId } ", i)
	}) + "}",
	"defer":     "{ account { id ... @defer { email } } }",
	"nul bytes": "{ account \x00 { id } }",
}

func each(n int, make func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(make(i))
	}
	return b.String()
}

// wantRefused checks that an operation was refused for what it is.
func wantRefused(t *testing.T, a *answer, took time.Duration) {
	t.Helper()
	switch a.code() {
	case "LIMIT_EXCEEDED", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "TOO_LARGE", "BAD_REQUEST":
	default:
		t.Errorf("not refused: status %d, code %q: %.300s", a.status, a.code(), a.body)
	}
	if len(a.body) > 20_000 {
		t.Errorf("the refusal is %d bytes long", len(a.body))
	}
	if took > costBound {
		t.Errorf("the refusal took %s of a processor", took)
	}
	if strings.Contains(a.body, "Did you mean") {
		t.Errorf("the refusal suggests: %.300s", a.body)
	}
}

func TestAbuseIsRefusedOnEveryWayIn(t *testing.T) {
	s := newSite(t)
	for name, query := range abuse {
		t.Run("POST "+name, func(t *testing.T) {
			start := processorTime(t)
			a := s.post(query, nil)
			wantRefused(t, a, processorTime(t)-start)
			if a.status < 400 {
				t.Errorf("status %d", a.status)
			}
		})
		t.Run("GET "+name, func(t *testing.T) {
			start := processorTime(t)
			a := s.get(query)
			wantRefused(t, a, processorTime(t)-start)
		})
		t.Run("SSE "+name, func(t *testing.T) {
			r := s.request(encode(t, query, nil))
			r.Header.Set("Accept", "text/event-stream")
			start := processorTime(t)
			a := s.do(r)
			took := processorTime(t) - start
			for line := range strings.SplitSeq(a.body, "\n") {
				if data, ok := strings.CutPrefix(line, "data: "); ok && len(a.Errors) == 0 {
					_ = json.Unmarshal([]byte(data), a)
				}
			}
			wantRefused(t, a, took)
		})
	}
	t.Run("WebSocket", func(t *testing.T) {
		c := s.connect()
		for name, query := range abuse {
			start := processorTime(t)
			c.subscribe(name, query, nil)
			m := c.next()
			if m.Type != "error" || m.ID != name {
				t.Fatalf("%s: got %s %s", name, m.Type, m.Payload)
			}
			a := &answer{body: string(m.Payload)}
			if err := json.Unmarshal(m.Payload, &a.Errors); err != nil {
				t.Fatal(err)
			}
			t.Run(name, func(t *testing.T) { wantRefused(t, a, processorTime(t)-start) })
		}
	})
}

// get runs an operation by GET.
func (s *site) get(query string) *answer {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+"/graphql?query="+url.QueryEscape(query), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	return s.do(r)
}

func TestRequestsThatAreTooLongOrNotGraphQL(t *testing.T) {
	s := newSite(t)
	long := strings.Repeat("x", 5<<20)
	for _, c := range []struct {
		name, body, media string
		status            int
	}{
		{"5 MB of query", `{"query":"{ ` + long + ` }"}`, "application/json", http.StatusRequestEntityTooLarge},
		{"huge variables", `{"query":"{ account { id } }","variables":{"a":"` + long + `"}}`, "application/json",
			http.StatusRequestEntityTooLarge},
		{"batch", `[{"query":"{ account { id } }"},{"query":"{ account { id } }"}]`, "application/json", http.StatusBadRequest},
		{"batch of one", ` [{"query":"{ account { id } }"}]`, "application/json", http.StatusBadRequest},
		{"no JSON", `{"query":`, "application/json", http.StatusBadRequest},
		{"two values", `{"query":"{ account { id } }"} {}`, "application/json", http.StatusBadRequest},
		{"no query", `{}`, "application/json", http.StatusBadRequest},
		{"empty query", `{"query":""}`, "application/json", http.StatusBadRequest},
		{"number for a query", `{"query":5}`, "application/json", http.StatusBadRequest},
		{"list of variables", `{"query":"{ account { id } }","variables":[]}`, "application/json", http.StatusBadRequest},
		{"deep JSON", `{"query":"{ a }","variables":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + "}",
			"application/json", http.StatusBadRequest},
		{"form", "query=%7B+account+%7B+id+%7D+%7D", "application/x-www-form-urlencoded", http.StatusUnsupportedMediaType},
		{"multipart", "--x\r\n\r\n--x--", "multipart/form-data; boundary=x", http.StatusUnsupportedMediaType},
		{"text", `{"query":"{ account { id } }"}`, "text/plain", http.StatusUnsupportedMediaType},
		{"no type", `{"query":"{ account { id } }"}`, "", http.StatusUnsupportedMediaType},
	} {
		for _, accept := range []string{"application/json", "text/event-stream"} {
			t.Run(c.name+" "+accept, func(t *testing.T) {
				r := s.request(c.body)
				r.Header.Set("Content-Type", c.media)
				r.Header.Set("Accept", accept)
				start := processorTime(t)
				a := s.do(r)
				if a.status != c.status || a.code() == "" || processorTime(t)-start > costBound || len(a.body) > 1000 {
					t.Errorf("status %d, want %d, after %s of a processor: %.300s", a.status, c.status, processorTime(t)-start, a.body)
				}
			})
		}
	}
}

// A body whose length is not told beforehand is read to the limit only.
func TestChunkedBodiesHaveTheLimitToo(t *testing.T) {
	s := newSite(t)
	r := s.request("")
	r.Body = http.NoBody
	endless := &endless{}
	r.Body, r.ContentLength = endless, -1
	a := s.do(r)
	if a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d: %s", a.status, a.body)
	}
	if taken := endless.read.Load(); taken > 16<<20 {
		t.Errorf("%d bytes were taken in", taken)
	}
}

type endless struct{ read atomic.Int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read.Add(int64(len(p)))
	return len(p), nil
}

func (*endless) Close() error { return nil }

func TestGetIsForShortQueriesOnly(t *testing.T) {
	s := newSite(t)
	for name, c := range map[string]struct {
		query string
		code  string
	}{
		"mutation":     {`mutation { deleteGroup(id: "x") { deletedGroupId } }`, "GRAPHQL_VALIDATION_FAILED"},
		"subscription": {`subscription { events { number } }`, "GRAPHQL_VALIDATION_FAILED"},
		"long":         {"{ account { id } } # " + strings.Repeat("x", 40<<10), "TOO_LARGE"},
		"empty":        {"", "BAD_REQUEST"},
	} {
		t.Run(name, func(t *testing.T) {
			if a := s.get(c.query); a.code() != c.code || a.status < 400 {
				t.Errorf("status %d, code %q, want %q: %.300s", a.status, a.code(), c.code, a.body)
			}
		})
	}
	t.Run("bad variables", func(t *testing.T) {
		r := s.request("")
		r.Method, r.Body = http.MethodGet, http.NoBody
		r.URL.RawQuery = "query=" + url.QueryEscape("{account{id}}") + "&variables=%5B%5D"
		if a := s.do(r); a.status != http.StatusBadRequest || a.code() != "BAD_REQUEST" {
			t.Errorf("status %d: %s", a.status, a.body)
		}
	})
}

func TestOtherMethodsAreNamed(t *testing.T) {
	s := newSite(t)
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch} {
		r := s.request("{}")
		r.Method = method
		if a := s.do(r); a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != "GET, POST, OPTIONS" {
			t.Errorf("%s: status %d, Allow %q", method, a.status, a.header.Get("Allow"))
		}
	}
}

func TestWhichOperationOfSeveralRuns(t *testing.T) {
	s := newSite(t)
	const several = "query A { __typename } query B { x: __typename }"
	for name, want := range map[string]string{"A": "", "B": "", "": "GRAPHQL_VALIDATION_FAILED", "C": "GRAPHQL_VALIDATION_FAILED"} {
		body, err := json.Marshal(map[string]any{"query": several, "operationName": name})
		if err != nil {
			t.Fatal(err)
		}
		if a := s.do(s.request(string(body))); a.code() != want {
			t.Errorf("operation %q: code %q, want %q: %s", name, a.code(), want, a.body)
		}
	}
}

func TestSubscriptionsNeedAStream(t *testing.T) {
	a := newSite(t).post("subscription { events { number } }", nil)
	if a.code() != "GRAPHQL_VALIDATION_FAILED" || !strings.Contains(a.body, "WebSocket") {
		t.Errorf("status %d: %s", a.status, a.body)
	}
}

// What API explorers ask for must pass the limits.
func TestIntrospectionPassesTheLimits(t *testing.T) {
	const typeRef = `fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
		ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }`
	a := newSite(t).must(`query IntrospectionQuery { __schema { description queryType { name kind } mutationType { name kind }
		subscriptionType { name kind } types { ...FullType } directives { name description isRepeatable locations
		args(includeDeprecated: true) { ...InputValue } } } }
		fragment FullType on __Type { kind name description specifiedByURL isOneOf fields(includeDeprecated: true) { name description
		args(includeDeprecated: true) { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason }
		inputFields(includeDeprecated: true) { ...InputValue } interfaces { ...TypeRef }
		enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } }
		fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue isDeprecated deprecationReason } `+typeRef,
		nil)
	if a.at(t, "__schema", "queryType", "name") != "Query" {
		t.Errorf("got %.300s", a.body)
	}
	if strings.Contains(a.body, "goField") {
		t.Error("introspection shows a directive that is for code generation only")
	}
}
