package page

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// WallKind is what a site shows instead of a page.
type WallKind string

// The kinds.
const (
	WallChallenge   WallKind = "challenge"   // visitors have to prove that they are human
	WallSignIn      WallKind = "sign_in"     // visitors have to sign in, or to enter a password
	WallConsent     WallKind = "consent"     // a consent dialog covers the page
	WallAge         WallKind = "age"         // visitors have to say how old they are
	WallMaintenance WallKind = "maintenance" // the site is closed for a while
	WallError       WallKind = "error"       // an error message, whatever the status says
	WallParked      WallKind = "parked"      // nobody uses the domain
	WallLoading     WallKind = "loading"     // the page never got beyond its placeholder
	WallQueue       WallKind = "queue"       // visitors have to wait until they are let in
	WallBrowser     WallKind = "browser"     // the site says that it does not support the browser
)

// Wall is what a visitor sees instead of the page that was asked for.
type Wall struct {
	Kind WallKind `json:"kind"`
	Sign string   `json:"sign"` // words of the page that tell, or the address to which it led
}

// emptyBody is the sign of a page without any element.
const emptyBody = "body"

// What says what a visitor sees, as in "a maintenance notice (“Back soon”)".
func (w *Wall) What() string {
	if w.isEmpty() {
		return "an empty page"
	}
	return fmt.Sprintf("%s (“%s”)", wallWords[w.Kind].what, w.Sign)
}

// isEmpty reports whether the page has nothing that it could be waiting for.
func (w *Wall) isEmpty() bool { return w.Kind == WallLoading && w.Sign == emptyBody }

// Remedy is a sentence that says what to do; "" for nothing.
func (w *Wall) Remedy() string {
	if w.isEmpty() {
		return "Look for an error in the log of the server, or in the scripts that fill the page."
	}
	return wallWords[w.Kind].remedy
}

// Hides reports whether the page stands behind the wall, for those who are let through. Otherwise the page is broken or gone.
func (w *Wall) Hides() bool {
	return w.Kind == WallChallenge || w.Kind == WallSignIn || w.Kind == WallConsent || w.Kind == WallAge || w.Kind == WallQueue ||
		w.Kind == WallBrowser
}

var wallWords = map[WallKind]struct{ what, remedy string }{
	WallChallenge:   {"a bot check", "Allow these visits, for example by their IP address or a header."},
	WallSignIn:      {"a sign-in page", "Give access with a cookie, a header or a password."},
	WallConsent:     {"a consent dialog over the whole page", "Answer it with a cookie or with JavaScript."},
	WallAge:         {"an age check", "Answer it with a cookie or with JavaScript."},
	WallMaintenance: {"a maintenance notice", "Try again once the maintenance is over."},
	WallError:       {"an error message", ""},
	WallParked:      {"the page of a parked domain", "Check the address."},
	WallQueue:       {"a waiting room", "Let these visits pass, for example by their IP address or a header."},
	WallBrowser:     {"a notice that the browser is not supported", "Try another user agent, or allow this one."},
	WallLoading:     {"a page that is still loading", "Check whether its scripts work for visitors without a session."},
}

// signInPath are paths to which sites send those who have not signed in, and accountPath others where a request to sign in is the
// page itself, as on pages that are named by it.
var (
	signInPath = regexp.MustCompile(
		`(?i)/(login|log-in|signin|sign-in|sso|auth|oauth2?|saml|wp-login|anmelden|anmeldung|connexion|inloggen)(/|$|\.)`)
	accountPath = regexp.MustCompile(`(?i)/(account|my-account|konto|mein-konto|wp-admin|admin|register|registrieren)(/|$|\.)|` +
		`[/._-](log-?in|sign-?in|anmelden|anmeldung|connexion|inloggen)([/._-]|$)`)
)

// isForSignIn reports whether a request to sign in is the page itself at an address.
func isForSignIn(asked string) bool { return leadsTo(signInPath, asked) || leadsTo(accountPath, asked) }

// IsSignIn reports whether sites send those to an address who have not signed in, by its path or route.
func IsSignIn(address string) bool { return leadsTo(signInPath, address) }

// signOutPath are paths that end the session of whoever visits them, and signOutWords titles of such pages.
var (
	signOutPath = regexp.MustCompile(`(?i)/(log-?(out|off)|sign-?(out|off)|abmelden|ausloggen|abmeldung|deconnexion|uitloggen)(/|$|\.)`)
	signOutText = regexp.MustCompile(`(?i)^(log ?out|log ?off|sign ?out|abmelden|ausloggen|se déconnecter|uitloggen|cerrar sesión)$`)
	signOutAct  = regexp.MustCompile(`(?i)^(log-?out|sign-?out|abmelden)$`)
	actName     = regexp.MustCompile(`(?i)^(act|action|cmd|do|mode|op|task)$`) // of a parameter that says what to do, not what to look for
)

// SignsOut tells whether visiting an address, with or without a scheme, ends the visitor's session, by its path, its query or the words
// of its link or title.
func SignsOut(address, words string) bool {
	if signOutText.MatchString(CollapseSpace(words)) {
		return true
	}
	if _, after, ok := strings.Cut(address, "://"); ok {
		address = after
	}
	u, err := url.Parse("//" + address)
	if err != nil {
		return false
	}
	if signOutPath.MatchString(u.Path) {
		return true
	}
	for name, values := range u.Query() { // as in /wp-login.php?action=logout, or ?logout
		if signOutAct.MatchString(name) || actName.MatchString(name) && slices.ContainsFunc(values, signOutAct.MatchString) {
			return true
		}
	}
	return false
}

func leadsTo(path *regexp.Regexp, address string) bool {
	u, err := url.Parse(address)
	return err == nil && (path.MatchString(u.Path) || IsRoute(u.Fragment) && path.MatchString("/"+strings.TrimLeft(u.Fragment, "/!")))
}

// Wall tells what the visit met instead of the page at the address that was asked for; nil for the page. A wall is short, has few
// links, and says what it is in words that pages with a content of their own do not consist of. The words alone are never enough: an
// article may quote them all.
func (v *Visit) Wall(asked string) *Wall {
	if v.Content == nil {
		return nil
	}
	s := v.survey()
	for _, signs := range [][]wallSign{wallSigns, vendorSigns, shapeSigns, bareSigns} {
		for i := range signs {
			if w := signs[i].on(&s, asked); w != nil {
				return w
			}
		}
	}
	elements := v.Content.Elements
	for _, w := range []*Wall{
		s.signInByButtons(elements, asked), s.signInByForm(elements, asked), s.captcha(elements), s.consentPage(v.Content, asked),
		s.errorTrace(elements), s.emptyApplication(elements), s.byMarks(),
	} {
		if w != nil {
			return w
		}
	}
	if v.Manifest.Empty != "" && s.words == 0 && s.media == 0 { // what a closed shadow tree holds is known here only
		return &Wall{WallLoading, v.Manifest.Empty}
	}
	return v.overlay()
}

// Barrier tells what the visit met instead of the page at the address that was asked for, like Wall; also that the site led to where
// visitors sign in.
func (v *Visit) Barrier(asked string) *Wall {
	if w := v.Wall(asked); w != nil || IsSignIn(asked) || !IsSignIn(v.FinalURL) {
		return w
	}
	return &Wall{WallSignIn, Ellipsis(v.FinalURL, maxWallSign)}
}

// Of an application that never started, there is a spinner or the outline of what is to come, and hardly a word.
const (
	mostOfEmpty      = 60 // elements
	mostWordsOfEmpty = 3
)

var (
	spinners = regexp.MustCompile(`(?i)(^|[\s_-])(pre)?load(er|ing)?([\s_-]|$)|spinner|(^|[\s_-])(spin|skeleton|shimmer)([\s_-]|$)|` +
		`circularprogress|progress-circular|(^|\s)lds-|loading-?(icon|dots|indicator)`)
	applicationRoot = regexp.MustCompile(
		`^#(app|root|app-root|react-root|main-app|__next|__nuxt|___gatsby|q-app|svelte|application)\b`)
	applicationTag = regexp.MustCompile(`^(app|my|main)-(root|app|shell)$`)
)

// emptyApplication tells that the page's script never replaced its placeholder; nil for any other page.
func (s *survey) emptyApplication(elements []Element) *Wall {
	if s.words > mostWordsOfEmpty || s.links > 0 || s.fields > 0 || s.media > 0 || len(elements) > mostOfEmpty {
		return nil
	}
	for i := range elements {
		e := &elements[i]
		if name := spinners.FindString(e.Classes); name != "" {
			return &Wall{WallLoading, "." + strings.Trim(name, " _-")}
		}
		if e.Role == "progressbar" {
			return &Wall{WallLoading, e.Role}
		}
		root := cmp.Or(applicationRoot.FindString(e.Selector), applicationTag.FindString(e.Tag))
		if root != "" && s.words == 0 && (s.pictures == 0 || s.hasScripts()) {
			return &Wall{WallLoading, root}
		}
	}
	return nil
}

// hasScripts reports whether the page asked for scripts: those of an application whose logo is all that it shows.
func (s *survey) hasScripts() bool { return strings.TrimSpace(s.scripts) != "" }

// within is the text of an element and of those in it, which follow it.
func (c *Content) within(i int) string {
	var text strings.Builder
	inside := map[int]bool{i: true}
	for n := i; n < len(c.Elements); n++ {
		if e := &c.Elements[n]; inside[n] || inside[e.Parent] {
			inside[n] = true
			text.WriteString(e.Text + " ")
		}
	}
	return text.String()
}
