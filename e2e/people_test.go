package e2e

import (
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/openid/openidtest"
)

// servePeople starts the service at an address with a name, to which passkeys can belong.
func servePeople(t *testing.T, args func(address string) []string) (s *service, address string) {
	t.Helper()
	listen := closedPort(t)
	address = strings.Replace("http://"+listen, "127.0.0.1", "localhost", 1)
	return serve(t, nil, append([]string{"--public-url", address, "--listen", listen}, args(address)...)...), address
}

// user runs a command on users and returns what it prints.
func (s *service) user(args ...string) string {
	s.t.Helper()
	p := start(s.t, "user", append(append([]string{"user"}, args...), s.at()...)...)
	if code := p.exitCode(); code != 0 {
		s.t.Fatalf("user %v ended with %d:\n%s", args, code, p.text())
	}
	var lines []string
	for line := range p.lines {
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// invitation invites somebody, and returns the link in the mail that arrives.
func (s *service) invitation(email, role string) string {
	s.t.Helper()
	const invite = `mutation ($i: InviteUserInput!) { inviteUser(input: $i) { invitation { id } } }`
	query[any](s, invite, map[string]any{"i": map[string]any{"email": email, "role": role}})
	return s.mailed(email, invitationLink)
}

// mailed waits for a mail to an address with a text, and returns the text.
func (s *service) mailed(email string, wanted *regexp.Regexp) (found string) {
	s.t.Helper()
	waitFor(s.t, "a mail to "+email, func() bool {
		files, _ := filepath.Glob(filepath.Join(s.dir, "mails", "*.eml"))
		for _, file := range files {
			if to, text := mailText(s.t, file); to == email && wanted.MatchString(text) {
				found = wanted.FindString(text)
			}
		}
		return found != ""
	})
	return found
}

// home is where browsers go on to that do not say where they want to go.
const home = "/"

var invitationLink = regexp.MustCompile(`http://localhost:\d+/people/join#[A-Za-z0-9]{40}`)

// mailText is the recipient and the plain text of a mail.
func mailText(t *testing.T, file string) (to, text string) {
	t.Helper()
	content, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	m, err := mail.ReadMessage(content)
	if err != nil {
		t.Fatal(err)
	}
	address, err := mail.ParseAddress(m.Header.Get("To"))
	if err != nil {
		t.Fatal(err)
	}
	_, options, _ := mime.ParseMediaType(m.Header.Get("Content-Type"))
	part, err := multipart.NewReader(m.Body, options["boundary"]).NextPart() // undoes quoted-printable
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(part)
	if err != nil {
		t.Fatal(err)
	}
	return address.Address, string(body)
}

// viewer is the name of the user who is signed in in the browser, with how they signed in; empty for nobody.
func (b *tab) viewer() string {
	b.t.Helper()
	return evaluate[string](b, `fetch('/graphql', {
		method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Afterimage-Client': 'test' },
		body: JSON.stringify({ query: '{ viewer { user { name } } sessions { current method } }' }),
	}).then((r) => r.json()).then(({ data }) =>
		data === undefined || data === null ? '' : data.viewer.user.name + ' by ' + data.sessions.find((s) => s.current).method)`)
}

func (b *tab) wantViewer(want string) {
	b.t.Helper()
	if got := b.viewer(); got != want {
		b.t.Fatalf("%q is signed in, want %q", got, want)
	}
}

// signOut does what the button of the pages does.
func (b *tab) signOut() {
	b.t.Helper()
	status := evaluate[int](b, `fetch('/session', { method: 'DELETE', headers: { 'X-Afterimage-Client': 'test' } }).then((r) => r.status)`)
	if status != 204 {
		b.t.Fatalf("signing out answers %d", status)
	}
	b.wantViewer("")
}

// TestPasskeysInABrowser goes through all that users do with passkeys, on the real pages with Chromium's virtual authenticator.
func TestPasskeysInABrowser(t *testing.T) {
	t.Parallel()
	s := lodge(t)
	address := s.url
	b := browse(t)
	first := b.authenticator()

	link := s.invitation("hedy@example.com", "EDITOR")
	b.open(link)
	b.reads("invites hedy@example.com to join the account as editor")
	b.picture("join")
	b.fill("#name", "Hedy")
	b.click("#passkey")
	b.at(home)
	b.wantViewer("Hedy by PASSKEY")
	b.signOut()
	b.open(link) // a link works once
	b.reads("The invitation has already been accepted.")

	b.open(address + "/people/?next=/graphiql/?here")
	b.picture("signin")
	b.click("#passkey")
	b.at("/graphiql/?here")
	b.wantViewer("Hedy by PASSKEY")

	// A second passkey, on another authenticator: the first one already has one.
	b.open(address + "/people/passkey")
	b.reads("You will be able to sign in as Hedy (hedy@example.com).")
	b.click("#passkey")
	b.reads("Your authenticator already has a passkey for this user.")
	b.lose(first)
	second := b.authenticator()
	b.click("#passkey")
	b.at(home)
	s.mailed("hedy@example.com", regexp.MustCompile(`a passkey was added to your user\s+hedy@example.com`))
	b.signOut()
	b.open(address + "/people/")
	b.click("#passkey")
	b.at(home)
	b.wantViewer("Hedy by PASSKEY")
	b.signOut()

	// An authenticator with a passkey that nobody here has, and one without any.
	b.lose(second)
	stranger := b.authenticator()
	b.open(address + "/people/")
	b.click("#passkey")
	b.reads("No passkey was used.")
	b.strangersPasskey(stranger)
	b.click("#passkey")
	b.reads("This service does not know this passkey.")
	b.wantViewer("")

	// All are lost: the operator prints a link.
	b.lose(stranger)
	b.authenticator()
	b.open(s.user("link", "hedy@example.com", "--public-url", address))
	b.reads("You will be able to sign in as Hedy (hedy@example.com).")
	b.click("#passkey")
	b.at(home)
	b.wantViewer("Hedy by PASSKEY")
	if n := evaluate[int](b, `fetch('/graphql', {
		method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Afterimage-Client': 'test' },
		body: JSON.stringify({ query: '{ passkeys { id } }' }),
	}).then((r) => r.json()).then((a) => a.data.passkeys.length)`); n != 3 {
		t.Errorf("%d passkeys are listed, want 3", n)
	}
}

// strangersPasskey puts a passkey into an authenticator that was never registered here.
func (b *tab) strangersPasskey(id proto.WebAuthnAuthenticatorID) {
	b.t.Helper()
	made := evaluate[string](b, `crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
		.then(({ privateKey }) => crypto.subtle.exportKey('pkcs8', privateKey))
		.then((key) => btoa(String.fromCharCode(...new Uint8Array(key))))`)
	key, err := base64.StdEncoding.DecodeString(made)
	b.must(err)
	b.must(proto.WebAuthnAddCredential{AuthenticatorID: id, Credential: &proto.WebAuthnCredential{
		CredentialID: []byte("a stranger's passkey"), IsResidentCredential: true, RpID: "localhost", PrivateKey: key,
		UserHandle: []byte("a stranger"), SignCount: 1,
	}}.Call(b))
}

// TestAProviderInABrowser signs in with a real provider on another site, from which a cookie that is SameSite=Strict is not sent.
func TestAProviderInABrowser(t *testing.T) {
	t.Parallel()
	var provider *openidtest.Provider
	s, address := servePeople(t, func(address string) []string {
		provider = openidtest.Start(t, address+"/people/oidc")
		return []string{"--oidc-issuer", provider.Issuer, "--oidc-client-id", openidtest.ClientID, "--oidc-client-secret",
			openidtest.ClientSecret, "--oidc-name", "Example"}
	})
	b := browse(t)
	b.open(s.invitation("grace@example.com", "REVIEWER"))
	b.fill("#name", "Grace")
	b.picture("join-provider")
	b.click("#provider")
	b.signInThere("17 grace@example.com")
	b.at(home)
	b.wantViewer("Grace by OIDC")
	b.signOut()
	for from, to := range map[string]string{
		"/people/":                                 home,
		"/people/?next=/graphiql/?a":               "/graphiql/?a",
		"/people/?next=//127.0.0.1:1/":             home,
		"/people/?next=https://example.com/":       home,
		"/people/?next=/%5C127.0.0.1:1/":           home,
		"/people/?next=javascript:alert(1)":        home,
		"/signin/?next=/graphiql/?b":               "/graphiql/?b",
		"/signin/?next=https://127.0.0.1:1/%2e%2e": home,
	} {
		b.open(address + from)
		b.until("document.querySelector('#provider')?.textContent.includes('Example')")
		b.picture("provider" + regexp.MustCompile(`[^a-z]+`).ReplaceAllString(from, "-"))
		b.click("#provider")
		b.at(to) // the provider knows the browser by now
		b.wantViewer("Grace by OIDC")
		b.signOut()
	}
}

// signInThere fills in the form of the provider.
func (b *tab) signInThere(name string) {
	b.t.Helper()
	b.fill("input[name=login]", name)
	b.click("button")
}
