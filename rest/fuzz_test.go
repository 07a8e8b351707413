package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"pgregory.net/rapid"
)

func TestNamesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z][a-z0-9]*(_[a-z][a-z0-9]*){0,4}`).Draw(t, "name")
		if got := snakeCase(camelCase(name)); got != name {
			t.Fatalf("%s becomes %s becomes %s", name, camelCase(name), got)
		}
	})
}

// FuzzForm: the decoder never panics and keeps its limits, and flat forms are read as net/url reads them.
func FuzzForm(f *testing.F) {
	for _, seed := range []string{
		"a=1&b=2", "a[]=1&a[]=2", "a[0][b]=1&a[0][c]=2", "a[=1", "a]=1", "[]=1", "[a]=1", "a[b=1", "a[b][=1", "=x", "&&", "a",
		"a=1&a[b]=2&a=3", "a%5Bb%5D=%00", "a=%zz", "a[18446744073709551616]=1&a[]=2", "a[-1]=x&a[]=y", "a[01]=x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, encoded string) {
		got, err := parseForm(encoded)
		if err != nil {
			return
		}
		if depth := depthOf(got); depth > maxFormDepth {
			t.Fatalf("nested %d deep", depth)
		}
		want, err := url.ParseQuery(encoded)
		if err != nil || strings.ContainsAny(encoded, "[;%") || !utf8.ValidString(encoded) {
			return
		}
		for name, texts := range want {
			if text, _ := got[name].(string); name != "" && text != texts[len(texts)-1] {
				t.Fatalf("%q is %q, net/url reads %q", name, got[name], texts)
			}
		}
	})
}

func depthOf(value any) int {
	deepest := 0
	switch value := value.(type) {
	case values:
		for _, item := range value {
			deepest = max(deepest, depthOf(item))
		}
	case []any:
		for _, item := range value {
			deepest = max(deepest, depthOf(item))
		}
	default:
		return 0
	}
	return deepest + 1
}

// FuzzJSON: what is read is valid JSON, and means what encoding/json reads.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[1,]`, `{"a":1,"a":{"b":[null,true,"\u0000"]}}`, `{"a" 1}`, `[}`, `1e999`, `"\ud800"`, `{} {}`, `[[[[[[1]]]]]]`, "\"\xff\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := parseJSON(raw)
		if err != nil {
			return
		}
		if !json.Valid(raw) {
			t.Fatalf("%q was taken", raw)
		}
		var want any
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		mine, _ := json.Marshal(got)
		theirs, _ := json.Marshal(want)
		if !bytes.Equal(mine, theirs) {
			t.Fatalf("%q is read as %s, not %s", raw, mine, theirs)
		}
	})
}

// FuzzSlice: cutting valid JSON loses nothing, and cutting anything never panics.
func FuzzSlice(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":[{"c":"}\""}]}`, `{}`, ` { "a" : null } `, `{"a":`, `{"a"}`, `[1,"]",{}]`,
		`{"\"":1}`, `{:1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want []json.RawMessage
		_, err := parse(raw)
		if (err == nil) != json.Valid(raw) {
			t.Fatalf("%q is well formed: %t (%v)", raw, err == nil, err)
		}
		count, err := countItems(gjson.ParseBytes(raw))
		if json.Unmarshal(raw, &want) == nil && want != nil && (err != nil || count != int64(len(want))) {
			t.Fatalf("%q has %d items, not %d (%v)", raw, len(want), count, err)
		}
		cut, err := members(gjson.ParseBytes(raw))
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil || object == nil {
			return
		}
		if err != nil || len(cut) < len(object) {
			t.Fatalf("%q is cut into %d of %d (%v)", raw, len(cut), len(object), err)
		}
		for _, m := range cut {
			if !json.Valid([]byte(m.value.Raw)) {
				t.Fatalf("%q holds %q", raw, m.value.Raw)
			}
		}
	})
}

// FuzzBind: whatever a request carries, either its fields are refused or its variables fit the schema.
func FuzzBind(f *testing.F) {
	operations, err := loadOperations(loadTestSchema(f), testOperations())
	if err != nil {
		f.Fatal(err)
	}
	var names []string
	for name := range operations {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := range names {
		f.Add(uint8(i), `colors=blue&ids[]=x&from=2026-01-01`,
			[]byte(`{"name":"a","labels":[{"type":"pre"}],"books":[{"id":"`+idA+`"}],"extra":{"a":[1]}}`))
		f.Add(uint8(i), `group_ids[0]=`+idA+`&sc_type=comparison`,
			[]byte(`{"schedule_days":"1,last","size":{"height_cm":"1"},"width_in_m":1e3}`))
	}
	f.Fuzz(func(t *testing.T, which uint8, query string, body []byte) {
		op := operations[names[int(which)%len(names)]]
		in := request{path: map[string]string{}}
		if op.inputType("id") != nil {
			in.path["id"] = idA
		}
		in.query, _ = parseForm(query)
		if parsed, failed := parseJSONBody(body); failed == nil {
			in.body = parsed
		}
		bound, failed := op.bind(in)
		if failed != nil {
			if failed.status != http.StatusUnprocessableEntity || !json.Valid(failed.body()) {
				t.Fatalf("refused with %d %s", failed.status, failed.body())
			}
			return
		}
		checkFit(t, op, bound.variables)
	})
}

func checkFit(t *testing.T, op *operation, variables map[string]any) {
	t.Helper()
	definition := op.document.Operations[0]
	if definition.Operation == ast.Subscription {
		t.Fatal("a subscription")
	}
	if _, err := validator.VariableValues(op.schema, definition, variables); err != nil {
		t.Fatalf("%s refuses %v: %v", op.name, variables, err)
	}
}

// FuzzRequest: whatever comes in at the real routes, the answer is no fault and fits the document.
func FuzzRequest(f *testing.F) {
	handler, executor := newSampleServer(f)
	text, err := Document(executor.schema)
	document := loadDocument(f, text, err)
	for _, r := range routes {
		path := strings.NewReplacer("{id:", idA+"{", "{urlId:", idB+"{").Replace(r.pattern)
		path = regexp.MustCompile(`\{[^/]*\}`).ReplaceAllString(path, "")
		f.Add(strings.Fields(r.methods)[0], path, "page=2&ids[]="+idA, jsonType, []byte(`{"name":"a","urls":[{"id":"`+idA+`"}]}`))
		f.Add(strings.Fields(r.methods)[0], path, "status=new,ok&from=2026-01-01", formType,
			[]byte("name=a&urls[0][id]="+idA+"&group_ids[]="+idB))
	}
	f.Add("PUT", "/groups/%2F/urls//x", "a[b][=1", ";;", []byte{0xff, 0})
	f.Fuzz(func(t *testing.T, method, path, query, contentType string, body []byte) {
		r, err := http.NewRequest(method, "http://example.com"+BasePath+path+"?"+query, bytes.NewReader(body))
		if err != nil || !strings.HasPrefix(r.URL.EscapedPath(), BasePath+"/") || r.Method == "" {
			return
		}
		r.Header.Set("Authorization", "Bearer "+goodToken)
		r.Header["Content-Type"] = []string{contentType}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Fatalf("%s %s: %d %s", method, r.URL, w.Code, w.Body)
		}
		if method == http.MethodHead || r.URL.EscapedPath() == BasePath+"/openapi.yaml" || r.URL.EscapedPath() == BasePath+"/openapi.json" {
			return
		}
		if err := document.Check(method, r.URL.EscapedPath(), w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Fatal(err)
		}
	})
}
