package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

func TestWrappers(t *testing.T) {
	for _, c := range []struct {
		name, method, path, body, result string
		status                           int
		want                             string
	}{
		{"wrapped, query", "GET", "/shelves/" + idA, "", `{"data":{"id":"1","n":[{"a":"]}"}]}}`, 200,
			`{"data":{"id":"1","n":[{"a":"]}"}]}}`},
		{"wrapped, mutation", "POST", "/shelves", `{"name":"a"}`, `{"createShelf":{"data":{"id":"1"},"n":2,"m":[]}}`, 200,
			`{"data":{"id":"1"},"meta":{"n":2,"m":[]}}`},
		{"bare", "PUT", "/shelves/" + idA, `{}`, `{"updateShelf":{"data":{"id":"1"}}}`, 200, `{"id":"1"}`},
		{"payload", "POST", "/shelves/" + idA + "/books", `{"books":[]}`, `{"addBooks":{"count":0}}`, 200, `{"count":0}`},
		{"message", "DELETE", "/shelves/" + idA, "", `{"deleteShelf":{"deletedId":"x"}}`, 200, `{"message":"` + idA + ` deleted"}`},
		{"message ignores a body", "DELETE", "/shelves/" + idA, "not read", `{"deleteShelf":{"deletedId":"x"}}`, 200,
			`{"message":"` + idA + ` deleted"}`},
		{"no content", "DELETE", "/shelves/" + idA + "/books", "", `{"clearShelf":{"deletedId":"x"}}`, 204, ``},
		{"a slash at the end", "GET", "/shelves/" + idA + "/", "", `{"data":{"id":"1"}}`, 200, `{"data":{"id":"1"}}`},
		{"null is not found", "GET", "/shelves/" + idA, "", `{"data":null}`, 404,
			`{"message":"No query results for model [Shelf] ` + idA + `"}`},
		{"null under a payload", "PUT", "/shelves/" + idA, `{}`, `{"updateShelf":{"data":null}}`, 404,
			`{"message":"No query results for model [Shelf] ` + idA + `"}`},
		{"a null payload", "POST", "/shelves/" + idA + "/books", `{"books":[]}`, `{"addBooks":null}`, 404,
			`{"message":"No query results for model [Shelf] ` + idA + `"}`},
		{"a result that is no JSON", "GET", "/shelves/" + idA, "", `oops`, 500, `{"message":"Server Error"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, data(c.result))
			expect(t, f.json(c.method, "/api/v2"+c.path, c.body), c.status, c.want)
		})
	}
}

func TestRefusals(t *testing.T) {
	fields := func(list ...map[string]any) map[string]any { return map[string]any{"fields": list} }
	for _, c := range []struct {
		code, text string
		extensions map[string]any
		status     int
		want       string
	}{
		{codeUnauthenticated, "x", nil, 401, `{"message":"Unauthenticated."}`},
		{codeChecksExhausted, "The checks of your plan are used up.", nil, 402, `{"message":"The checks of your plan are used up."}`},
		{codeForbidden, "x", nil, 403, `{"message":"This action is unauthorized."}`},
		{codeActivateAccount, "x", nil, 403, `{"message":"ActivateAccount"}`},
		{codeNotFound, "x", map[string]any{"resource": "Book", "id": "7"}, 404, `{"message":"No query results for model [Book] 7"}`},
		{codeConflict, "It still holds books.", nil, 409, `{"message":"It still holds books."}`},
		{codeInvalid, "Nothing to do.", nil, 422, `{"message":"Nothing to do.","errors":{}}`},
		{codeInvalid, "No such trigger.", map[string]any{"reason": "trigger_not_enabled"}, 422,
			`{"message":"No such trigger.","reason":"trigger_not_enabled"}`},
		{codeInvalid, "x", fields(
			map[string]any{"path": "input.hourOfDay", "message": "The hourOfDay field must be between 0 and 23.",
				"template": "The {field} field must be between 0 and 23."},
			map[string]any{"path": "labels.0.type", "template": "The selected {field} is invalid."},
		), 422, `{"message":"The hour of day field must be between 0 and 23. (and 1 more errors)","errors":{"hour_of_day":["The hour of ` +
			`day field must be between 0 and 23."],"labels.0.type":["The selected labels.0.type is invalid."]}}`},
		{codeUnavailable, "The disk is full.", map[string]any{"reason": "DISK_FULL"}, 503, `{"message":"The disk is full."}`},
		{codeRateLimited, "Once an hour.", map[string]any{"retryAfter": 9}, 429, `{"message":"Once an hour."}`},
		{codeUnavailable, "x", nil, 503, `{"message":"Service Unavailable"}`},
		{"INTERNAL", "pq: secret", nil, 500, `{"message":"Server Error"}`},
		{"GRAPHQL_VALIDATION_FAILED", "secret", nil, 500, `{"message":"Server Error"}`},
		{codeInvalid, "secret", map[string]any{"fields": "not a list"}, 500, `{"message":"Server Error"}`},
	} {
		t.Run(c.code+" "+c.text, func(t *testing.T) {
			f := newFixture(t, refused(c.code, c.text, c.extensions))
			w := f.json("POST", "/api/v2/shelves", `{"name":"a"}`)
			expect(t, w, c.status, c.want)
			if w.Header().Get("X-Request-Id") != "request-1" {
				t.Error("no request id")
			}
			fault := c.status == 500 || c.status == 503
			if logged := strings.Contains(f.log.String(), "request_id=request-1"); logged != fault {
				t.Errorf("logged: %v, want %v: %s", logged, fault, f.log)
			}
		})
	}
}

// One failure is one line of the log: what the executor has logged bears the id under which it did.
func TestFaultsThatTheExecutorLoggedAreNotLoggedTwice(t *testing.T) {
	logged := map[string]any{"requestId": "request-1"}
	late := func(respond func(context.Context) *graphql.Response) func(context.Context) *graphql.Response {
		return func(ctx context.Context) *graphql.Response {
			<-ctx.Done()
			return respond(ctx)
		}
	}
	quickly := func(c *Config) { c.Timeout = time.Millisecond }
	for name, c := range map[string]struct {
		respond func(context.Context) *graphql.Response
		adjust  func(*Config)
		status  int
		lines   int
	}{
		"fault":                     {refused("INTERNAL", "Server Error", logged), func(*Config) {}, 500, 0},
		"database away":             {refused(codeUnavailable, "x", logged), func(*Config) {}, 503, 0},
		"too late":                  {late(refused(codeUnavailable, "x", logged)), quickly, 503, 0},
		"too late and not logged":   {late(refused(codeUnavailable, "x", nil)), quickly, 503, 1},
		"too late for any response": {late(func(context.Context) *graphql.Response { return nil }), quickly, 503, 1},
		"too late to authenticate": {nil, func(c *Config) {
			quickly(c)
			c.Authenticate = func(ctx context.Context, _ string) (context.Context, error) {
				<-ctx.Done()
				return nil, &gqlerror.Error{Extensions: map[string]any{"code": codeUnavailable, "requestId": "request-1"}}
			}
		}, 503, 0},
	} {
		f := newFixture(t, c.respond, c.adjust)
		if w := f.get("/api/v2/shelves"); w.Code != c.status {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if got := strings.Count(f.log.String(), "\n"); got != c.lines {
			t.Errorf("%s: %d lines, want %d: %s", name, got, c.lines, f.log)
		}
	}
}

func TestRateLimitHeader(t *testing.T) {
	f := newFixture(t, refused(codeRateLimited, "", map[string]any{"retryAfter": 9}))
	if got := f.get("/api/v2/shelves").Header().Get("Retry-After"); got != "9" {
		t.Fatalf("Retry-After is %q", got)
	}
}

func TestRequestsAreCountedBeforeTheyAreRead(t *testing.T) {
	left := 1
	f := newFixture(t, data(`{"data":{"nodes":[],"total":0}}`), func(c *Config) {
		c.Admit = func(_ context.Context, header http.Header) error {
			header.Set("X-RateLimit-Limit", "1")
			header.Set("X-RateLimit-Remaining", "0")
			if left--; left >= 0 {
				return nil
			}
			return &gqlerror.Error{Extensions: map[string]any{"code": codeRateLimited, "retryAfter": 30}}
		}
	})
	if w := f.get("/api/v2/shelves"); w.Code != 200 || w.Header().Get("X-RateLimit-Limit") != "1" ||
		w.Header().Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("the first: %d %v", w.Code, w.Header())
	}
	w := f.json("POST", "/api/v2/shelves", "{")
	expect(t, w, 429, `{"message":"Too Many Attempts."}`)
	if w.Header().Get("Retry-After") != "30" || w.Header().Get("X-RateLimit-Limit") != "1" {
		t.Errorf("the second: %v", w.Header())
	}
}

func TestTheWorstOfSeveralErrorsIsAnswered(t *testing.T) {
	f := newFixture(t, func(context.Context) *graphql.Response {
		one := refused(codeInvalid, "x", nil)(t.Context()).Errors
		two := refused(codeForbidden, "y", nil)(t.Context()).Errors
		return &graphql.Response{Errors: append(one, two...)}
	})
	expect(t, f.get("/api/v2/shelves"), 403, `{"message":"This action is unauthorized."}`)
}

func TestErrorPathsFollowTheOperation(t *testing.T) {
	f := newFixture(t, refused(codeInvalid, "x", map[string]any{"fields": []map[string]any{
		{"path": "shelfIds.1", "template": "The selected {field} is invalid."},
	}}))
	expect(t, f.json("POST", "/api/v2/shelves/run", `{"group_ids":"`+idA+`,`+idB+`","sc_type":"pre"}`), 422,
		`{"message":"The selected group ids.1 is invalid.","errors":{"group_ids.1":["The selected group ids.1 is invalid."]}}`)
}

func TestRouting(t *testing.T) {
	f := newFixture(t, data(`{"data":{"id":"1"}}`))
	for _, c := range []struct {
		method, path string
		status       int
		body, allow  string
	}{
		{"GET", "/api/v2/nope", 404, `{"message":"The route /api/v2/nope could not be found."}`, ""},
		{"GET", "/api/v2", 404, `{"message":"The route /api/v2 could not be found."}`, ""},
		{"GET", "/api/v2//shelves", 200, "", ""},
		{"GET", "/api/v2/shelves//books", 404, `{"message":"The route /api/v2/shelves//books could not be found."}`, ""},
		{"PUT", "/api/v2/shelves", 405,
			`{"message":"The PUT method is not supported for route /api/v2/shelves. Supported methods: GET, HEAD, POST."}`,
			"GET, HEAD, POST"},
		{"GET", "/api/v2/shelves/run", 405,
			`{"message":"The GET method is not supported for route /api/v2/shelves/run. Supported methods: POST."}`, "POST"},
		{"OPTIONS", "/api/v2/shelves/" + idA, 204, "", "DELETE, GET, HEAD, PATCH, PUT"},
		{"GET", "/api/v2/shelves/%2F", 404, `{"message":"No query results for model [Shelf] /"}`, ""},
		{"GET", "/api/v2/shelves/zzz", 404, `{"message":"No query results for model [Shelf] zzz"}`, ""},
		{"GET", "/api/v2/shelves/%00", 404, `{"message":"No query results for model [Shelf] \u0000"}`, ""},
	} {
		w := f.send(c.method, c.path, "", "")
		if c.status == 200 {
			continue
		}
		expect(t, w, c.status, c.body)
		if got := w.Header().Get("Allow"); got != c.allow {
			t.Errorf("%s %s: Allow is %q, want %q", c.method, c.path, got, c.allow)
		}
	}
	if f.send("HEAD", "/api/v2/shelves/"+idA, "", "").Code != 200 {
		t.Error("HEAD is not answered as GET")
	}
}

// Each request is told of once, by the operation that its route asks for, whatever comes of it.
func TestRequestsAreToldByTheirOperation(t *testing.T) {
	var told []string
	f := newFixture(t, data(`{"data":{"id":"`+idA+`"}}`), func(c *Config) {
		c.Observe = func(operation string, status int, _ time.Duration) {
			told = append(told, fmt.Sprint(operation, " ", status))
		}
	})
	for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST"} {
		f.send(method, "/api/v2/shelves/"+idA, "", "")
	}
	f.send("GET", "/api/v2/shelves/zzz", "", "")
	f.send("GET", "/api/v2/nope", "", "")
	want := []string{"ReadShelf 200", "ReadShelf 200", " 204", " 405", "ReadShelf 404", " 404"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

func TestAuthenticationComesBeforeReading(t *testing.T) {
	f := newFixture(t, data(`{}`))
	for _, header := range []string{"", "Bearer", "Bearer ", "Basic " + goodToken, "Bearer wrong", "Bearer " + strings.Repeat("a", 1000)} {
		w := f.send("POST", "/api/v2/shelves", jsonType, "{", func(r *http.Request) { r.Header.Set("Authorization", header) })
		expect(t, w, 401, `{"message":"Unauthenticated."}`)
		if w.Header().Get("WWW-Authenticate") != "Bearer" {
			t.Error("no WWW-Authenticate")
		}
	}
	w := f.send("GET", "/api/v2/shelves/zzz", "", "", func(r *http.Request) { r.Header.Del("Authorization") })
	expect(t, w, 401, `{"message":"Unauthenticated."}`)
	w = f.send("POST", "/api/v2/shelves", jsonType, "{", func(r *http.Request) { r.Header.Set("Authorization", "bearer  "+goodToken) })
	expect(t, w, 400, `{"message":"The request body is not valid JSON."}`)
}

func TestAuthenticatorFaults(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		body   string
	}{
		{errors.New("disk"), 500, `{"message":"Server Error"}`},
		{&gqlerror.Error{Extensions: map[string]any{"code": codeUnavailable}}, 503, `{"message":"Service Unavailable"}`},
		{&gqlerror.Error{Extensions: map[string]any{"code": codeActivateAccount}}, 403, `{"message":"ActivateAccount"}`},
	} {
		f := newFixture(t, data(`{}`), func(config *Config) {
			config.Authenticate = func(context.Context, string) (context.Context, error) { return nil, c.err }
		})
		expect(t, f.get("/api/v2/shelves"), c.status, c.body)
	}
}

func TestUnreadableRequests(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)
	for _, c := range []struct {
		name, contentType, body string
		status                  int
		want                    string
	}{
		{"not JSON", jsonType, `{"name":`, 400, `{"message":"The request body is not valid JSON."}`},
		{"data behind", jsonType, `{"name":"a"} x`, 400, `{"message":"The request body is not valid JSON."}`},
		{"two objects", jsonType, `{}{}`, 400, `{"message":"The request body is not valid JSON."}`},
		{"a list", jsonType, `[1]`, 400, `{"message":"The request body must be a JSON object."}`},
		{"a text", jsonType, `"a"`, 400, `{"message":"The request body must be a JSON object."}`},
		{"not a form", formType, `name=%zz`, 400, `{"message":"The request body is not valid application/x-www-form-urlencoded data."}`},
		{"too deep", jsonType, deep, 400, `{"message":"The request body must not be nested deeper than 32 levels."}`},
		{"a form too deep", formType, "a" + strings.Repeat("[b]", 40) + "=1", 400,
			`{"message":"The request body must not be nested deeper than 8 levels."}`},
		{"too large", jsonType, `{"name":"` + strings.Repeat("a", 600) + `"}`, 413,
			`{"message":"The request body must not be larger than 512 bytes."}`},
		{"a file", "multipart/form-data; boundary=x",
			"--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a\"\r\n\r\na\r\n--x--", 400,
			`{"message":"The request body must not contain files."}`},
		{"not in parts", "multipart/form-data; boundary=x", `name=a`, 400,
			`{"message":"The request body is not valid multipart/form-data."}`},
		{"another type", "application/xml", `<a/>`, 415,
			`{"message":"The content type must be application/json, application/x-www-form-urlencoded or multipart/form-data."}`},
		{"plain text", "text/plain", `{}`, 415,
			`{"message":"The content type must be application/json, application/x-www-form-urlencoded or multipart/form-data."}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, data(`{}`), func(config *Config) { config.MaxBody = 512 })
			expect(t, f.send("POST", "/api/v2/shelves", c.contentType, c.body), c.status, c.want)
		})
	}
	f := newFixture(t, data(`{}`))
	expect(t, f.get("/api/v2/shelves?a=%zz"), 400, `{"message":"The query is not valid application/x-www-form-urlencoded data."}`)
	expect(t, f.get("/api/v2/shelves?a="+strings.Repeat("a", maxQuery)), 414,
		`{"message":"The query must not be larger than 65536 bytes."}`)
	many := `{"name":"a","extra":[` + strings.Repeat("0,", maxValues) + `0]}`
	expect(t, f.json("POST", "/api/v2/shelves", many), 413, `{"message":"The request body must not contain more than 200000 values."}`)
	long := `{"name":"a","alert_emails":[` + strings.Repeat(`"a",`, maxItems) + `"a"]}`
	expect(t, f.json("POST", "/api/v2/shelves", long), 422,
		`{"message":"The alert emails field must not have more than 50000 items.","errors":{"alert_emails":["The alert emails field must `+
			`not have more than 50000 items."]}}`)
}

func TestPanicsAreFaults(t *testing.T) {
	f := newFixture(t, func(context.Context) *graphql.Response { panic("boom") })
	w := f.get("/api/v2/shelves")
	expect(t, w, 500, `{"message":"Server Error"}`)
	if !strings.Contains(f.log.String(), "boom") || !strings.Contains(f.log.String(), "request-1") {
		t.Errorf("the log does not tell: %s", f.log)
	}
}

func TestExecutionIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, func(ctx context.Context) *graphql.Response {
			<-ctx.Done()
			return nil
		}, func(config *Config) { config.Timeout = time.Second })
		expect(t, f.get("/api/v2/shelves"), 503, `{"message":"Service Unavailable"}`)
	})
}

func TestAuthenticationIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, data(`{}`), func(config *Config) {
			config.Timeout = time.Second
			config.Authenticate = func(ctx context.Context, _ string) (context.Context, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
		})
		expect(t, f.get("/api/v2/shelves"), 503, `{"message":"Service Unavailable"}`)
	})
}

func TestAClientThatLeftIsNoFault(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	f := newFixture(t, func(context.Context) *graphql.Response {
		leave()
		return nil
	})
	f.send("GET", "/api/v2/shelves", "", "", func(r *http.Request) { *r = *r.WithContext(ctx) })
	if f.log.Len() > 0 {
		t.Errorf("logged: %s", f.log)
	}
}

func TestHeaders(t *testing.T) {
	f := newFixture(t, data(`{"data":{"nodes":[],"total":0}}`))
	w := f.send("GET", "/api/v2/shelves", "", "", func(r *http.Request) {
		r.Header.Set("Accept", "text/html")
		r.Header.Set("X-Unknown", "1")
	})
	for name, want := range map[string]string{
		"Content-Type": "application/json; charset=utf-8", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		"X-Request-Id": "request-1", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
	} {
		if got := w.Header().Get(name); w.Code != 200 || got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
