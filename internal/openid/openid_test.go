package openid_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"afterimage/internal/egress"
	"afterimage/internal/openid"
	"afterimage/internal/openid/openidtest"
)

const redirect = "http://localhost:8080/people/oidc"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newClient is a client of the provider, which change may configure in another way.
func newClient(t *testing.T, p *openidtest.Provider, change func(*openid.Config)) *openid.Client {
	t.Helper()
	policy, err := egress.NewPolicy(openid.HostOf(p.Issuer), openid.HostOf(p.OtherIssuer))
	must(t, err)
	config := openid.Config{Issuer: p.Issuer, ClientID: openidtest.ClientID, ClientSecret: openidtest.ClientSecret,
		Redirect: redirect, Policy: policy}
	if change != nil {
		change(&config)
	}
	client, err := openid.New(config)
	must(t, err)
	return client
}

// attempt is one attempt to sign in, of somebody who has come back from the provider.
type attempt struct {
	kept         openid.Started
	code, issuer string
}

func begin(t *testing.T, p *openidtest.Provider, client *openid.Client, name string) attempt {
	t.Helper()
	kept := openid.NewStarted()
	address, err := client.Begin(t.Context(), "a state", kept)
	must(t, err)
	back := p.SignIn(t, address, name)
	if back.Get("state") != "a state" {
		t.Fatalf("the provider sends back %v", back)
	}
	return attempt{kept, back.Get("code"), back.Get("iss")}
}

func (a attempt) finish(t *testing.T, client *openid.Client) (*openid.Identity, error) {
	t.Helper()
	return client.Finish(t.Context(), a.kept, a.code, a.issuer)
}

// tokenOf is the ID token that the provider issues to whoever signs in now.
func tokenOf(t *testing.T, p *openidtest.Provider, client *openid.Client) string {
	t.Helper()
	var token string
	p.Change(func(path string, answer []byte) []byte {
		var fields struct {
			Token string `json:"id_token"`
		}
		if path == "/token" && json.Unmarshal(answer, &fields) == nil {
			token = fields.Token
		}
		return answer
	})
	_, err := begin(t, p, client, "grace@example.com").finish(t, client)
	must(t, err)
	p.Change(nil)
	return token
}

// issue makes the provider answer with this ID token instead of its own.
func issue(p *openidtest.Provider, token string) {
	p.Change(func(path string, answer []byte) []byte {
		fields := map[string]any{}
		if path != "/token" || json.Unmarshal(answer, &fields) != nil {
			return answer
		}
		fields["id_token"] = token
		changed, _ := json.Marshal(fields)
		return changed
	})
}

func TestWhoSignsIn(t *testing.T) {
	p := openidtest.Start(t, redirect)
	client := newClient(t, p, nil)
	who, err := begin(t, p, client, "17 grace@example.com").finish(t, client)
	must(t, err)
	want := openid.Identity{Issuer: p.Issuer, Subject: "17 grace@example.com", Email: "grace@example.com",
		Name: "Who is 17 grace@example.com"}
	if *who != want {
		t.Errorf("got %+v, want %+v", *who, want)
	}
	who, err = begin(t, p, client, "grace").finish(t, client)
	must(t, err)
	if who.Email != "" || who.Subject != "grace" {
		t.Errorf("somebody without an address is %+v", *who)
	}
	public := newClient(t, p, func(c *openid.Config) { c.ClientSecret = "" })
	if _, err := begin(t, p, public, "grace").finish(t, public); !errors.Is(err, openid.ErrUnavailable) {
		t.Errorf("without its secret the client gets %v", err)
	}
}

// TestTokensThatAreRefused replaces the ID token by genuine ones of the same key that mean something else.
func TestTokensThatAreRefused(t *testing.T) {
	p := openidtest.Start(t, redirect)
	client := newClient(t, p, nil)
	earlier := tokenOf(t, p, client)
	byOther := tokenOf(t, p, newClient(t, p, func(c *openid.Config) { c.Issuer = p.OtherIssuer }))
	forOther := tokenOf(t, p, newClient(t, p, func(c *openid.Config) {
		c.ClientID, c.ClientSecret = openidtest.OtherClient, openidtest.OtherSecret
	}))
	parts := strings.Split(earlier, ".")
	for name, c := range map[string]struct{ token, why string }{
		"nonce":     {earlier, "nonce"},
		"issuer":    {byOther, "issued by a different provider"},
		"audience":  {forOther, "expected audience"},
		"unsigned":  {"eyJhbGciOiJub25lIn0." + parts[1] + ".", "unexpected signature algorithm"},
		"signature": {parts[0] + "." + strings.Split(forOther, ".")[1] + "." + parts[2], "signature"},
		"none":      {"", "malformed jwt"},
	} {
		waiting := begin(t, p, client, "grace@example.com")
		issue(p, c.token)
		_, err := waiting.finish(t, client)
		p.Change(nil)
		if !errors.Is(err, openid.ErrRefused) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: got %v, want a refusal because of %q", name, err, c.why)
		}
	}
	late := newClient(t, p, func(c *openid.Config) {
		c.Now = func() time.Time { return time.Now().Add(2 * time.Minute) } // tokens live one
	})
	_, err := begin(t, p, late, "grace").finish(t, late)
	if !errors.Is(err, openid.ErrRefused) || !strings.Contains(err.Error(), "expired") {
		t.Errorf("an expired token: %v", err)
	}
}

func TestCodesThatAreRefused(t *testing.T) {
	p := openidtest.Start(t, redirect)
	client := newClient(t, p, nil)
	stolen := begin(t, p, client, "grace@example.com")
	stolen.kept = openid.NewStarted() // the thief has the code, but not what the browser's attempt was bound to
	if _, err := stolen.finish(t, client); !errors.Is(err, openid.ErrRefused) {
		t.Errorf("a stolen code: %v", err)
	}
	used := begin(t, p, client, "grace@example.com")
	_, err := used.finish(t, client)
	must(t, err)
	if _, err := used.finish(t, client); !errors.Is(err, openid.ErrRefused) {
		t.Errorf("a code that was used: %v", err)
	}
	for _, issuer := range []string{p.OtherIssuer, ""} { // the provider names itself always
		mixed := begin(t, p, client, "grace@example.com")
		mixed.issuer = issuer
		if _, err := mixed.finish(t, client); !errors.Is(err, openid.ErrRefused) {
			t.Errorf("sent back by %q: %v", issuer, err)
		}
	}
}

func TestKeysAreReplaced(t *testing.T) {
	p := openidtest.Start(t, redirect)
	client := newClient(t, p, nil)
	before := tokenOf(t, p, client)
	p.Rotate(t)
	_, err := begin(t, p, client, "grace@example.com").finish(t, client)
	must(t, err)
	waiting := begin(t, p, client, "grace@example.com")
	issue(p, before)
	if _, err := waiting.finish(t, client); !errors.Is(err, openid.ErrRefused) || !strings.Contains(err.Error(), "signature") {
		t.Errorf("a token of the old key: %v", err)
	}
}

func TestAProviderThatIsDown(t *testing.T) {
	p := openidtest.Start(t, redirect)
	client := newClient(t, p, nil)
	p.SetDown(true)
	if _, err := client.Begin(t.Context(), "a state", openid.NewStarted()); !errors.Is(err, openid.ErrUnavailable) {
		t.Errorf("down before the first question: %v", err)
	}
	p.SetDown(false)
	waiting := begin(t, p, client, "grace@example.com")
	p.SetDown(true)
	if _, err := waiting.finish(t, client); !errors.Is(err, openid.ErrUnavailable) {
		t.Errorf("down when the code is traded: %v", err)
	}
	p.SetDown(false)
	_, err := begin(t, p, client, "grace@example.com").finish(t, client)
	must(t, err)
}

// TestWhatAProviderMustTell gives the client descriptions that it must not follow.
func TestWhatAProviderMustTell(t *testing.T) {
	p := openidtest.Start(t, redirect)
	for name, change := range map[string]func(map[string]any){
		"another issuer":      func(d map[string]any) { d["issuer"] = p.OtherIssuer },
		"a plain token URL":   func(d map[string]any) { d["token_endpoint"] = "http://login.example.com/token" },
		"a script":            func(d map[string]any) { d["authorization_endpoint"] = "javascript:alert(1)" },
		"keys from elsewhere": func(d map[string]any) { d["jwks_uri"] = "http://login.example.com/keys" },
	} {
		p.Change(func(_ string, answer []byte) []byte {
			description := map[string]any{}
			must(t, json.Unmarshal(answer, &description))
			change(description)
			changed, err := json.Marshal(description)
			must(t, err)
			return changed
		})
		if _, err := newClient(t, p, nil).Begin(t.Context(), "a state", openid.NewStarted()); !errors.Is(err, openid.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.Change(func(string, []byte) []byte { return []byte("<html>") })
	if _, err := newClient(t, p, nil).Begin(t.Context(), "a state", openid.NewStarted()); !errors.Is(err, openid.ErrUnavailable) {
		t.Errorf("HTML: %v", err)
	}
	closed := newClient(t, p, func(c *openid.Config) { c.Policy = nil }) // which allows nothing on loopback
	if _, err := closed.Begin(t.Context(), "a state", openid.NewStarted()); !strings.Contains(err.Error(), "refused: address is loopback") {
		t.Errorf("an address that the operator did not give: %v", err)
	}
}

func TestIssuers(t *testing.T) {
	t.Parallel()
	for issuer, allowed := range map[string]bool{
		"https://login.example.com": true, "https://login.example.com/realms/a": true, "http://localhost:8080": true,
		"http://127.0.0.1": true, "http://[::1]:80": true, "http://login.example.com": false, "login.example.com": false, "": false,
		"https://": false, "https://a@login.example.com": false, "https://login.example.com?a": false, "https://login.example.com#a": false,
		"ftp://localhost": false, "http://localhost.example.com": false,
	} {
		if _, err := openid.New(openid.Config{Issuer: issuer, ClientID: "a"}); (err == nil) != allowed {
			t.Errorf("%q: %v", issuer, err)
		}
	}
	if _, err := openid.New(openid.Config{Issuer: "https://login.example.com"}); err == nil {
		t.Error("no client id is needed")
	}
	for issuer, want := range map[string]string{
		"https://login.example.com/a": "login.example.com:443", "http://localhost": "localhost:80", "https://[::1]:8": "[::1]:8",
	} {
		if got := openid.HostOf(issuer); got != want {
			t.Errorf("%s: %s, want %s", issuer, got, want)
		}
	}
}
