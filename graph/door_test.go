package graph_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"afterimage/graph"
)

const whoami = "{ __typename }"

func TestNobodyIsHeardWithoutAToken(t *testing.T) {
	s := newSite(t)
	for name, header := range map[string]string{
		"none": "", "other scheme": "Basic Z29vZA==", "empty": "Bearer ", "short": "Bearer x", "no scheme": goodToken,
	} {
		t.Run(name, func(t *testing.T) {
			// The body is no GraphQL at all: whoever is not known learns nothing about it.
			r := s.request(strings.Repeat("[", 100))
			r.Header.Set("Authorization", header)
			if header == "" {
				r.Header.Del("Authorization")
			}
			a := s.do(r)
			if a.status != http.StatusUnauthorized || a.code() != "UNAUTHENTICATED" || a.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("status %d: %s", a.status, a.body)
			}
		})
	}
}

func TestEveryResponseNamesItsRequest(t *testing.T) {
	s := newSite(t, func(c *graph.Config) { c.NewRequestID = func() string { return "request-7" } })
	for name, r := range map[string]*http.Request{"good": s.request(encode(t, whoami, nil)), "bad": s.request("")} {
		if a := s.do(r); a.header.Get("X-Request-Id") != "request-7" {
			t.Errorf("%s: request id %q", name, a.header.Get("X-Request-Id"))
		}
	}
}

func TestADatabaseThatIsAwayIsNotTheClientsFault(t *testing.T) {
	s := newSite(t)
	s.keeper.leave()
	a := s.post(whoami, nil)
	if a.status != http.StatusServiceUnavailable || a.code() != "UNAVAILABLE" || a.header.Get("Retry-After") == "" {
		t.Errorf("status %d: %s", a.status, a.body)
	}
	if strings.Contains(a.body, "down") {
		t.Errorf("the answer tells the cause: %s", a.body)
	}
	if !strings.Contains(s.log.String(), "the database is down") {
		t.Errorf("the log does not tell the cause: %s", s.log)
	}
}

func TestFaultsAndPanicsShowNothing(t *testing.T) {
	s := newSite(t)
	for name, c := range map[string]struct{ query, cause string }{
		"fault": {"{ account { id } }", errNothing.Error()},
		"panic": {`mutation { createGroup(input: {name: "x"}) { group { id } } }`, "the doorkeeper has no transactions"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.post(c.query, nil)
			if a.code() != "INTERNAL" || a.Errors[0].Message != "Server Error" || strings.Contains(a.body, "doorkeeper") {
				t.Errorf("got %s", a.body)
			}
			id := a.Errors[0].Extensions.RequestID
			if id == "" || id != a.header.Get("X-Request-Id") || !strings.Contains(s.log.String(), id) ||
				!strings.Contains(s.log.String(), c.cause) {
				t.Errorf("the request %q is not in the log with its cause: %s", id, s.log)
			}
		})
	}
}

func TestAnOperationMayNotTakeForEver(t *testing.T) {
	s := newSite(t, func(c *graph.Config) { c.Timing.Operation = 20 * time.Millisecond })
	s.keeper.stuck = true
	a := s.post("{ account { id } }", nil)
	if a.code() != "UNAVAILABLE" || !strings.Contains(a.Errors[0].Message, "timed out") {
		t.Errorf("got %s", a.body)
	}
}

// browser keeps cookies, as browsers do.
type browser struct {
	*site
	http *http.Client
}

func newBrowser(s *site) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &browser{s, &http.Client{
		Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (b *browser) send(method, path, media, body string, header http.Header) (int, http.Header, string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	response, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	b.http.CloseIdleConnections()
	return response.StatusCode, response.Header, string(content)
}

func (b *browser) signIn() {
	b.t.Helper()
	status, header, body := b.send("POST", "/session", "application/json", `{"token":"`+goodToken+`"}`, nil)
	if status != http.StatusNoContent {
		b.t.Fatalf("signing in: status %d: %s", status, body)
	}
	cookie := header.Get("Set-Cookie")
	for _, part := range []string{"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"} {
		if !strings.Contains(cookie, part) {
			b.t.Errorf("the cookie %q lacks %s", cookie, part)
		}
	}
}

var ours = http.Header{"X-Afterimage-Client": {"test"}}

func (b *browser) query(header http.Header) int {
	b.t.Helper()
	status, _, _ := b.send("POST", "/graphql", "application/json", encode(b.t, whoami, nil), header)
	return status
}

// TestALinkSignsInOnce: its code is not the token, and worth nothing once it was used or has waited too long.
func TestALinkSignsInOnce(t *testing.T) {
	s := newSite(t)
	link, err := url.Parse(s.graph.SignInLink("http://example.com", goodToken, "/runs/7"))
	if err != nil {
		t.Fatal(err)
	}
	code := strings.TrimPrefix(link.Fragment, "code=")
	if link.Path != "/signin/" || link.Query().Get("next") != "/runs/7" || len(code) < 26 || strings.Contains(link.String(), goodToken) {
		t.Errorf("the link is %s", link)
	}
	first, second := newBrowser(s), newBrowser(s)
	use := func(b *browser, code string) int {
		status, _, _ := b.send("POST", "/session", "application/json", `{"code":"`+code+`"}`, nil)
		return status
	}
	if status := use(second, code+"x"); status != http.StatusUnauthorized {
		t.Errorf("another code: status %d", status)
	}
	if status := use(first, code); status != http.StatusNoContent || first.query(ours) != http.StatusOK {
		t.Errorf("the link: status %d", status)
	}
	if status := use(second, code); status != http.StatusUnauthorized || second.query(ours) != http.StatusUnauthorized {
		t.Errorf("the link again: status %d", status)
	}
	link, _ = url.Parse(s.graph.SignInLink("http://example.com", goodToken, "https://example.com/elsewhere"))
	if next := link.Query().Get("next"); next != "/" {
		t.Errorf("the link leads to %q", next)
	}
	s.clock.Advance(11 * time.Minute)
	if status := use(second, strings.TrimPrefix(link.Fragment, "code=")); status != http.StatusUnauthorized {
		t.Errorf("a link after eleven minutes: status %d", status)
	}
}

func TestASessionOpensAndCloses(t *testing.T) {
	b := newBrowser(newSite(t))
	page := func() string { _, _, body := b.send("GET", "/graphiql/", "", "", nil); return body }
	if page() != "sign in" {
		t.Error("the explorer is open to everybody")
	}
	b.signIn()
	if page() != "explorer" {
		t.Error("the explorer is closed to a signed-in user")
	}
	if status := b.query(ours); status != http.StatusOK {
		t.Errorf("with the session: status %d", status)
	}
	if status, _, _ := b.send("GET", "/graphql?query="+url.QueryEscape(whoami), "", "", ours); status != http.StatusOK {
		t.Errorf("GET with the session: status %d", status)
	}
	if status, _, _ := b.send("DELETE", "/session", "", "", nil); status != http.StatusForbidden {
		t.Errorf("signing out without the header: status %d", status)
	}
	if status, _, _ := b.send("DELETE", "/session", "", "", ours); status != http.StatusNoContent {
		t.Errorf("signing out: status %d", status)
	}
	if status := b.query(ours); status != http.StatusUnauthorized {
		t.Errorf("after signing out: status %d", status)
	}
}

func TestAPageOfAnotherOriginCannotUseASession(t *testing.T) {
	s := newSite(t)
	b := newBrowser(s)
	b.signIn()
	with := func(origin string) http.Header {
		return http.Header{"X-Afterimage-Client": {"test"}, "Origin": {origin}}
	}
	for name, c := range map[string]struct {
		header http.Header
		status int
	}{
		"without the header":  {nil, http.StatusForbidden},
		"another origin":      {with("https://evil.example.com"), http.StatusForbidden},
		"opaque origin":       {with("null"), http.StatusForbidden},
		"prefix of ours":      {with(s.url + ".evil.example.com"), http.StatusForbidden},
		"the server's own":    {with(s.url), http.StatusOK},
		"a configured origin": {with("https://app.example.com"), http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			if status := b.query(c.header); status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
		})
	}
	t.Run("signing in", func(t *testing.T) {
		status, _, _ := newBrowser(s).send("POST", "/session", "application/json", `{"token":"`+goodToken+`"}`,
			http.Header{"Origin": {"https://evil.example.com"}})
		if status != http.StatusForbidden {
			t.Errorf("status %d", status)
		}
	})
}

func TestSessionsEnd(t *testing.T) {
	s := newSite(t)
	b := newBrowser(s)
	b.signIn()
	s.clock.Advance(12*time.Hour - time.Second)
	if status := b.query(ours); status != http.StatusOK {
		t.Errorf("just before the end: status %d", status)
	}
	s.clock.Advance(time.Second)
	if status := b.query(ours); status != http.StatusUnauthorized {
		t.Errorf("after the end: status %d", status)
	}
	b.signIn()
	s.keeper.revoke()
	if status := b.query(ours); status != http.StatusUnauthorized {
		t.Errorf("with a revoked token: status %d", status)
	}
}

func TestSigningInByAPlainForm(t *testing.T) {
	s := newSite(t)
	for next, want := range map[string]string{
		"": "/", "/graphiql/?query=x": "/graphiql/?query=x", "//evil.example.com": "/",
		"https://evil.example.com/": "/", `/\evil.example.com`: "/", "/\t/evil.example.com": "/",
	} {
		form := url.Values{"token": {goodToken}, "next": {next}}.Encode()
		status, header, body := newBrowser(s).send("POST", "/session", "application/x-www-form-urlencoded", form, nil)
		if status != http.StatusSeeOther || header.Get("Location") != want {
			t.Errorf("next %q: status %d, location %q, want %q: %s", next, status, header.Get("Location"), want, body)
		}
	}
}

func TestSignInsThatCannotBe(t *testing.T) {
	s := newSite(t)
	for name, c := range map[string]struct {
		media, body string
		status      int
	}{
		"wrong token":  {"application/json", `{"token":"x"}`, http.StatusUnauthorized},
		"no token":     {"application/json", `{}`, http.StatusUnauthorized},
		"no JSON":      {"application/json", `token`, http.StatusBadRequest},
		"long":         {"application/json", `{"token":"` + strings.Repeat("x", 1<<20) + `"}`, http.StatusBadRequest},
		"other medium": {"text/plain", goodToken, http.StatusBadRequest},
		"bad form":     {"application/x-www-form-urlencoded", "token=%zz", http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			status, header, body := newBrowser(s).send("POST", "/session", c.media, c.body, nil)
			if status != c.status || header.Get("Set-Cookie") != "" {
				t.Errorf("status %d, want %d, cookie %q: %s", status, c.status, header.Get("Set-Cookie"), body)
			}
		})
	}
	status, header, _ := newBrowser(s).send("GET", "/session", "", "", nil)
	if status != http.StatusMethodNotAllowed || header.Get("Allow") != "POST, DELETE" {
		t.Errorf("GET: status %d, Allow %q", status, header.Get("Allow"))
	}
}

func TestConfiguredOriginsMayReadAnswers(t *testing.T) {
	s := newSite(t)
	preflight := func(origin string) http.Header {
		status, header, _ := newBrowser(s).send("OPTIONS", "/graphql", "", "", http.Header{
			"Origin": {origin}, "Access-Control-Request-Method": {"POST"}, "Access-Control-Request-Headers": {"authorization"},
		})
		if status != http.StatusNoContent {
			t.Errorf("status %d", status)
		}
		return header
	}
	allowed := preflight("https://app.example.com")
	if allowed.Get("Access-Control-Allow-Origin") != "https://app.example.com" ||
		!strings.Contains(allowed.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("a configured origin: %v", allowed)
	}
	if allowed.Get("Access-Control-Allow-Credentials") != "" {
		t.Error("cookies of another origin are let in")
	}
	if refused := preflight("https://evil.example.com"); refused.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("another origin: %v", refused)
	}
}

func TestConfigurationsThatCannotWork(t *testing.T) {
	service := newSite(t).service()
	for name, c := range map[string]graph.Config{
		"no service":  {BaseURL: "https://afterimage.example.com"},
		"no address":  {Service: service},
		"no scheme":   {Service: service, BaseURL: "afterimage.example.com"},
		"origin path": {Service: service, BaseURL: "https://a.example.com", Origins: []string{"https://b.example.com/app"}},
		"any origin":  {Service: service, BaseURL: "https://a.example.com", Origins: []string{"*"}},
	} {
		if _, err := graph.New(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
