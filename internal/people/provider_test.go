package people_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"afterimage/internal/egress"
	"afterimage/internal/openid"
	"afterimage/internal/openid/openidtest"
	"afterimage/internal/people"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// newProviderDesk is a desk with a provider, at which users sign in by a name.
func newProviderDesk(t *testing.T) (*desk, *openidtest.Provider) {
	t.Helper()
	d, p := newDesk(t), openidtest.Start(t, origin+people.ReturnPath)
	policy, err := egress.NewPolicy(openid.HostOf(p.Issuer))
	vcdtest.Must(t, err)
	client, err := openid.New(openid.Config{Issuer: p.Issuer, ClientID: openidtest.ClientID, ClientSecret: openidtest.ClientSecret,
		Redirect: origin + people.ReturnPath, Policy: policy})
	vcdtest.Must(t, err)
	d.open(origin, &people.Provider{Client: client, Name: "Example"})
	return d, p
}

// visit goes from a page to the provider, signs in there, and returns what the browser brings back.
func (d *desk) visit(p *openidtest.Provider, name string, question map[string]any) map[string]any {
	d.T.Helper()
	begun := d.ask("provider", question)
	if begun.status != http.StatusOK {
		d.T.Fatalf("no way to the provider: %+v", begun)
	}
	back := p.SignIn(d.T, begun.Next, name)
	return map[string]any{"page": "oidc", "attempt": back.Get("state"), "code": back.Get("code"), "issuer": back.Get("iss"),
		"error": back.Get("error")}
}

func (d *desk) through(p *openidtest.Provider, name string, question map[string]any) answer {
	d.T.Helper()
	return d.ask("return", d.visit(p, name, question))
}

var signin = map[string]any{"page": "signin", "next": "/somewhere"}

func TestWhoIsInvitedJoinsByTheProvider(t *testing.T) {
	d, p := newProviderDesk(t)
	question := d.invited("grace@example.com")
	d.want(d.through(p, "joan@example.com", question), http.StatusUnprocessableEntity, "OTHER_ADDRESS")
	d.want(d.through(p, "17 GRACE@example.com", question), http.StatusOK, "")
	first := d.secret
	a := d.through(p, "17 GRACE@example.com", signin)
	d.want(a, http.StatusOK, "")
	if a.Next != "/local/somewhere" {
		t.Errorf("the browser goes on to %q", a.Next)
	}
	if d.secret == first || first == "" {
		t.Error("signing in began no session")
	}
	who, err := d.SignedInUser(httptest.NewRequest(http.MethodGet, "/", nil))
	vcdtest.Must(t, err)
	if who.Permissions != vcd.RoleEditor.Permissions() || who.Name != "Grace" {
		t.Errorf("signed in as %+v", who)
	}
	sessions, err := d.Service.Accounts.Sessions(t.Context(), who)
	vcdtest.Must(t, err)
	if len(sessions) != 1 || sessions[0].Method != vcd.SignInOIDC {
		t.Errorf("the sessions are %+v; that of the browser before should have ended", sessions)
	}
	d.want(d.through(p, "somebody without an address", d.invited("joan@example.com")), http.StatusOK, "")
}

// TestAnAddressAloneSignsNobodyIn: providers give addresses to other people, and some let them type what they like.
func TestAnAddressAloneSignsNobodyIn(t *testing.T) {
	d, p := newProviderDesk(t)
	d.want(d.register(newAuthenticator(t, origin), d.invited("grace@example.com")), http.StatusOK, "")
	session := d.secret
	d.secret = ""
	d.want(d.through(p, "grace@example.com", signin), http.StatusUnauthorized, "IDENTITY_UNKNOWN")
	if d.secret != "" {
		t.Fatal("a session began")
	}
	d.secret = session // the user who is signed in connects it
	d.want(d.through(p, "grace@example.com", map[string]any{"page": "passkey"}), http.StatusOK, "")
	if d.secret != session {
		t.Error("connecting the provider began another session")
	}
	d.secret = ""
	d.want(d.through(p, "grace@example.com", signin), http.StatusOK, "")
	// It is theirs alone from now on.
	d.want(d.through(p, "grace@example.com", d.invited("joan@example.com")), http.StatusUnprocessableEntity, "OTHER_ADDRESS")
	d.want(d.register(newAuthenticator(t, origin), d.invited("mary@example.com")), http.StatusOK, "")
	d.want(d.through(p, "grace@example.com", map[string]any{"page": "passkey"}), http.StatusUnprocessableEntity, "")
}

func TestALinkOfTheOperatorConnectsTheProvider(t *testing.T) {
	d, p := newProviderDesk(t)
	_, err := d.Service.Accounts.CreateUser(t.Context(), d.Account.ID, "owner@example.com", "Owner", vcd.RoleOwner)
	vcdtest.Must(t, err)
	link := func() map[string]any {
		secret, _, err := d.Service.Accounts.LinkFor(t.Context(), "owner@example.com")
		vcdtest.Must(t, err)
		return map[string]any{"page": "passkey", "link": secret}
	}
	question := link()
	d.want(d.through(p, "17", question), http.StatusOK, "")
	d.want(d.ask("provider", question), http.StatusUnprocessableEntity, "ATTEMPT_OVER")
	d.want(d.through(p, "17", signin), http.StatusOK, "")
	d.want(d.through(p, "18", link()), http.StatusOK, "") // replaces it
	d.want(d.through(p, "17", signin), http.StatusUnauthorized, "IDENTITY_UNKNOWN")
}

func TestWhatABrowserBringsBackCounts(t *testing.T) {
	d, p := newProviderDesk(t)
	d.want(d.through(p, "17", d.invited("grace@example.com")), http.StatusOK, "")
	brought := d.visit(p, "17", signin)
	d.want(d.ask("return", brought), http.StatusOK, "")
	d.want(d.ask("return", brought), http.StatusUnprocessableEntity, "ATTEMPT_OVER")

	brought = d.visit(p, "17", signin)
	mark := d.mark
	d.mark = "" // somebody lures another browser to where theirs was sent back
	d.want(d.ask("return", brought), http.StatusUnprocessableEntity, "OTHER_BROWSER")
	d.mark = mark // which is over then
	d.want(d.ask("return", brought), http.StatusUnprocessableEntity, "ATTEMPT_OVER")

	stolen := d.visit(p, "17", signin)
	own := d.visit(p, "18", signin)
	own["code"] = stolen["code"] // in the thief's browser, for the thief's attempt
	d.secret = ""
	d.want(d.ask("return", own), http.StatusUnauthorized, "PROVIDER_REFUSED")

	d.want(d.through(p, "", signin), http.StatusUnauthorized, "PROVIDER_DENIED")
	d.want(d.ask("return", map[string]any{"attempt": "forged", "code": "x"}), http.StatusUnprocessableEntity, "ATTEMPT_OVER")
	begun := d.ask("begin", map[string]any{"page": "signin"}) // an attempt of another kind
	d.want(d.ask("return", map[string]any{"attempt": begun.Attempt, "code": "x"}), http.StatusUnprocessableEntity, "ATTEMPT_OVER")
	if d.secret != "" {
		t.Error("a session began")
	}
}

// TestAnotherUserCannotFinish: who connects the provider is decided when they leave for it.
func TestAnotherUserCannotFinish(t *testing.T) {
	d, p := newProviderDesk(t)
	d.want(d.register(newAuthenticator(t, origin), d.invited("grace@example.com")), http.StatusOK, "")
	brought := d.visit(p, "17", map[string]any{"page": "passkey"})
	d.want(d.register(newAuthenticator(t, origin), d.invited("joan@example.com")), http.StatusOK, "") // signs in in this browser
	d.want(d.ask("return", brought), http.StatusForbidden, "")
}

func TestAProviderThatIsDownStopsNobodyElse(t *testing.T) {
	d, p := newProviderDesk(t)
	key := newAuthenticator(t, origin)
	d.want(d.register(key, d.invited("grace@example.com")), http.StatusOK, "")
	p.SetDown(true)
	d.want(d.ask("provider", signin), http.StatusServiceUnavailable, "PROVIDER_UNAVAILABLE")
	a, _ := d.signIn(key)
	d.want(a, http.StatusOK, "")
	p.SetDown(false)
	brought := d.visit(p, "17", signin)
	p.SetDown(true)
	d.want(d.ask("return", brought), http.StatusServiceUnavailable, "PROVIDER_UNAVAILABLE")
	p.SetDown(false)
	d.open(origin, nil)
	d.want(d.ask("provider", signin), http.StatusUnprocessableEntity, "NO_PROVIDER")
	d.want(d.ask("return", brought), http.StatusUnprocessableEntity, "NO_PROVIDER")
}

// TestAProviderWithoutPasskeys: at an address to which no passkey can belong, the provider still signs in.
func TestAProviderWithoutPasskeys(t *testing.T) {
	d, p := newProviderDesk(t)
	client, err := openid.New(openid.Config{Issuer: p.Issuer, ClientID: openidtest.ClientID, Redirect: origin + people.ReturnPath})
	vcdtest.Must(t, err)
	d.open("http://127.0.0.1:8080", &people.Provider{Client: client, Name: "Example"})
	d.want(d.ask("look", d.invited("grace@example.com")), http.StatusOK, "")
	d.want(d.ask("begin", signin), http.StatusUnprocessableEntity, "NO_NAME")
}
