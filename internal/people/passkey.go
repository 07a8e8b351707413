package people

import (
	"encoding/json"
	"net/http"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"afterimage/internal/ratelimit"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

const maxBody = 64 << 10

// question is what a page sends. Link is the secret behind the # of its address; Attempt ends what "begin" or "provider" began.
type question struct {
	Page     string          `json:"page"` // signin, join or passkey
	Link     string          `json:"link"`
	Name     string          `json:"name"`
	Next     string          `json:"next"` // the path to go on to
	Attempt  string          `json:"attempt"`
	Response json.RawMessage `json:"response"` // of the authenticator

	// What the provider sent the browser back with.
	Code   string `json:"code"`
	Issuer string `json:"issuer"`
	Error  string `json:"error"`
}

// started is what is kept until the authenticator has answered.
type started struct {
	Page, Link, Name, Next string
	User                   vcd.ID // who gets the passkey
	Session                *webauthn.SessionData
}

const kindPasskey = "passkey"

// person is a user, or somebody who is about to become one, as the library sees them.
type person struct {
	id          vcd.ID
	email, name string
	keys        []webauthn.Credential
	user        *vcd.User // nil for somebody who is about to become one
}

func (p *person) WebAuthnID() []byte                         { return []byte(p.id) }
func (p *person) WebAuthnName() string                       { return p.email }
func (p *person) WebAuthnDisplayName() string                { return p.name }
func (p *person) WebAuthnCredentials() []webauthn.Credential { return p.keys }

// answer answers what a page asks for.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, name string) {
	w.Header().Set("Cache-Control", "no-store")
	result, err := h.ask(w, r, name)
	if err != nil {
		status, message, reason := statusOf(err)
		if status == http.StatusInternalServerError && r.Context().Err() == nil {
			h.logger.ErrorContext(r.Context(), "signing in failed", "cause", err)
		}
		h.write(w, status, map[string]string{"message": message, "reason": reason})
		return
	}
	h.write(w, http.StatusOK, result)
}

func (h *Handler) write(w http.ResponseWriter, status int, content any) {
	text, err := json.Marshal(content)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // a client that is gone needs no answer
}

func (h *Handler) ask(w http.ResponseWriter, r *http.Request, name string) (any, error) {
	if !h.sessions.FromOwnPage(r) {
		return nil, vcd.Forbidden()
	}
	if h.limiter != nil {
		if _, wait := h.limiter.Take(ratelimit.ClientOf(r)); wait > 0 {
			return nil, vcd.RateLimited("There were too many attempts.", wait)
		}
	}
	var q question
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&q); err != nil {
		return nil, vcd.Invalid("body", "json", "The {field} must be a JSON object of at most 64 KiB.")
	}
	switch name {
	case "look":
		return h.look(r, q)
	case "begin":
		return h.begin(r, q)
	case "finish":
		return h.finish(w, r, q)
	case "provider":
		return h.leave(w, r, q)
	case "return":
		return h.comeBack(w, r, q)
	}
	return nil, vcd.NotFound("Page", "")
}

// look tells what a link is for.
func (h *Handler) look(r *http.Request, q question) (any, error) {
	if h.relying == nil && h.provider == nil {
		return nil, errNoPasskeys
	}
	switch q.Page {
	case "join":
		i, a, err := h.accounts.Invitation(r.Context(), q.Link)
		if err != nil {
			return nil, err
		}
		return map[string]string{"email": i.Email, "role": string(i.Role), "account": a.Email}, nil
	case "passkey":
		p, err := h.owner(r, q)
		if err != nil {
			return nil, err
		}
		return map[string]string{"email": p.email, "name": p.name}, nil
	}
	return struct{}{}, nil
}

// owner is who is to get a passkey: the user of a link, or the one who is signed in.
func (h *Handler) owner(r *http.Request, q question) (*person, error) {
	if q.Page == "join" {
		i, _, err := h.accounts.Invitation(r.Context(), q.Link)
		if err != nil {
			return nil, err
		}
		return &person{id: vcd.RandomIDs{}.NewID(), email: i.Email, name: q.Name}, nil
	}
	u, err := h.known(r, q)
	if err != nil {
		return nil, err
	}
	return &person{id: u.ID, email: u.Email, name: u.Name, user: u}, nil
}

// known is the user of a link, or the one who is signed in.
func (h *Handler) known(r *http.Request, q question) (*vcd.User, error) {
	if q.Link != "" {
		return h.accounts.LinkedUser(r.Context(), q.Link)
	}
	actor, err := h.sessions.SignedInUser(r)
	if err != nil {
		return nil, err
	}
	return h.accounts.User(r.Context(), actor, actor.User)
}

// beside excludes the authenticators in which a user has a passkey already.
func (h *Handler) beside(r *http.Request, p *person) (webauthn.RegistrationOption, error) {
	var excluded []protocol.CredentialDescriptor
	if p.user != nil {
		list, err := h.accounts.PasskeysBeside(r.Context(), p.user)
		if err != nil {
			return nil, err
		}
		for _, known := range list {
			excluded = append(excluded, protocol.CredentialDescriptor{
				Type: protocol.PublicKeyCredentialType, CredentialID: known.CredentialID,
			})
		}
	}
	return webauthn.WithExclusions(excluded), nil
}

// begin makes the challenge for an authenticator.
func (h *Handler) begin(r *http.Request, q question) (any, error) {
	if h.relying == nil {
		return nil, errNoPasskeys
	}
	kept := started{Page: q.Page, Next: h.sessions.LocalPath(q.Next)}
	var options any
	if q.Page == "signin" {
		assertion, session, err := h.relying.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
		if err != nil {
			return nil, err
		}
		options, kept.Session = assertion.Response, session
	} else {
		p, err := h.owner(r, q)
		if err != nil {
			return nil, err
		}
		if err := checkName(q); err != nil { // before the authenticator makes a passkey that nobody keeps
			return nil, err
		}
		kept.Link, kept.Name = q.Link, q.Name
		beside, err := h.beside(r, p)
		if err != nil {
			return nil, err
		}
		creation, session, err := h.relying.BeginRegistration(p, beside)
		if err != nil {
			return nil, err
		}
		options, kept.Session, kept.User = creation.Response, session, p.id
	}
	attempt, err := h.accounts.KeepAttempt(r.Context(), kindPasskey, kept)
	if err != nil {
		return nil, err
	}
	return map[string]any{"attempt": attempt, "options": options}, nil
}

// checkName refuses a new user without a name.
func checkName(q question) error {
	v := &vcd.Validation{}
	if q.Page == "join" {
		v.Name("name", q.Name, vcd.MaxNameLength)
	}
	return v.Err()
}

// finish verifies what an authenticator answered, and signs its user in.
func (h *Handler) finish(w http.ResponseWriter, r *http.Request, q question) (any, error) {
	if h.relying == nil {
		return nil, errNoPasskeys
	}
	var kept started
	if err := h.accounts.TakeAttempt(r.Context(), kindPasskey, q.Attempt, &kept); err != nil {
		return nil, err
	}
	session, err := h.conclude(r, &kept, q.Response)
	if err != nil {
		return nil, err
	}
	h.enter(w, r, session)
	return map[string]string{"next": kept.Next}, nil
}

// enter gives the browser the session of somebody who signs in, and ends the one that it had. Whoever has only added something to
// their user goes on with it: the session is nil.
func (h *Handler) enter(w http.ResponseWriter, r *http.Request, session *account.NewSession) {
	if session == nil {
		return
	}
	if former, err := h.sessions.SignedInUser(r); err == nil {
		former.Change = h.accounts.NewChange("signOut")
		if _, err := h.accounts.SignOut(r.Context(), former, nil); err != nil {
			h.logger.ErrorContext(r.Context(), "the former session of a browser was not ended", "cause", err)
		}
	}
	h.sessions.SignInUser(w, r, session.Plain, vcd.SessionLength)
}

// signedIn is the user who is signed in, if that is the one who began.
func (h *Handler) signedIn(r *http.Request, began vcd.ID) (vcd.Actor, error) {
	actor, err := h.sessions.SignedInUser(r)
	if err == nil && actor.User != began {
		err = vcd.Forbidden()
	}
	return actor, err
}

func (h *Handler) conclude(r *http.Request, kept *started, response []byte) (*account.NewSession, error) {
	if kept.Page == "signin" {
		return h.signIn(r, kept, response)
	}
	key, err := h.verifyNew(kept, response)
	if err != nil {
		return nil, err
	}
	switch {
	case kept.Page == "join":
		return h.accounts.AcceptInvitation(r.Context(), kept.Link, account.Joining{
			User: kept.User, Name: kept.Name, Passkey: key, UserAgent: r.UserAgent(),
		})
	case kept.Link != "":
		return h.accounts.UseLink(r.Context(), kept.Link, key, r.UserAgent())
	}
	actor, err := h.signedIn(r, kept.User)
	if err != nil {
		return nil, err
	}
	return nil, h.accounts.AddPasskey(r.Context(), actor, key)
}

func refused(err error) error {
	return &vcd.Error{Code: vcd.CodeUnauthenticated, Reason: "PASSKEY_REFUSED", Err: err,
		Message: "The passkey could not be verified. Try again or use another one."}
}

func (h *Handler) verifyNew(kept *started, response []byte) (*account.NewPasskey, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(response)
	if err != nil {
		return nil, refused(err)
	}
	credential, err := h.relying.CreateCredential(&person{id: kept.User}, *kept.Session, parsed)
	if err != nil {
		return nil, refused(err)
	}
	text, err := json.Marshal(credential)
	if err != nil {
		return nil, err
	}
	return &account.NewPasskey{CredentialID: credential.ID, Credential: text, Name: "Passkey"}, nil
}

func (h *Handler) signIn(r *http.Request, kept *started, response []byte) (*account.NewSession, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return nil, refused(err)
	}
	verify := func(u *vcd.User, p *vcd.Passkey) ([]byte, error) {
		var known webauthn.Credential
		if err := json.Unmarshal(p.Credential, &known); err != nil {
			return nil, err
		}
		find := func(_, _ []byte) (webauthn.User, error) {
			return &person{id: u.ID, email: u.Email, name: u.Name, keys: []webauthn.Credential{known}}, nil
		}
		credential, err := h.relying.ValidateDiscoverableLogin(find, *kept.Session, parsed)
		if err != nil {
			return nil, refused(err)
		}
		if credential.Authenticator.CloneWarning {
			return nil, refused(nil)
		}
		return json.Marshal(credential)
	}
	return h.accounts.SignInByPasskey(r.Context(), parsed.RawID, verify, r.UserAgent())
}
