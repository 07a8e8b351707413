package rest

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
)

func TestMistakesShowAtStart(t *testing.T) {
	read := `query Read($id: ID!) { data: shelf(id: $id) { id } }`
	for _, c := range []struct {
		name, file string
		routes     []route
		want       string
	}{
		{"syntax", "query {", nil, "bad.graphql:1"},
		{"an unknown field", `query Read($id: ID!) { data: shelf(id: $id) { colour } }`, nil, `Cannot query field "colour"`},
		{"an unused fragment", read + ` fragment F on Shelf { id }`, nil, `Fragment "F" is never used`},
		{"an unknown directive", `query Read($id: ID! @nope) { data: shelf(id: $id) { id } }`, nil, `Unknown directive "@nope"`},
		{"no operation", read, []route{{get, "/a/{id:Shelf}", "Nope", wrapped}}, `no stored operation "Nope"`},
		{"no route", read, []route{}, `operation Read has no route`},
		{"no such variable", read, []route{{get, "/a/{key:Shelf}", "Read", wrapped}}, `no variable or input field "key"`},
		{"routed twice", read, []route{{get, "/a/{id:Shelf}", "Read", wrapped}, {get, "/a/{id:Shelf}", "Read", bare}},
			`GET is routed twice`},
		{"a header of no Boolean", `query Read($id: ID! @header(name: "x-id")) { data: shelf(id: $id) { id } }`, nil, `must be a Boolean`},
		{"a name without snake case", `query Read($id_a: ID!) { data: shelf(id: $id_a) { id } }`, nil, `"id_a" has no spelling`},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := Config{Executor: &cannedExecutor{schema: loadTestSchema(t)}, Authenticate: newFixtureAuthenticator()}
			_, err := newServer(config, fstest.MapFS{"bad.graphql": {Data: []byte(c.file)}}, c.routes)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want it to tell %q", err, c.want)
			}
		})
	}
}

func TestConfigIsChecked(t *testing.T) {
	if _, err := New(Config{}); err == nil {
		t.Fatal("an empty configuration was taken")
	}
}

func TestOperationsHoldOnlyWhatTheyUse(t *testing.T) {
	operations, err := loadOperations(loadTestSchema(t), testOperations())
	if err != nil {
		t.Fatal(err)
	}
	if got := operations["ReadShelf"].document; len(got.Operations) != 1 || len(got.Fragments) != 1 {
		t.Errorf("ReadShelf has %d operations and %d fragments", len(got.Operations), len(got.Fragments))
	}
	if got := operations["DeleteShelf"].document; len(got.Fragments) != 0 {
		t.Errorf("DeleteShelf has %d fragments", len(got.Fragments))
	}
	for _, variable := range operations["ListShelves"].document.Operations[0].VariableDefinitions {
		if len(variable.Directives) != 0 {
			t.Errorf("%s keeps a directive that the executor does not know", variable.Variable)
		}
	}
}

func TestHeadersStandInForFields(t *testing.T) {
	fields := []headerField{{"x-domain", "domain"}}
	header := http.Header{"X-Domain": {"a.test\xff"}}
	for name, c := range map[string]struct {
		request request
		want    any
	}{
		"absent":              {request{header: header}, "a.test\uFFFD"},
		"null":                {request{header: header, body: values{"domain": nil}}, "a.test\uFFFD"},
		"empty":               {request{header: header, body: values{"domain": ""}}, "a.test\uFFFD"},
		"in the body":         {request{header: header, body: values{"domain": "b.test"}}, "b.test"},
		"in the query":        {request{header: header, query: values{"domain": "c.test"}}, "c.test"},
		"neither":             {request{}, nil},
		"an empty header":     {request{header: http.Header{"X-Domain": {""}}}, nil},
		"null without header": {request{body: values{"domain": nil}}, nil},
	} {
		got, _ := c.request.withHeaders(fields).lookup("domain")
		if got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	body := values{}
	request{header: header, body: body}.withHeaders(fields)
	if len(body) > 0 {
		t.Errorf("the request itself was changed: %v", body)
	}
}

func TestFieldNames(t *testing.T) {
	operations, err := loadOperations(loadTestSchema(t), testOperations())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ operation, path, want string }{
		{"CreateShelf", "hourOfDay", "hour_of_day"},
		{"CreateShelf", "input.hourOfDay", "hour_of_day"},
		{"CreateShelf", "labels.0.type", "labels.0.type"},
		{"RunShelves", "shelfIds.3", "group_ids.3"},
		{"RunShelves", "mode", "sc_type"},
		{"ListShelves", "filter.rooms", "rooms"},
		{"ListShelves", "rooms.0", "rooms.0"},
		{"ListShelves", "perPage", "per_page"},
	} {
		if got := operations[c.operation].fieldName(c.path); got != c.want {
			t.Errorf("%s: %s is %s, want %s", c.operation, c.path, got, c.want)
		}
	}
}
