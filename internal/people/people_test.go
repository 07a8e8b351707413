package people_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"afterimage/internal/people"
	"afterimage/internal/ratelimit"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

const origin = "http://localhost:8080"

// desk is the handler on a real database, with the last session that it began.
type desk struct {
	*vcdtest.World
	handler *people.Handler
	foreign bool   // requests come from a page of another origin
	secret  string // of the session that began last
	mark    string // in the browser's cookie
	from    string // the browser's address; empty for any
}

func (d *desk) FromOwnPage(*http.Request) bool { return !d.foreign }

func (d *desk) IsSignedIn(*http.Request) bool { return d.secret != "" }

func (d *desk) SignedInUser(r *http.Request) (vcd.Actor, error) {
	bearer, err := d.Service.Accounts.IdentifySession(r.Context(), d.secret)
	if err != nil {
		return vcd.Actor{}, err
	}
	return bearer.Actor(), nil
}

func (d *desk) SignInUser(_ http.ResponseWriter, _ *http.Request, plain string, _ time.Duration) {
	d.secret = plain
}

func (d *desk) MarkBrowser(_ http.ResponseWriter, _ *http.Request, mark string, _ time.Duration) {
	d.mark = mark
}

func (d *desk) BrowserMark(*http.Request) string { return d.mark }

func (d *desk) LocalPath(path string) string { return "/local" + path }

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{World: vcdtest.New(t)}
	d.open(origin, nil)
	return d
}

// open makes the handler anew, for an address and a provider.
func (d *desk) open(base string, provider *people.Provider) {
	d.T.Helper()
	d.configure(people.Config{Base: base, Provider: provider})
}

func (d *desk) configure(c people.Config) {
	d.T.Helper()
	c.Accounts, c.Sessions, c.Logger = d.Service.Accounts, d, slog.New(slog.DiscardHandler)
	var err error
	d.handler, err = people.New(c)
	vcdtest.Must(d.T, err)
}

// answer is what a page is told.
type answer struct {
	status                                int
	Attempt, Reason, Message, Email, Next string
	Options                               struct {
		Challenge string
		User      struct{ ID string }
	}
}

func (d *desk) ask(what string, question map[string]any) answer {
	d.T.Helper()
	body, err := json.Marshal(question)
	vcdtest.Must(d.T, err)
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, people.Prefix+what, strings.NewReader(string(body)))
	if d.from != "" {
		r.RemoteAddr = d.from
	}
	d.handler.ServeHTTP(w, r)
	a := answer{status: w.Code}
	vcdtest.Must(d.T, json.Unmarshal(w.Body.Bytes(), &a))
	return a
}

// register goes through a page that creates a passkey.
func (d *desk) register(key *authenticator, question map[string]any) answer {
	d.T.Helper()
	begun := d.ask("begin", question)
	if begun.status != http.StatusOK {
		return begun
	}
	key.handle = begun.Options.User.ID
	return d.ask("finish", map[string]any{"attempt": begun.Attempt, "response": key.create(begun.Options.Challenge)})
}

func (d *desk) signIn(key *authenticator) (answer, map[string]any) {
	d.T.Helper()
	begun := d.ask("begin", map[string]any{"page": "signin"})
	question := map[string]any{"attempt": begun.Attempt, "response": key.get(begun.Options.Challenge)}
	return d.ask("finish", question), question
}

// invited is the link of an invitation.
func (d *desk) invited(email string) map[string]any {
	d.T.Helper()
	i, err := d.Service.Accounts.Invite(d.T.Context(), d.Actor, email, vcd.RoleEditor)
	vcdtest.Must(d.T, err)
	return map[string]any{"page": "join", "link": vcdtest.LinkOf(d.T, d.Service, d.DB, i), "name": "Grace"}
}

func (d *desk) want(a answer, status int, reason string) {
	d.T.Helper()
	if a.status != status || a.Reason != reason {
		d.T.Errorf("got %d %q (%s), want %d %q", a.status, a.Reason, a.Message, status, reason)
	}
}

func TestWhoIsInvitedJoinsAndSignsInAgain(t *testing.T) {
	d := newDesk(t)
	key, question := newAuthenticator(t, origin), d.invited("grace@example.com")
	if known := d.ask("look", question); known.Email != "grace@example.com" {
		t.Errorf("the page shows %+v", known)
	}
	d.want(d.register(key, question), http.StatusOK, "")
	first := d.secret
	a, again := d.signIn(key)
	d.want(a, http.StatusOK, "")
	if d.secret == first || first == "" {
		t.Error("signing in began no session")
	}
	who, err := d.SignedInUser(httptest.NewRequest(http.MethodGet, "/", nil))
	vcdtest.Must(t, err)
	if who.Permissions != vcd.RoleEditor.Permissions() || who.Name != "Grace" {
		t.Errorf("signed in as %+v", who)
	}
	d.want(d.ask("finish", again), http.StatusUnprocessableEntity, "ATTEMPT_OVER") // what was sent once is of no use
	d.want(d.register(newAuthenticator(t, origin), question), http.StatusUnprocessableEntity, "INVITATION_USED")
}

func TestAPasskeyOfAnotherSiteIsRefused(t *testing.T) {
	d := newDesk(t)
	phished := newAuthenticator(t, "https://afterimage.example.net")
	d.want(d.register(phished, d.invited("grace@example.com")), http.StatusUnauthorized, "PASSKEY_REFUSED")
	key := newAuthenticator(t, origin)
	d.want(d.register(key, d.invited("joan@example.com")), http.StatusOK, "")
	d.secret, key.origin = "", "https://afterimage.example.net"
	a, _ := d.signIn(key)
	d.want(a, http.StatusUnauthorized, "PASSKEY_REFUSED")
	key.origin = origin
	key.key = newAuthenticator(t, origin).key
	a, _ = d.signIn(key)
	d.want(a, http.StatusUnauthorized, "PASSKEY_REFUSED")
	a, _ = d.signIn(newAuthenticator(t, origin))
	d.want(a, http.StatusUnauthorized, "PASSKEY_UNKNOWN")
	if d.secret != "" {
		t.Error("a session began")
	}
}

func TestACopiedPasskeyIsNoticed(t *testing.T) {
	d := newDesk(t)
	key := newAuthenticator(t, origin)
	d.want(d.register(key, d.invited("grace@example.com")), http.StatusOK, "")
	a, _ := d.signIn(key)
	d.want(a, http.StatusOK, "")
	key.count = 0
	a, _ = d.signIn(key)
	d.want(a, http.StatusUnauthorized, "PASSKEY_REFUSED")
}

func TestALinkOfTheOperatorWorksOnce(t *testing.T) {
	d := newDesk(t)
	_, err := d.Service.Accounts.CreateUser(t.Context(), d.Account.ID, "owner@example.com", "Owner", vcd.RoleOwner)
	vcdtest.Must(t, err)
	link := func() map[string]any {
		secret, _, err := d.Service.Accounts.LinkFor(t.Context(), "OWNER@example.com")
		vcdtest.Must(t, err)
		return map[string]any{"page": "passkey", "link": secret}
	}
	key, question := newAuthenticator(t, origin), link()
	d.want(d.register(key, question), http.StatusOK, "")
	d.want(d.register(newAuthenticator(t, origin), question), http.StatusUnprocessableEntity, "ATTEMPT_OVER")
	late := link()
	d.Clock.Advance(time.Hour)
	d.want(d.register(newAuthenticator(t, origin), late), http.StatusUnprocessableEntity, "ATTEMPT_OVER")
	// Whoever is signed in adds another one without a link; one of somebody else is taken.
	d.want(d.register(newAuthenticator(t, origin), map[string]any{"page": "passkey"}), http.StatusOK, "")
	d.want(d.register(key, map[string]any{"page": "passkey"}), http.StatusUnprocessableEntity, "")
	d.secret = ""
	d.want(d.register(newAuthenticator(t, origin), map[string]any{"page": "passkey"}), http.StatusUnauthorized, "")
}

func TestAPageOfAnotherOriginSignsNobodyIn(t *testing.T) {
	d := newDesk(t)
	d.foreign = true
	for _, what := range []string{"look", "begin", "finish"} {
		d.want(d.ask(what, map[string]any{"page": "signin"}), http.StatusForbidden, "")
	}
}

// TestAttemptsAreLimited by the address; in IPv6 by the network, in which a client has as many addresses as it likes.
func TestAttemptsAreLimited(t *testing.T) {
	d := newDesk(t)
	const each = 3
	d.configure(people.Config{Base: origin, Limiter: ratelimit.New(each, d.Clock.Now)})
	look := func(from string) int {
		d.from = from
		return d.ask("look", map[string]any{"page": "signin"}).status
	}
	for _, client := range [][]string{
		{"192.0.2.1:1", "192.0.2.1:2", "[::ffff:192.0.2.1]:3", "192.0.2.1:4"},
		{"192.0.2.2:1", "192.0.2.2:1", "192.0.2.2:1", "192.0.2.2:1"},
		{"[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8:0:0:ffff::]:1", "[2001:db8::3]:1"},
		{"[2001:db8:0:1::1]:1", "[2001:db8:0:1::1]:1", "[2001:db8:0:1::1]:1", "[2001:db8:0:1::1]:1"},
	} {
		for i, address := range client {
			want := http.StatusOK
			if i == each {
				want = http.StatusTooManyRequests
			}
			if got := look(address); got != want {
				t.Errorf("request %d from %s: %d, want %d", i, address, got, want)
			}
		}
	}
	d.Clock.Advance(time.Minute)
	if got := look("192.0.2.1:1"); got != http.StatusOK {
		t.Errorf("a minute later: %d", got)
	}
}

func TestPagesAreStrict(t *testing.T) {
	d := newDesk(t)
	for _, path := range []string{"", "join", "passkey", "people.js", "people.css"} {
		w := httptest.NewRecorder()
		d.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, people.Prefix+path, nil))
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
}

// TestAddressesWithoutPasskeys keeps a service up whose address no passkey can belong to: tokens work there.
func TestAddressesWithoutPasskeys(t *testing.T) {
	d := newDesk(t)
	for _, base := range []string{"http://afterimage:8080", "http://127.0.0.1:8080", "http://[::1]:8080", "http://example.com.:8080"} {
		d.open(base, nil)
		if a := d.ask("begin", map[string]any{"page": "signin"}); a.Reason != "NO_NAME" {
			t.Errorf("%s: %+v", base, a)
		}
	}
}

// TestANewUserNeedsANameFirst: an authenticator keeps its passkey whether or not it is of use.
func TestANewUserNeedsANameFirst(t *testing.T) {
	d := newDesk(t)
	i, err := d.Service.Accounts.Invite(t.Context(), d.Actor, "grace@example.com", vcd.RoleViewer)
	vcdtest.Must(t, err)
	link := vcdtest.LinkOf(t, d.Service, d.DB, i)
	for _, name := range []string{"", " ", strings.Repeat("n", vcd.MaxNameLength+1)} {
		if a := d.ask("begin", map[string]any{"page": "join", "link": link, "name": name}); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%.10q: %+v", name, a)
		}
	}
}
