package people

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"time"

	"afterimage/internal/openid"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

// Provider is an OpenID Connect provider at which users sign in.
type Provider struct {
	*openid.Client
	Name string // as people know it
}

// ReturnPath is where the provider sends browsers back to. The page there brings what came with them to the server.
const ReturnPath = Prefix + "oidc"

const kindProvider = "provider"

// away is what is kept while somebody is at the provider.
type away struct {
	question
	User   vcd.ID // who connects the provider; empty for somebody who signs in
	Mark   string // which the browser has in a cookie
	OpenID openid.Started
}

// markLife is how long a browser keeps its mark: a little longer than the attempt is kept.
const markLife = 15 * time.Minute

var errNoProvider = &vcd.Error{Code: vcd.CodeConflict, Reason: "NO_PROVIDER",
	Message: "This service has no sign-in provider. Use a passkey."}

// leave sends the browser to the provider.
func (h *Handler) leave(w http.ResponseWriter, r *http.Request, q question) (any, error) {
	if h.provider == nil {
		return nil, errNoProvider
	}
	kept := away{question: q, Mark: vcd.RandomText(), OpenID: openid.NewStarted()}
	kept.Next = h.sessions.LocalPath(q.Next)
	if q.Page != "signin" { // before the way is made in vain
		p, err := h.owner(r, q)
		if err != nil {
			return nil, err
		}
		if err := checkName(q); err != nil {
			return nil, err
		}
		kept.User = p.id
	}
	state, err := h.accounts.KeepAttempt(r.Context(), kindProvider, kept)
	if err != nil {
		return nil, err
	}
	address, err := h.provider.Begin(r.Context(), state, kept.OpenID)
	if err != nil {
		return nil, h.providerFault(r, err)
	}
	h.sessions.MarkBrowser(w, r, kept.Mark, markLife)
	return map[string]string{"next": address}, nil
}

var (
	errOtherBrowser = &vcd.Error{Code: vcd.CodeConflict, Reason: "OTHER_BROWSER",
		Message: "This sign-in was started in another browser, or was started again in this one. Sign in again here."}
	errNotSignedInThere = &vcd.Error{Code: vcd.CodeUnauthenticated, Reason: "PROVIDER_DENIED",
		Message: "The sign-in provider did not sign you in. Try again, or sign in another way."}
)

// comeBack signs in whoever comes back from the provider.
func (h *Handler) comeBack(w http.ResponseWriter, r *http.Request, q question) (any, error) {
	if h.provider == nil {
		return nil, errNoProvider
	}
	var kept away
	if err := h.accounts.TakeAttempt(r.Context(), kindProvider, q.Attempt, &kept); err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare([]byte(kept.Mark), []byte(h.sessions.BrowserMark(r))) != 1 {
		return nil, errOtherBrowser // or somebody lured this one into their own sign-in
	}
	if q.Code == "" {
		h.logger.InfoContext(r.Context(), "the sign-in provider signed nobody in", "error", shortened(q.Error))
		return nil, errNotSignedInThere
	}
	found, err := h.provider.Finish(r.Context(), kept.OpenID, q.Code, q.Issuer)
	if err != nil {
		return nil, h.providerFault(r, err)
	}
	who := &account.Identity{Issuer: found.Issuer, Subject: found.Subject, Email: found.Email, Name: found.Name}
	session, err := h.admit(r, &kept, who)
	if err != nil {
		return nil, err
	}
	h.enter(w, r, session)
	return map[string]string{"next": kept.Next}, nil
}

// maxProblem bounds what the log takes of a text that browsers bring.
const maxProblem = 100

func shortened(text string) string { return text[:min(len(text), maxProblem)] }

// admit does what the browser left for; the session is nil for somebody who has one.
func (h *Handler) admit(r *http.Request, kept *away, who *account.Identity) (*account.NewSession, error) {
	switch {
	case kept.Page == "join":
		return h.accounts.AcceptInvitation(r.Context(), kept.Link,
			account.Joining{Name: kept.Name, Identity: who, UserAgent: r.UserAgent()})
	case kept.Page == "passkey" && kept.Link != "":
		return h.accounts.UseLinkForIdentity(r.Context(), kept.Link, who, r.UserAgent())
	case kept.Page == "passkey":
		actor, err := h.signedIn(r, kept.User)
		if err != nil {
			return nil, err
		}
		return nil, h.accounts.ConnectIdentity(r.Context(), actor, who)
	}
	return h.accounts.SignInByIdentity(r.Context(), who, r.UserAgent())
}

// providerFault logs why signing in with the provider failed, and tells people what to do.
func (h *Handler) providerFault(r *http.Request, err error) error {
	switch {
	case errors.Is(err, openid.ErrRefused):
		h.logger.WarnContext(r.Context(), "an answer of the sign-in provider was refused", "cause", err)
		return &vcd.Error{Code: vcd.CodeUnauthenticated, Reason: "PROVIDER_REFUSED", Err: err,
			Message: "The answer of the sign-in provider could not be verified. Try again, or see the log of the service for the reason."}
	case errors.Is(err, openid.ErrUnavailable):
		h.logger.WarnContext(r.Context(), "the sign-in provider cannot be used", "cause", err)
		return &vcd.Error{Code: vcd.CodeUnavailable, Reason: "PROVIDER_UNAVAILABLE", Err: err,
			Message: "The sign-in provider cannot be reached. Try again later, or use a passkey or an API token."}
	}
	return err
}
