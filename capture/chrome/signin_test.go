package chrome

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"afterimage/capture"
)

// A flow signs in, and what the browser keeps of it opens a page behind the form to another visitor, on that host only. The page finds what
// was stored before its first script.
func TestASessionOfAFlowIsUsedByACapture(t *testing.T) {
	const token = "canary-cookie-4711"
	account := site.handle(t, "account", func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie("sid")
		if err != nil || c.Value != token {
			_, _ = fmt.Fprint(w, `<title>Sign in</title><form method=post action=session>
<label>Password <input type=password name=p></label>
				<button>Sign in</button></form>`)
			return
		}
		_, _ = fmt.Fprint(w, `<title>Account</title><p id=was></p><script>
			was.textContent = 'Stored before: ' + localStorage.seen + ', ' + sessionStorage.tab + ', ' + document.cookie;
			localStorage.seen = 'local "\u2028<\/script>'; sessionStorage.tab = 'of this tab';</script>`)
	})
	site.handle(t, "session", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("p") == canary {
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: token, Path: "/" + t.Name(), HttpOnly: true, SameSite: http.SameSiteLaxMode})
			http.SetCookie(w, &http.Cookie{Name: "plain", Value: "1", Path: "/" + t.Name(), MaxAge: 3600})
		}
		http.Redirect(w, r, "account", http.StatusSeeOther)
	})
	walked := walkThrough(t, account, `
steps:
  - fill: {label: Password}
    secret: password
  - click: {role: button, name: Sign in}
  - wait: {text: "Stored before"}
`, withSecret(t, "password", canary), func(r *capture.WalkRequest) { r.Keep = true })
	passes(t, walked)
	raw, err := walked.Session.Encode()
	if err != nil {
		t.Fatal(err)
	}
	s := walked.Session
	if printed := fmt.Sprintf("%v %+v %#v %s", s, s, s, s); strings.Contains(printed, token) {
		t.Errorf("the session prints itself: %s", printed)
	}
	session, err := capture.ReadSession(raw)
	if err != nil {
		t.Fatal(err)
	}
	text := func(address string, session *capture.Session) string {
		t.Helper()
		shot, err := pool.Capture(t.Context(), capture.Request{URL: address, Device: capture.Desktop, Session: session})
		if err != nil {
			t.Fatal(err)
		}
		return shot.Title + ": " + shot.Content.Text
	}
	if got := text(account, session); !strings.Contains(got, `Stored before: local " </script>, of this tab, plain=1`) {
		t.Errorf("with the session the page is %q", got)
	}
	if got := text(account, nil); !strings.HasPrefix(got, "Sign in") {
		t.Errorf("without it the page is %q", got)
	}
	elsewhere := strings.Replace(account, "127.0.0.1", "localhost", 1)
	if got := text(elsewhere, session); !strings.HasPrefix(got, "Sign in") {
		t.Errorf("on another host the page is %q", got)
	}
}
