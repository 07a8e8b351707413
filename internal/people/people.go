// Package people serves the pages on which users sign in with a passkey or an OpenID Connect provider, accept an invitation and
// register passkeys, and what these pages ask for. The secret of a link stands behind the # of its address: it reaches the
// server in the body of a request only.
package people

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"afterimage/vcd"
	"afterimage/vcd/account"
)

// Prefix is the path at which the handler is mounted.
const Prefix = "/people/"

// Sessions are the browser's side of sessions.
type Sessions interface {
	// FromOwnPage reports whether a page of this server made a request that changes something.
	FromOwnPage(r *http.Request) bool
	// IsSignedIn reports whether a request has the cookie of a session, of a user or of a token.
	IsSignedIn(r *http.Request) bool
	// SignedInUser is the actor of a request with the cookie of a user's session.
	SignedInUser(r *http.Request) (vcd.Actor, error)
	// SignInUser gives the browser the cookie of a user's session.
	SignInUser(w http.ResponseWriter, r *http.Request, plain string, life time.Duration)
	// MarkBrowser gives the browser a cookie by which BrowserMark knows it again.
	MarkBrowser(w http.ResponseWriter, r *http.Request, mark string, life time.Duration)
	BrowserMark(r *http.Request) string
	// LocalPath is a path of this server to go on to; the usual one instead of what could lead elsewhere.
	LocalPath(path string) string
}

// Limiter limits how often a client may ask.
type Limiter interface {
	Take(client string) (remaining int, wait time.Duration)
}

// Handler serves the pages. Create it with New.
type Handler struct {
	accounts *account.Service
	sessions Sessions
	limiter  Limiter // by the client's address; nil for no limit
	logger   *slog.Logger
	relying  *webauthn.WebAuthn // nil where browsers cannot make passkeys
	provider *Provider          // nil without one
}

var (
	//go:embed page.html
	pageSource string
	//go:embed people.css
	style []byte
	//go:embed people.js
	script []byte

	document = template.Must(template.New("people").Parse(pageSource))
)

var policy = strings.Join([]string{
	"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
	"frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
}, "; ")

// Config is what a handler needs.
type Config struct {
	Base     string // the address at which browsers reach the service
	Accounts *account.Service
	Sessions Sessions
	Limiter  Limiter   // by the client's address; nil for no limit
	Provider *Provider // nil without one
	Logger   *slog.Logger
}

// New returns a handler.
func New(c Config) (*Handler, error) {
	h := &Handler{accounts: c.Accounts, sessions: c.Sessions, limiter: c.Limiter, logger: c.Logger, provider: c.Provider}
	u, err := url.Parse(c.Base)
	if err != nil {
		return nil, fmt.Errorf("the address %q of the service: %w", c.Base, err)
	}
	if net.ParseIP(u.Hostname()) != nil { // a passkey belongs to a name
		return h, nil
	}
	relying, err := webauthn.New(&webauthn.Config{
		RPID: strings.ToLower(u.Hostname()), RPDisplayName: "Afterimage", RPOrigins: []string{u.Scheme + "://" + u.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil { // tokens work all the same
		c.Logger.Warn("passkeys cannot be used at this address", "address", c.Base, "cause", err)
		return h, nil
	}
	h.relying = relying
	return h, nil
}

// view is what a page shows.
type view struct {
	Title, Page string
	Passkeys    bool   // whether browsers can make them here
	Provider    string // its name; empty without one
}

var pages = map[string]view{
	"":        {Title: "Sign in", Page: "signin"},
	"join":    {Title: "Accept your invitation", Page: "join"},
	"passkey": {Title: "Register a passkey", Page: "passkey"},
	"oidc":    {Title: "Signing you in", Page: "oidc"},
}

// ServeHTTP serves a page, one of its files, or what a page asks for by POST.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header())
	name := strings.TrimPrefix(r.URL.Path, Prefix)
	if r.Method == http.MethodPost {
		h.answer(w, r, name)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD, POST")
		http.Error(w, "Use GET or POST.", http.StatusMethodNotAllowed)
		return
	}
	switch name {
	case "people.css":
		serveFile(w, r, "text/css; charset=utf-8", style)
		return
	case "people.js":
		serveFile(w, r, "text/javascript; charset=utf-8", script)
		return
	case "methods":
		w.Header().Set("Cache-Control", "no-store")
		h.write(w, http.StatusOK, map[string]any{
			"passkeys": h.relying != nil, "provider": h.providerName(), "signedIn": h.sessions.IsSignedIn(r),
		})
		return
	}
	shown, known := pages[name]
	if !known {
		http.NotFound(w, r)
		return
	}
	shown.Passkeys, shown.Provider = h.relying != nil, h.providerName()
	var out bytes.Buffer
	if err := document.Execute(&out, shown); err != nil {
		h.logger.ErrorContext(r.Context(), "showing a sign-in page failed", "cause", err)
		http.Error(w, "The page cannot be displayed.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(out.Bytes())
}

func (h *Handler) providerName() string {
	if h.provider == nil {
		return ""
	}
	return h.provider.Name
}

func setHeaders(header http.Header) {
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("X-Robots-Tag", "noindex, nofollow")
}

func serveFile(w http.ResponseWriter, r *http.Request, mediaType string, content []byte) {
	sum := sha256.Sum256(content)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "no-cache")
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(content)
}

var errNoPasskeys = &vcd.Error{Code: vcd.CodeConflict, Reason: "NO_NAME",
	Message: "Passkeys need localhost or a host name with a dot, and this service is reached by another address. Set " +
		"--public-url, for example to http://localhost:8080, and open that address."}

// statusOf is the HTTP status of an error, and what the page tells of it.
func statusOf(err error) (status int, message, reason string) {
	var refused *vcd.Error
	if !errors.As(err, &refused) {
		return http.StatusInternalServerError, "Something went wrong. See the log of the service for the reason.", ""
	}
	message = refused.Message
	if len(refused.Fields) > 0 {
		message = refused.Fields[0].Text()
	}
	switch refused.Code {
	case vcd.CodeUnauthenticated:
		status = http.StatusUnauthorized
	case vcd.CodeForbidden, vcd.CodeActivateAccount:
		status = http.StatusForbidden
	case vcd.CodeRateLimited:
		status = http.StatusTooManyRequests
	case vcd.CodeUnavailable:
		status = http.StatusServiceUnavailable
	case vcd.CodeInternal:
		return http.StatusInternalServerError, "Something went wrong. See the log of the service for the reason.", ""
	default:
		status = http.StatusUnprocessableEntity
	}
	return status, message, refused.Reason
}
