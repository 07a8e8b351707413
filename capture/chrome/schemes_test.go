package chrome

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
)

// forbidden are addresses of every scheme that is not the web's, in the spellings that browsers forgive.
var forbidden = []string{
	"file:///etc/passwd", "FILE:///etc/passwd", "file:/etc/passwd", "file://localhost/etc/passwd", "fi\tle:///etc/passwd",
	"\x01file:///etc/passwd", "file:\\\\\\etc\\passwd",
	"view-source:http://example.com/", "View-Source:file:///etc/passwd", "view-source:view-source:http://example.com/",
	"chrome://version", "CHROME://settings", "chrome:\\\\version", "chrome://crash", "chrome://gpucrash", "chrome-untrusted://terminal/",
	"chrome-extension://abc/",
	"devtools://devtools/bundled/inspector.html", "DevTools://devtools", "about:blank", "ABOUT:blank", "about:srcdoc", "about:version",
	"\nabout:blank",
	"data:text/html,<title>other</title>", "DATA:text/html;base64,PHRpdGxlPm90aGVyPC90aXRsZT4=", "da\nta:text/html,other",
	"blob:http://example.com/1", "BLOB:null/1", "javascript:document.title='other'", "JavaScript://example.com/%0Adocument.title='other'",
	"java\tscript:document.title='other'",
	"ftp://example.com/", "FTP://user:password@example.com:21/", "filesystem:http://example.com/temporary/",
	"FileSystem:file:///etc/passwd",
	"ws://example.com/", "mailto:nobody@example.com", "intent://example.com/#Intent;scheme=http;end", "about:blank#http://example.com/",
	"isolated-app://abc/", "externalfile:abc",
}

// malformed are addresses that look like the web's and are not, or hide where they lead.
var malformed = []string{
	"", " ", "example.com", "//example.com/", "/path", "http:example.com", "http:/example.com", "http:///x", "http://", "https://",
	"http:\\\\example.com",
	"http://example.com\\@127.0.0.1/", "http://exa mple.com/", "http://example.com/\x00", "\thttp://example.com/",
	"http://example.com/\r\nHost:x", "http://example.com\x7f/",
	"http://user:password@example.com/", "http://user@example.com/", "http://:password@example.com/", "http://@example.com/",
	"http://example.com:80@127.0.0.1/",
	"http://example.com:99999999999999/", "http://example.com:-1/", "http://example.com:65536/", "http://example.com:80:80/",
	"http://example.com:http/", "http://example.com:0x50/",
	"http://[::1", "http://::1/", "http://[fe80::1%25eth0]/", "http://%31/", "http://example.com%00/", "http://exam%70le.com/",
	"http://1.2.3.4.5%2f/",
	"http://example.com/" + strings.Repeat("a", 9000),
}

func TestAddressesThatAreNotVisited(t *testing.T) {
	tab := openTab(t, pool) // is never touched: the guard comes first
	for _, address := range slices.Concat(forbidden, malformed) {
		_, err := capture.Page(t.Context(), tab, capture.Request{URL: address, Device: capture.Desktop})
		var failure *capture.Failure
		if !errors.As(err, &failure) || failure.Reason != capture.ReasonInvalidAddress || failure.Stage != "guard" {
			t.Errorf("%.60q: %v, want invalid_address at the guard", address, err)
		}
	}
	if failure := failToTake(t, capture.Request{URL: "http://example.com",
		Device: "watch"}); failure.Reason != capture.ReasonInvalidAddress {
		t.Errorf("unknown device: reason is %q", failure.Reason)
	}
	// Valid, and refused by the policy: ports that no pages are served from, and those that browsers refuse.
	for _, address := range []string{"http://127.0.0.1:22/", "http://127.0.0.1:6379/", "http://127.0.0.1:0/", "http://127.0.0.1:9222/",
		"HTTP://127.0.0.1:11211/"} {
		if failure := failToTake(t, capture.Request{URL: address}); failure.Reason != capture.ReasonBlockedAddress {
			t.Errorf("%s: reason is %q (%v), want blocked_address", address, failure.Reason, failure)
		}
	}
}

// TestPagesGoNowhereElse: whatever a page does to bring the browser to another scheme, what is captured is a page of the
// web, or nothing.
func TestPagesGoNowhereElse(outer *testing.T) {
	for i, address := range []string{
		"file:///etc/passwd", "view-source:http://example.com/", "chrome://version", "devtools://devtools/bundled/inspector.html",
		"about:version",
		"data:text/html,<title>other</title>", "blob:http://example.com/1", "ftp://example.com/",
		"filesystem:http://example.com/temporary/", "chrome://crash",
	} {
		quoted, err := json.Marshal(address)
		if err != nil {
			outer.Fatal(err)
		}
		for way, body := range map[string]string{
			"script":  `<script>onload = () => { location = ` + string(quoted) + ` }</script>`,
			"form":    `<form action="` + address + `"></form><script>onload = () => document.forms[0].submit()</script>`,
			"refresh": `<meta http-equiv=refresh content="0;url=` + address + `">`,
			"header":  "",
		} {
			outer.Run(fmt.Sprint(address, " by ", way), func(t *testing.T) {
				t.Parallel()
				page := site.handle(outer, fmt.Sprint(i, "-", way), func(w http.ResponseWriter, r *http.Request) {
					if way == "header" {
						w.Header().Set("Location", address)
						w.WriteHeader(http.StatusFound)
						return
					}
					serve("text/html", "<!doctype html><title>stays</title>"+body)(w, r)
				})
				shot, err := pool.Capture(t.Context(), capture.Request{URL: page, Device: capture.Desktop, Deadline: patient})
				if err == nil && (shot.Title != "stays" || !strings.HasPrefix(shot.FinalURL, page)) {
					t.Errorf("captured %q at %s", shot.Title, shot.FinalURL)
				}
				if err != nil {
					wantReason(t, err, capture.ReasonInvalidAddress)
				}
			})
		}
	}
}

// TestFramesGoNowhereElse: no frame shows what is not the web's, nor a document that the page made itself.
func TestFramesGoNowhereElse(t *testing.T) {
	list, err := json.Marshal(forbidden)
	if err != nil {
		t.Fatal(err)
	}
	var frames strings.Builder
	for _, address := range forbidden {
		fmt.Fprintf(&frames, `<iframe src="%s" width=30 height=30></iframe><iframe width=30 height=30></iframe>`,
			strings.ReplaceAll(address, `"`, "&quot;"))
	}
	address := site.page(t, `<title>stays</title>`+frames.String()+`<script>
		`+string(list)+`.forEach((address, i) => { try { frames[2 * i + 1].location = address } catch {}; try { window.open(address) } `+
		`catch {} })</script>`)
	tab := openTab(t, pool)
	probe := &probeTab{tab: tab, before: func() { wantFramesOfTheWeb(t, tab) }}
	shot, err := capture.Page(t.Context(), probe, capture.Request{URL: address, Device: capture.Desktop})
	if err != nil || shot.Title == "other" {
		t.Errorf("%+v (%v)", shot, err)
	}
}

// TestPagesOfTheirOwnMaking: a page may replace itself by a document that has no address of the web; that is not captured.
func TestPagesOfTheirOwnMaking(t *testing.T) {
	for name, script := range map[string]string{
		"blank":   `location = 'about:blank'`,
		"blob":    `location = URL.createObjectURL(new Blob(['<title>other</title>'], {type: 'text/html'}))`,
		"refresh": `document.write('<meta http-equiv=refresh content="0;url=about:blank">')`,
	} {
		failure := failToTake(t, capture.Request{URL: site.handle(t, name,
			serve("text/html", "<title>own</title><script>"+script+"</script>"))})
		if failure.Reason != capture.ReasonInvalidAddress {
			t.Errorf("%s: reason is %q (%v), want invalid_address", name, failure.Reason, failure)
		}
	}
}

// wantFramesOfTheWeb asks the browser where its frames are. A frame that was led nowhere has no address, which some versions
// write as ":"; it has to be empty.
func wantFramesOfTheWeb(t *testing.T, tab *tab) {
	raw, err := tab.Begin(proto.PageGetFrameTree{}).Result(t.Context())
	var tree proto.PageGetFrameTreeResult
	if err != nil || json.Unmarshal(raw, &tree) != nil || tree.FrameTree == nil {
		t.Errorf("frames: %s (%v)", raw, err)
		return
	}
	open := []*proto.PageFrameTree{tree.FrameTree}
	for len(open) > 0 {
		at := open[0]
		open = append(open[1:], at.ChildFrames...)
		if at.Frame.URL == "" || at.Frame.URL == ":" {
			wantEmptyFrame(t, tab, at.Frame.ID)
			continue
		}
		u, err := url.Parse(at.Frame.URL)
		if err != nil || !slices.Contains([]string{"http", "https", "about", "data", "blob", "chrome-error"}, u.Scheme) {
			t.Errorf("a frame shows %.80q", at.Frame.URL)
		}
	}
}

// wantEmptyFrame looks at a frame's document from a script world of our own.
func wantEmptyFrame(t *testing.T, tab *tab, id proto.PageFrameID) {
	t.Helper()
	var world proto.PageCreateIsolatedWorldResult
	raw, err := tab.Begin(proto.PageCreateIsolatedWorld{FrameID: id}).Result(t.Context())
	if err != nil || json.Unmarshal(raw, &world) != nil {
		t.Errorf("enter a frame without an address: %s (%v)", raw, err)
		return
	}
	var said proto.RuntimeEvaluateResult
	raw, err = tab.Begin(proto.RuntimeEvaluate{
		Expression: "document.documentElement.outerHTML", ContextID: world.ExecutionContextID, ReturnByValue: true,
	}).Result(t.Context())
	if err != nil || json.Unmarshal(raw, &said) != nil || said.Result == nil {
		t.Errorf("read a frame without an address: %s (%v)", raw, err)
		return
	}
	if html := said.Result.Value.Str(); html != "<html><head></head><body></body></html>" {
		t.Errorf("a frame without an address shows %.80q", html)
	}
}
