package rest

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const jsonType, formType = "application/json", "application/x-www-form-urlencoded"

// object keeps the tables below short.
type object = map[string]any

func TestBodiesBecomeVariables(t *testing.T) {
	for _, c := range []struct {
		name, contentType, body string
		want                    object // the variable "input"
	}{
		{"absent stays absent", jsonType, `{"name":"a"}`, object{"name": "a"}},
		{"null stays null", jsonType, `{"name":"a","hour_of_day":null}`, object{"name": "a", "hourOfDay": nil}},
		{"null where null cannot be takes the default", jsonType, `{"name":"a","open":null}`, object{"name": "a"}},
		{"an empty text means null", jsonType, `{"name":"a","hour_of_day":"","secret":" "}`, object{"name": "a", "hourOfDay": nil,
			"secret": nil}},
		{"an empty password stays empty", jsonType, `{"name":"a","basic_auth_password":""}`, object{"name": "a", "basicAuthPassword": ""}},
		{"an empty password in a form stays empty", formType, `name=a&basic_auth_password=`, object{"name": "a", "basicAuthPassword": ""}},
		{"unknown fields are ignored", jsonType, `{"name":"a","nope":1,"hourOfDay":3}`, object{"name": "a"}},
		{"of equal keys the last wins", jsonType, `{"name":"a","name":"b"}`, object{"name": "b"}},
		{"of equal names the last wins", formType, `name=a&name=b`, object{"name": "b"}},
		{"true by number", jsonType, `{"name":"a","open":1}`, object{"name": "a", "open": true}},
		{"false by text", jsonType, `{"name":"a","open":"0"}`, object{"name": "a", "open": false}},
		{"true by word", jsonType, `{"name":"a","open":"true"}`, object{"name": "a", "open": true}},
		{"false in a form", formType, `name=a&open=0`, object{"name": "a", "open": false}},
		{"numbers by text", jsonType, `{"name":"a","hour_of_day":"7","width_in_m":"0.25"}`, object{"name": "a", "hourOfDay": int64(7),
			"widthInM": 0.25}},
		{"whole numbers with a fraction", jsonType, `{"name":"a","hour_of_day":7.0,"width_in_m":3}`,
			object{"name": "a", "hourOfDay": int64(7), "widthInM": 3.0}},
		{"a number for a text", jsonType, `{"name":12.50}`, object{"name": "12.50"}},
		{"enums in lower case", jsonType, `{"name":"a","color":"dark_red"}`, object{"name": "a", "color": "DARK_RED"}},
		{"a list", jsonType, `{"name":"a","alert_emails":["x@example.com","y@example.com"]}`,
			object{"name": "a", "alertEmails": []any{"x@example.com", "y@example.com"}}},
		{"a list by commas", jsonType, `{"name":"a","alert_emails":"x@example.com, y@example.com,"}`,
			object{"name": "a", "alertEmails": []any{"x@example.com", "y@example.com"}}},
		{"a list by brackets", formType, `name=a&alert_emails[]=x@example.com&alert_emails[]=y@example.com`,
			object{"name": "a", "alertEmails": []any{"x@example.com", "y@example.com"}}},
		{"a list by indices, in their order", formType, `name=a&alert_emails[10]=y&alert_emails[9]=x`,
			object{"name": "a", "alertEmails": []any{"x", "y"}}},
		{"a list that PHP has filtered", jsonType, `{"name":"a","alert_emails":{"0":"x","2":"z"}}`,
			object{"name": "a", "alertEmails": []any{"x", "z"}}},
		{"an empty list in a form", formType, `name=a&alert_emails[]=`, object{"name": "a", "alertEmails": []any{}}},
		{"an empty list", jsonType, `{"name":"a","alert_emails":[]}`, object{"name": "a", "alertEmails": []any{}}},
		{"a single item for a list", jsonType, `{"name":"a","schedule_days":3}`, object{"name": "a", "scheduleDays": []any{int64(3)}}},
		{"scalars of their own", jsonType, `{"name":"a","schedule_days":[1,"last"]}`,
			object{"name": "a", "scheduleDays": []any{int64(1), "last"}}},
		{"free data", jsonType, `{"name":"a","extra":{"aB":[1,2.5,null,true,"x"]}}`,
			object{"name": "a", "extra": object{"aB": []any{int64(1), 2.5, nil, true, "x"}}}},
		{"nested objects", jsonType, `{"name":"a","size":{"height_cm":"3"}}`, object{"name": "a", "size": object{"heightCm": int64(3)}}},
		{"nested lists in a form", formType, `name=a&labels[0][type]=pre&labels[1][type]=post&labels[1][text]=b`,
			object{"name": "a", "labels": []any{object{"type": "PRE"}, object{"type": "POST", "text": "b"}}}},
		{"encoded brackets", formType, `name=a&labels%5B0%5D%5Btype%5D=pre`, object{"name": "a", "labels": []any{object{"type": "PRE"}}}},
		{"no content type", "", `{"name":"a"}`, object{"name": "a"}},
		{"no content type, a form", "", `name=a%20b+c`, object{"name": "a b c"}},
		{"content type with parameters", "application/json; charset=UTF-8", `{"name":"a"}`, object{"name": "a"}},
		{"a vendor's JSON", "application/vnd.api+json", `{"name":"a"}`, object{"name": "a"}},
		{"a byte order mark", jsonType, "\xef\xbb\xbf{\"name\":\"a\"}", object{"name": "a"}},
		{"bytes that are not UTF-8", formType, "name=%ff", object{"name": "\uFFFD"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, data(`{"createShelf":{"data":{"id":"1"}}}`))
			w := f.send("POST", "/api/v2/shelves", c.contentType, c.body)
			if w.Code != http.StatusOK {
				t.Fatalf("got %d %s", w.Code, w.Body)
			}
			if diff := cmp.Diff(object{"input": c.want}, f.executor.variables); diff != "" {
				t.Fatalf("variables (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBodiesThatDoNotFit(t *testing.T) {
	for _, c := range []struct{ name, contentType, body, want string }{
		{"missing", jsonType, `{}`, `{"message":"The name field is required.","errors":{"name":["The name field is required."]}}`},
		{"null", jsonType, `{"name":null}`, `{"message":"The name field is required.","errors":{"name":["The name field is required."]}}`},
		{"empty", formType, `name=`, `{"message":"The name field is required.","errors":{"name":["The name field is required."]}}`},
		{"PHP's empty object", jsonType, `[]`,
			`{"message":"The name field is required.","errors":{"name":["The name field is required."]}}`},
		{"no body", jsonType, ``, `{"message":"The name field is required.","errors":{"name":["The name field is required."]}}`},
		{"several", jsonType, `{"open":"maybe","hour_of_day":"7.5","color":"pink"}`,
			`{"message":"The name field is required. (and 3 more errors)","errors":{"name":["The name field is required."],"open":["The ` +
				`open field must be true or false."],"hour_of_day":["The hour of day field must be an integer."],"color":["The selected ` +
				`color is invalid."]}}`},
		{"integer too large", jsonType, `{"name":"a","hour_of_day":3000000000}`,
			`{"message":"The hour of day field must be an integer.","errors":{"hour_of_day":["The hour of day field must be an ` +
				`integer."]}}`},
		{"not a number", formType, `name=a&width_in_m=NaN`,
			`{"message":"The width in m field must be a number.","errors":{"width_in_m":["The width in m field must be a number."]}}`},
		{"number out of range", jsonType, `{"name":"a","width_in_m":1e999}`,
			`{"message":"The width in m field must be a number.","errors":{"width_in_m":["The width in m field must be a number."]}}`},
		{"an object for a text", jsonType, `{"name":{"a":1}}`,
			`{"message":"The name field must be a string.","errors":{"name":["The name field must be a string."]}}`},
		{"a boolean for a text", jsonType, `{"name":true}`,
			`{"message":"The name field must be a string.","errors":{"name":["The name field must be a string."]}}`},
		{"NUL in a text", jsonType, `{"name":"a\u0000b"}`,
			`{"message":"The name field must not contain NUL characters.","errors":{"name":["The name field must not contain NUL ` +
				`characters."]}}`},
		{"NUL in a form", formType, `name=a%00b`,
			`{"message":"The name field must not contain NUL characters.","errors":{"name":["The name field must not contain NUL ` +
				`characters."]}}`},
		{"NUL in free data", jsonType, `{"name":"a","extra":[{"b":"\u0000"}]}`,
			`{"message":"The extra field must not contain NUL characters.","errors":{"extra":["The extra field must not contain NUL ` +
				`characters."]}}`},
		{"a text for a list of objects", jsonType, `{"name":"a","labels":"pre"}`,
			`{"message":"The labels field must be an array.","errors":{"labels":["The labels field must be an array."]}}`},
		{"a text for an object", jsonType, `{"name":"a","size":"big"}`,
			`{"message":"The size field must be an object.","errors":{"size":["The size field must be an object."]}}`},
		{"nested fields are dotted", jsonType, `{"name":"a","size":[],"labels":[{"type":"pre"},{"type":"x"},{}]}`,
			`{"message":"The selected labels.1.type is invalid. (and 2 more errors)","errors":{"labels.1.type":["The selected ` +
				`labels.1.type is invalid."],"labels.2.type":["The labels.2.type field is required."],"size.height_cm":["The size.height ` +
				`cm field is required."]}}`},
		{"indices as sent", formType, `name=a&labels[5][type]=x`,
			`{"message":"The selected labels.5.type is invalid.","errors":{"labels.5.type":["The selected labels.5.type is invalid."]}}`},
		{"null in a list", jsonType, `{"name":"a","alert_emails":["x",null]}`,
			`{"message":"The alert emails.1 field is required.","errors":{"alert_emails.1":["The alert emails.1 field is required."]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, data(`{}`))
			expect(t, f.send("POST", "/api/v2/shelves", c.contentType, c.body), http.StatusUnprocessableEntity, c.want)
			if f.executor.calls != 0 {
				t.Fatal("the operation ran in spite of it")
			}
		})
	}
}

func TestIDsInBodiesAreValidated(t *testing.T) {
	f := newFixture(t, data(`{"addBooks":{"count":1}}`))
	target := "/api/v2/shelves/" + idA + "/books"
	expect(t, f.json("POST", target, `{"books":[{"id":"`+idB+`"},{"id":"x"}]}`), http.StatusUnprocessableEntity,
		`{"message":"The books.1.id field must be a valid UUID.","errors":{"books.1.id":["The books.1.id field must be a valid UUID."]}}`)
	expect(t, f.json("PUT", target, `{"shelf_id":"ignored","books":[{"id":"`+idB+`","front":"1"}]}`), http.StatusOK, `{"count":1}`)
	want := object{"input": object{"shelfId": idA, "books": []any{object{"id": idB, "front": true}}}}
	if diff := cmp.Diff(want, f.executor.variables); diff != "" {
		t.Fatalf("variables (-want +got):\n%s", diff)
	}
}

func TestPutAndPatchAreTheSame(t *testing.T) {
	for _, method := range []string{"PUT", "PATCH"} {
		f := newFixture(t, data(`{"updateShelf":{"data":{"id":"1"}}}`))
		expect(t, f.json(method, "/api/v2/shelves/"+idA, `{"name":"b"}`), http.StatusOK, `{"id":"1"}`)
		want := object{"id": idA, "input": object{"name": "b"}}
		if diff := cmp.Diff(want, f.executor.variables); diff != "" {
			t.Fatalf("%s: variables (-want +got):\n%s", method, diff)
		}
	}
}

func TestTheBodySpeaksBeforeTheQuery(t *testing.T) {
	f := newFixture(t, data(`{"createShelf":{"data":{}}}`))
	f.json("POST", "/api/v2/shelves?name=q&hour_of_day=3", `{"name":"b"}`)
	want := object{"input": object{"name": "b", "hourOfDay": int64(3)}}
	if diff := cmp.Diff(want, f.executor.variables); diff != "" {
		t.Fatalf("variables (-want +got):\n%s", diff)
	}
}

func TestRenamedVariables(t *testing.T) {
	f := newFixture(t, data(`{"runShelves":{"data":{"id":"7"}}}`))
	expect(t, f.form("POST", "/api/v2/shelves/run", `group_ids[]=`+idA+`&sc_type=comparison`), http.StatusCreated, `{"id":"7"}`)
	expect(t, f.form("POST", "/api/v2/shelves/run", `group_ids[]=z`), http.StatusUnprocessableEntity,
		`{"message":"The group ids.0 field must be a valid UUID. (and 1 more errors)","errors":{"group_ids.0":["The group ids.0 field `+
			`must be a valid UUID."],"sc_type":["The sc type field is required."]}}`)
}

func TestQueriesBecomeVariables(t *testing.T) {
	for _, c := range []struct {
		name, query string
		want        object // beside page and perPage
	}{
		{"none", ``, object{}},
		{"unknown filters are ignored", `nope=1&x[y][z]=2`, object{}},
		{"empty filters are no filters", `open=&ids=&ids[]=&search=&from=`, object{}},
		{"commas", `colors=blue,dark_red`, object{"colors": []any{"BLUE", "DARK_RED"}}},
		{"brackets", `colors[]=blue&colors[]=dark_red`, object{"colors": []any{"BLUE", "DARK_RED"}}},
		{"indices", `colors[0]=blue&colors[1]=dark_red`, object{"colors": []any{"BLUE", "DARK_RED"}}},
		{"a boolean by number", `open=1`, object{"open": true}},
		{"a boolean by word, as Python writes it", `open=False`, object{"open": false}},
		{"ids", `ids=` + idA + `,` + idB, object{"ids": []any{idA, idB}}},
		{"a malformed id matches nothing", `ids=zzz`, object{"ids": []any{noID}}},
		{"a malformed id among others", `ids=zzz,` + idA, object{"ids": []any{noID, idA}}},
		{"other names", `room_id=` + idA, object{"rooms": []any{idA}}},
		{"the first name counts", `rooms=` + idB + `&room=` + idA, object{"rooms": []any{idB}}},
		{"a date", `from=2026-02-28`, object{"from": "2026-02-28"}},
		{"a moment for a date", `from=2026-02-28+10:11:12`, object{"from": "2026-02-28T10:11:12Z"}},
		{"text", `search=a%26b`, object{"search": "a&b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, data(`{"data":{"nodes":[],"total":0}}`))
			w := f.get("/api/v2/shelves?" + c.query)
			if w.Code != http.StatusOK {
				t.Fatalf("got %d %s", w.Code, w.Body)
			}
			c.want["page"], c.want["perPage"] = int64(1), int64(15)
			if diff := cmp.Diff(c.want, f.executor.variables); diff != "" {
				t.Fatalf("variables (-want +got):\n%s", diff)
			}
		})
	}
}

func TestQueriesThatDoNotFit(t *testing.T) {
	for query, want := range map[string]string{
		`colors=blue,pink`: `{"message":"The selected colors is invalid.","errors":{"colors":["The selected colors is invalid."]}}`,
		`colors[]=pink`:    `{"message":"The selected colors.0 is invalid.","errors":{"colors.0":["The selected colors.0 is invalid."]}}`,
		`from=2026-02-30`:  `{"message":"The from field must be a valid date.","errors":{"from":["The from field must be a valid date."]}}`,
		`open=perhaps`: `{"message":"The open field must be true or false.","errors":{"open":["The open field must be true or ` +
			`false."]}}`,
		`search=%00`: `{"message":"The search field must not contain NUL characters.","errors":{"search":["The search field must ` +
			`not contain NUL characters."]}}`,
	} {
		f := newFixture(t, data(`{}`))
		expect(t, f.get("/api/v2/shelves?"+query), http.StatusUnprocessableEntity, want)
	}
}

func TestPagingIsNeverRefused(t *testing.T) {
	for query, want := range map[string][2]int64{
		``:                                {1, 15},
		`page=3&per_page=50`:              {3, 50},
		`per_page=1000`:                   {1, 100},
		`page=0&per_page=0`:               {1, 15},
		`page=-2&per_page=-1`:             {1, 15},
		`page=abc&per_page=x`:             {1, 15},
		`page[]=2&per_page[a]=3`:          {1, 15},
		`page=1e300&per_page=1e300`:       {1_000_000, 100},
		`page=2.9&per_page=10.0`:          {2, 10},
		`page=99999999999999999999999999`: {1_000_000, 15},
	} {
		f := newFixture(t, data(`{"data":{"nodes":[],"total":0}}`))
		f.get("/api/v2/shelves?" + query)
		got := [2]int64{f.executor.variables["page"].(int64), f.executor.variables["perPage"].(int64)}
		if got != want {
			t.Errorf("%s: page and size are %v, want %v", query, got, want)
		}
	}
}
