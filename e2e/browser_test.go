package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/toolpath"
)

// tab is a page in a Chromium of its own, with cookies that nobody else has. It implements proto.Client.
type tab struct {
	*cdp.Client
	t       *testing.T
	session proto.TargetSessionID
}

// GetSessionID implements proto.Sessionable.
func (b *tab) GetSessionID() proto.TargetSessionID { return b.session }

// GetContext implements proto.Contextable.
func (b *tab) GetContext() context.Context { return b.t.Context() }

// browse starts a browser without sandbox, which is to open our own pages only, and an empty tab in it.
func browse(t *testing.T) *tab {
	t.Helper()
	dir := t.TempDir()
	command := exec.Command(findBrowser(t), "--headless", "--remote-debugging-port=0", "--user-data-dir="+dir, "--no-sandbox",
		"--disable-dev-shm-usage", "--window-size=1000,800", "about:blank")
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a browser is several processes
	said, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	b := &tab{Client: cdp.New(), t: t}
	t.Cleanup(func() {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		_ = command.Wait()
	})
	var address string
	lines := bufio.NewScanner(said)
	for address == "" && lines.Scan() {
		_, address, _ = strings.Cut(lines.Text(), "DevTools listening on ")
	}
	go func() {
		for lines.Scan() { // so that the browser is not kept from writing
		}
	}()
	socket := &cdp.WebSocket{}
	if err := socket.Connect(t.Context(), address, nil); err != nil {
		t.Fatalf("the browser listens at %q: %v", address, err)
	}
	b.Start(socket)
	go func() {
		for range b.Event() { // must be read
		}
	}()
	target, err := proto.TargetCreateTarget{URL: "about:blank"}.Call(b)
	b.must(err)
	attached, err := proto.TargetAttachToTarget{TargetID: target.TargetID, Flatten: true}.Call(b)
	b.must(err)
	b.session = attached.SessionID
	b.must(proto.PageEnable{}.Call(b))
	return b
}

// findBrowser is the browser that the service would use, too.
func findBrowser(t *testing.T) string {
	t.Helper()
	browser, err := toolpath.Browser()
	if err != nil {
		t.Fatal(err)
	}
	return browser
}

func (b *tab) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// open goes to an address.
func (b *tab) open(address string) {
	b.t.Helper()
	for _, url := range []string{"about:blank", address} { // an address that differs in what is behind # only loads nothing
		b.navigate(url)
	}
}

// navigate tries again where the page left for another address at the same moment: the browser aborts one of the two, and may not answer.
func (b *tab) navigate(url string) {
	b.t.Helper()
	var problem string
	for end := time.Now().Add(patienceOfPages); time.Now().Before(end); {
		ctx, cancel := context.WithTimeout(b.t.Context(), patienceOfPages/4)
		moved, err := proto.PageNavigate{URL: url}.Call(&bounded{b, ctx})
		cancel()
		switch {
		case err != nil && ctx.Err() == nil:
			b.t.Fatal(err)
		case err != nil:
			problem = err.Error()
		case moved.ErrorText == "":
			return
		case moved.ErrorText != "net::ERR_ABORTED":
			b.t.Fatalf("%s: %s", url, moved.ErrorText)
		default:
			problem = moved.ErrorText
		}
	}
	b.t.Fatalf("%s: %s", url, problem)
}

// bounded is a tab whose commands end with a context.
type bounded struct {
	*tab
	ctx context.Context
}

// GetContext implements proto.Contextable.
func (b *bounded) GetContext() context.Context { return b.ctx }

// patienceOfPages is how long a page may take to do something, on a busy machine.
const patienceOfPages = 60 * time.Second

// until waits for an expression of the page to become true. The page may be replaced by another meanwhile.
func (b *tab) until(expression string) {
	b.t.Helper()
	var problem string
	end := time.Now().Add(patienceOfPages)
	for time.Now().Before(end) {
		var seen struct {
			Value bool
			Text  string
		}
		// The page looks at itself in every frame for half a second: it reports at once, and nobody sleeps here.
		problem = b.try(`new Promise((resolve) => {
			const end = performance.now() + 500;
			const look = () => {
				let value = false;
				try { value = Boolean(`+expression+`); } catch {}
				if (value || performance.now() > end) {
					resolve({ value, text: location.href + '\n' + (document.body?.innerText ?? '') });
				} else {
					setTimeout(look, 20);
				}
			};
			look();
		})`, &seen)
		if seen.Value {
			return
		}
		if problem == "" {
			problem = seen.Text
		}
	}
	b.t.Fatalf("waited in vain for %s: %.2000s", expression, problem)
}

// try evaluates an expression, which may be a promise. A page that is being replaced is a problem, too.
func (b *tab) try(expression string, into any) (problem string) {
	b.t.Helper()
	answer, err := proto.RuntimeEvaluate{Expression: expression, AwaitPromise: true, ReturnByValue: true, UserGesture: true}.Call(b)
	switch {
	case err != nil:
		return err.Error()
	case answer.ExceptionDetails != nil:
		return answer.ExceptionDetails.Text
	}
	text, err := answer.Result.Value.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// evaluate is try for an expression that has to work, if not on this page, then on the one that replaces it: the API explorer
// leaves for the sign-in page when nobody is signed in any more.
func evaluate[T any](b *tab, expression string) T {
	b.t.Helper()
	var value T
	var problem string
	for range 3 {
		problem = b.try(expression, &value)
		if problem == "" {
			return value
		}
		b.until("document.readyState === 'complete'")
	}
	b.t.Fatalf("%s: %s", expression, problem)
	return value
}

// click clicks an element once it can be clicked.
func (b *tab) click(selector string) {
	b.t.Helper()
	element := "document.querySelector(" + quoted(selector) + ")"
	b.until(element + " !== null && !" + element + ".disabled")
	evaluate[any](b, element+".click()")
}

// fill writes into a field once it is there.
func (b *tab) fill(selector, text string) {
	b.t.Helper()
	element := "document.querySelector(" + quoted(selector) + ")"
	b.until(element + " !== null")
	evaluate[string](b, element+".value = "+quoted(text))
}

// at waits for the page of a path, loaded completely.
func (b *tab) at(path string) {
	b.t.Helper()
	b.until("location.pathname + location.search === " + quoted(path) + " && document.readyState === 'complete'")
}

// reads waits for a text on the page.
func (b *tab) reads(text string) {
	b.t.Helper()
	b.until("document.body.innerText.includes(" + quoted(text) + ")")
}

// picture writes what the tab shows to a file if AFTERIMAGE_PICTURES names a folder.
func (b *tab) picture(name string) {
	b.t.Helper()
	folder := os.Getenv("AFTERIMAGE_PICTURES")
	if folder == "" {
		return
	}
	b.until("document.readyState === 'complete'")
	shown, err := proto.PageCaptureScreenshot{}.Call(b)
	b.must(err)
	b.must(os.WriteFile(filepath.Join(folder, name+".png"), shown.Data, 0o600))
}

func quoted(text string) string {
	encoded, _ := json.Marshal(text)
	return string(encoded)
}

// authenticator adds an authenticator to the browser that has verified its user, and returns its id.
func (b *tab) authenticator() proto.WebAuthnAuthenticatorID {
	b.t.Helper()
	b.must(proto.WebAuthnEnable{}.Call(b))
	added, err := proto.WebAuthnAddVirtualAuthenticator{Options: &proto.WebAuthnVirtualAuthenticatorOptions{
		Protocol: proto.WebAuthnAuthenticatorProtocolCtap2, Ctap2Version: proto.WebAuthnCtap2VersionCtap21,
		Transport: proto.WebAuthnAuthenticatorTransportInternal, HasResidentKey: true, HasUserVerification: true,
		IsUserVerified: true, AutomaticPresenceSimulation: true,
	}}.Call(b)
	b.must(err)
	return added.AuthenticatorID
}

// lose removes an authenticator with its passkeys.
func (b *tab) lose(id proto.WebAuthnAuthenticatorID) {
	b.t.Helper()
	b.must(proto.WebAuthnRemoveVirtualAuthenticator{AuthenticatorID: id}.Call(b))
}
