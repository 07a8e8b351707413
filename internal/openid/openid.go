// Package openid signs people in with an OpenID Connect provider, by the authorization code flow with PKCE (RFC 7636), state
// and nonce.
package openid

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"afterimage/internal/egress"
)

// The two ways in which signing in fails. Their causes are for the log: they tell what the provider said.
var (
	ErrUnavailable = errors.New("the provider cannot be used")
	ErrRefused     = errors.New("the provider's answer was refused")
)

// How long the provider's addresses are used before they are asked for again: usually, and when that has failed. Its keys are
// asked for whenever a token names an unknown one.
const (
	discoveryLife  = time.Hour
	discoveryPause = time.Minute
)

// maxSubject is the longest subject that the specification allows.
const maxSubject = 255

// Config says which provider, and who we are there.
type Config struct {
	Issuer       string
	ClientID     string
	ClientSecret string // empty for a public client
	Redirect     string // the address of ours to which the provider sends browsers back
	Policy       *egress.Policy
	Now          func() time.Time // nil for the system's clock
}

// Client signs people in with one provider. It is safe for concurrent use.
type Client struct {
	config Config
	http   *http.Client

	mu      sync.Mutex
	found   *discovered
	asked   time.Time // when the provider last answered or failed
	problem error     // of that time; nil when it answered
	due     time.Time // when it is to be asked again
}

// discovered is what the provider tells about itself.
type discovered struct {
	provider *oidc.Provider
	oauth    oauth2.Config
	namesIss bool // whether it names itself when it sends a browser back (RFC 9207)
}

// New returns a client. It asks the provider nothing yet: one that is down must not keep the service from starting.
func New(c Config) (*Client, error) {
	if c.ClientID == "" {
		return nil, errors.New("the client id is missing")
	}
	if err := CheckIssuer(c.Issuer); err != nil {
		return nil, err
	}
	return &Client{config: c, http: newHTTP(c.Policy)}, nil
}

// CheckIssuer takes https, and http on this machine only: whoever can alter the keys on their way can sign in as anybody.
func CheckIssuer(issuer string) error {
	u, err := url.Parse(issuer)
	if err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("the issuer must be a URL with a host, without user, query or fragment, such as https://login.example.com")
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !isThisMachine(u.Hostname())) {
		return errors.New("the issuer must begin with https://; http:// is allowed for localhost and loopback addresses only")
	}
	return nil
}

func isThisMachine(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// HostOf is the host and port of an issuer, as an entry for an egress.Policy.
func HostOf(issuer string) string {
	u, err := url.Parse(issuer)
	if err != nil {
		return ""
	}
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "http":
		port = "80"
	default:
		port = "443"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// Started is what has to be kept from Begin to Finish, and kept from others.
type Started struct{ Nonce, Verifier string }

// Begin returns the address of the provider to which the browser has to go. The browser comes back with the state.
func (c *Client) Begin(ctx context.Context, state string, kept Started) (address string, err error) {
	known, err := c.discover(ctx)
	if err != nil {
		return "", err
	}
	return known.oauth.AuthCodeURL(state, oidc.Nonce(kept.Nonce), oauth2.S256ChallengeOption(kept.Verifier)), nil
}

// NewStarted draws what one attempt is bound to.
func NewStarted() Started {
	return Started{Nonce: oauth2.GenerateVerifier(), Verifier: oauth2.GenerateVerifier()}
}

// Identity is who somebody is to the provider. Issuer and Subject name them for ever.
type Identity struct {
	Issuer, Subject string
	Email, Name     string // as the provider shows them; may be empty
}

// Finish trades the code that the browser brought back for an identity. Issuer is what the provider called itself on that
// occasion, empty if nothing.
func (c *Client) Finish(ctx context.Context, kept Started, code, issuer string) (*Identity, error) {
	known, err := c.discover(ctx)
	if err != nil {
		return nil, err
	}
	if issuer != "" && issuer != c.config.Issuer || issuer == "" && known.namesIss {
		return nil, fmt.Errorf("%w: the browser was sent back by %q", ErrRefused, issuer)
	}
	ctx = oidc.ClientContext(ctx, c.http)
	token, err := known.oauth.Exchange(ctx, code, oauth2.VerifierOption(kept.Verifier))
	if err != nil {
		return nil, exchangeFault(err)
	}
	raw, _ := token.Extra("id_token").(string)
	verifier := known.provider.Verifier(&oidc.Config{ClientID: c.config.ClientID, Now: c.config.Now})
	shown, err := verifier.Verify(ctx, raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return c.identity(shown, kept)
}

// exchangeFault tells a code that is refused from a provider that does not work, or does not know us.
func exchangeFault(err error) error {
	var answer *oauth2.RetrieveError
	if errors.As(err, &answer) && answer.ErrorCode == "invalid_grant" {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// identity checks what the library leaves to us, and reads the rest.
func (c *Client) identity(shown *oidc.IDToken, kept Started) (*Identity, error) {
	var claims struct {
		Party string `json:"azp"`
		Email string `json:"email"`
		Name  string `json:"name"`
	}
	if err := shown.Claims(&claims); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	switch {
	case shown.Nonce != kept.Nonce:
		return nil, fmt.Errorf("%w: the nonce is that of another attempt", ErrRefused)
	case claims.Party != "" && claims.Party != c.config.ClientID, claims.Party == "" && len(shown.Audience) > 1:
		return nil, fmt.Errorf("%w: the token was issued to the client %q", ErrRefused, claims.Party)
	case shown.Subject == "" || len(shown.Subject) > maxSubject:
		return nil, fmt.Errorf("%w: the subject has %d bytes", ErrRefused, len(shown.Subject))
	}
	return &Identity{Issuer: c.config.Issuer, Subject: shown.Subject, Email: claims.Email, Name: claims.Name}, nil
}
