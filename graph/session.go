package graph

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"afterimage/graph/resolver"
	"afterimage/vcd"
)

const (
	sessionCookie = "afterimage_session"
	markCookie    = "afterimage_mark" // tells a browser from others while somebody signs in
	// hostOnly makes browsers take a cookie from this very host by TLS only, so that no neighbour can set another.
	hostOnly = "__Host-"
	// sessionPurpose keeps sealed sessions apart from other sealed secrets.
	sessionPurpose = "graph.session"
	// maxSignInBody bounds the body of a sign-in, which holds a token.
	maxSignInBody = 4 << 10
)

// Session signs browsers in by an API token, and out; mount it at /session. POST takes the token, in the field token of JSON or
// form data, or the code of a [Server.SignInLink] in the field code, and responds with a cookie that scripts cannot read; a form is
// redirected to the same-origin path in next. DELETE removes the cookie.
//
// The cookie contains the token itself, encrypted, with its expiry, so that revoking a token ends its sessions.
// Signing out does not end them: the server keeps no list of these sessions, and a copy of the cookie works until
// Timing.Session is over. If the cookie may have been copied, revoke the token. The session of a user, whose cookie
// contains a secret of its own, ends on the server too.
func (s *Server) Session() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(WithRequestID(r.Context(), s.nameRequest(w.Header())))
		w.Header().Set("Cache-Control", "no-store")
		defer s.recover(r.Context(), w)
		switch {
		case r.Method != http.MethodPost && r.Method != http.MethodDelete:
			w.Header().Set("Allow", "POST, DELETE")
			refuseRequest(w, http.StatusMethodNotAllowed, coded(codeBadRequest, "Use POST to sign in and DELETE to sign out."))
		case !s.origins.allows(r):
			s.refuseCaller(r.Context(), w, vcd.Forbidden())
		case r.Method == http.MethodPost:
			s.signIn(w, r)
		case r.Header.Get(clientHeader) == "":
			s.refuseCaller(r.Context(), w, vcd.Forbidden())
		default:
			s.signOut(w, r)
		}
	})
}

func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	form, isForm, err := readSignIn(w, r)
	if err != nil {
		refuseRequest(w, http.StatusBadRequest, coded(codeBadRequest, "%s", err))
		return
	}
	token := strings.TrimSpace(form.Get("token"))
	if code := form.Get("code"); code != "" {
		token = s.links.take(code, s.service.Config().Clock.Now())
	}
	if _, err := s.withToken(r.Context(), token); err != nil {
		s.refuseCaller(r.Context(), w, err)
		return
	}
	ends := s.service.Config().Clock.Now().Add(s.config.Timing.Session)
	sealed, err := s.service.Config().Sealer.Seal(sessionPurpose, strconv.FormatInt(ends.Unix(), 10)+"."+token)
	if err != nil {
		s.refuseCaller(r.Context(), w, err)
		return
	}
	value := base64.RawURLEncoding.EncodeToString(sealed)
	http.SetCookie(w, s.cookie(r, value, int(s.config.Timing.Session.Seconds())))
	if isForm {
		http.Redirect(w, r, localPath(form.Get("next")), http.StatusSeeOther)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// readSignIn reads a sign-in from JSON or from a form.
func readSignIn(w http.ResponseWriter, r *http.Request) (form url.Values, isForm bool, err error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSignInBody))
	if err != nil {
		return nil, false, errors.New("the request is too long or incomplete")
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && media == "application/x-www-form-urlencoded":
		if form, err = url.ParseQuery(string(body)); err != nil {
			return nil, false, errors.New("the form is malformed")
		}
		return form, true, nil
	case err == nil && media == "application/json":
		var fields struct {
			Token string `json:"token"`
			Code  string `json:"code"`
		}
		if json.Unmarshal(body, &fields) != nil {
			return nil, false, errors.New("the body must be a JSON object with the field token or code")
		}
		return url.Values{"token": {fields.Token}, "code": {fields.Code}}, false, nil
	}
	return nil, false, errors.New("the content type must be application/json or application/x-www-form-urlencoded")
}

// localPath is a path of this server to go on to. Anything that could lead elsewhere becomes the dashboard.
func localPath(path string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(path, "/") ||
		strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") {
		return "/"
	}
	return path
}

// LocalPath is localPath for the pages of people.
func (s *Server) LocalPath(path string) string { return localPath(path) }

func (s *Server) cookie(r *http.Request, value string, maxAge int) *http.Cookie {
	return s.namedCookie(r, sessionCookie, value, maxAge)
}

func (s *Server) namedCookie(r *http.Request, name, value string, maxAge int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure wherever clients come by TLS; a local server has none
		Name: s.cookieName(r, name), Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: s.origins.secure(r),
	}
}

func (s *Server) cookieName(r *http.Request, name string) string {
	if s.origins.secure(r) {
		return hostOnly + name
	}
	return name
}

// userPrefix begins the cookie of a user's session; the dot tells it from base64. The rest is the secret of the session.
const userPrefix = "user."

// SignInUser gives the browser the cookie of a user's session.
func (s *Server) SignInUser(w http.ResponseWriter, r *http.Request, plain string, life time.Duration) {
	http.SetCookie(w, s.cookie(r, userPrefix+plain, int(life.Seconds())))
}

// MarkBrowser gives the browser a cookie by which BrowserMark knows it again.
func (s *Server) MarkBrowser(w http.ResponseWriter, r *http.Request, mark string, life time.Duration) {
	http.SetCookie(w, s.namedCookie(r, markCookie, mark, int(life.Seconds())))
}

// BrowserMark is the mark of the browser that made a request; empty without one.
func (s *Server) BrowserMark(r *http.Request) string {
	cookie, err := r.Cookie(s.cookieName(r, markCookie))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// FromOwnPage reports whether a page of this server made a request that changes something.
func (s *Server) FromOwnPage(r *http.Request) bool {
	return r.Header.Get(clientHeader) != "" && s.origins.own(r)
}

// SignedInUser is the actor of a request with the cookie of a user's session.
func (s *Server) SignedInUser(r *http.Request) (vcd.Actor, error) {
	shown, err := s.sessionCredential(r)
	if err != nil || !shown.session {
		return vcd.Actor{}, vcd.Unauthenticated()
	}
	bearer, err := shown.identify(r.Context(), s.service)
	if err != nil {
		return vcd.Actor{}, err
	}
	return bearer.Actor(), nil
}

// SignedInReader is the actor of a request with the cookie of a session, of a user or of a token.
func (s *Server) SignedInReader(r *http.Request) (vcd.Actor, error) {
	shown, err := s.sessionCredential(r)
	if err != nil {
		return vcd.Actor{}, vcd.Unauthenticated()
	}
	ctx, err := s.withCredential(r.Context(), shown)
	if err != nil {
		return vcd.Actor{}, err
	}
	actor, _ := resolver.ActorOf(ctx)
	if !actor.May(vcd.PermissionRead) {
		return vcd.Actor{}, vcd.Forbidden()
	}
	return actor, nil
}

// signOut ends a user's session, and removes the cookie of any.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	if shown, err := s.sessionCredential(r); err == nil && shown.session {
		bearer, err := shown.identify(r.Context(), s.service)
		if err == nil {
			actor := bearer.Actor()
			actor.Change = s.service.Accounts.NewChange("signOut")
			_, err = s.service.Accounts.SignOut(r.Context(), actor, nil)
		}
		if err != nil && !isRefusal(err) && vcd.CodeOf(err) != vcd.CodeNotFound {
			s.refuseCaller(r.Context(), w, err)
			return
		}
	}
	http.SetCookie(w, s.cookie(r, "", -1))
	w.WriteHeader(http.StatusNoContent)
}

var errNoSession = errors.New("there is no session")

// sessionCredential is what a request's cookie shows: a user's session, or the API token of one that has not ended.
func (s *Server) sessionCredential(r *http.Request) (credential, error) {
	cookie, err := r.Cookie(s.cookieName(r, sessionCookie))
	if err != nil {
		return credential{}, errNoSession
	}
	if secret, ofUser := strings.CutPrefix(cookie.Value, userPrefix); ofUser {
		return credential{plain: secret, session: true}, nil
	}
	token, err := s.sessionToken(cookie)
	return credential{plain: token}, err
}

// sessionToken is the token in a cookie, unless its time is over.
func (s *Server) sessionToken(cookie *http.Cookie) (string, error) {
	sealed, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil {
		return "", errNoSession
	}
	text, err := s.service.Config().Sealer.Open(sessionPurpose, sealed)
	if err != nil {
		return "", errNoSession
	}
	ends, token, _ := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(ends, 10, 64)
	if err != nil || !s.service.Config().Clock.Now().Before(time.Unix(seconds, 0)) {
		return "", errNoSession
	}
	return token, nil
}

// SignedIn passes signed-in users on to next and all others to signIn.
func (s *Server) SignedIn(next, signIn http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Cookie")
		if !s.IsSignedIn(r) {
			signIn.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// IsSignedIn reports whether a request has the cookie of a session that has not ended, of a user or of a token.
func (s *Server) IsSignedIn(r *http.Request) bool {
	shown, err := s.sessionCredential(r)
	if err == nil {
		_, err = s.withCredential(r.Context(), shown)
	}
	return err == nil
}
