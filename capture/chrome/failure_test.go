package chrome

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/internal/page"
)

func quietLog() *log.Logger { return log.New(discard{}, "", 0) }

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// TestFailureReasons: each page that cannot be captured ends within its deadline with its documented reason.
func TestFailureReasons(t *testing.T) {
	released := make(chan struct{})
	t.Cleanup(func() { close(released) }) // the subtests run in parallel, after this function
	hang := func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-released:
		case <-r.Context().Done():
		}
	}
	attachment := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=page.html")
		serve("text/html", "hello")(w, r)
	}
	flood := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}
	endless := func(w http.ResponseWriter, r *http.Request) {
		serve("text/html", "<p>one")(w, r)
		_ = http.NewResponseController(w).Flush()
		hang(w, r)
	}
	self := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }
	locked := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="r"`)
		w.WriteHeader(http.StatusUnauthorized)
	}
	at := func(path string, h http.HandlerFunc) string { return site.handle(t, path, h) }
	html := func(body string) http.HandlerFunc { return serve("text/html", body) }
	at("flood", flood)

	const short = 2 * time.Second
	for name, test := range map[string]struct {
		address  string
		deadline time.Duration
		want     capture.Reason
	}{
		"name not found":      {"http://nowhere.test/", 0, capture.ReasonDNS},
		"name not found, tls": {"https://nowhere.test/", 0, capture.ReasonDNS},
		"nobody listens":      {"http://" + site.closedPort, 0, capture.ReasonConnect},
		"nobody listens, tls": {"https://" + site.closedPort, 0, capture.ReasonConnect},
		"unknown certificate": {site.secure.URL, 0, capture.ReasonTLS},
		"no tls":              {"https://" + site.hostPort(), 0, capture.ReasonNoTLS},
		"empty error": {at("empty", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }), 0,
			capture.ReasonHTTPStatus},
		"no content": {at("nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }), 0,
			capture.ReasonHTTPStatus},
		"internal address":      {"http://127.0.0.1:1/", 0, capture.ReasonBlockedAddress},
		"internal address, tls": {"https://127.0.0.1:1/", 0, capture.ReasonBlockedAddress},
		"internal name":         {"http://localhost:8080/", 0, capture.ReasonBlockedAddress},
		"redirect to internal": {at("in", http.RedirectHandler("http://127.0.0.1:8080/", http.StatusFound).ServeHTTP), 0,
			capture.ReasonBlockedAddress},
		"script to internal": {at("js", html("<script>location='http://127.0.0.1:8080/'</script>")), 0, capture.ReasonBlockedAddress},
		"redirects for ever": {at("loop", self), 0, capture.ReasonRedirectLoop},
		"refreshes for ever": {at("meta", html(`<meta http-equiv=refresh content="0">`)), 0, capture.ReasonRedirectLoop},
		"never answers":      {at("hang", hang), short, capture.ReasonTimeout},
		"never ends":         {at("endless", endless), short, capture.ReasonTimeout},
		"script never ends":  {at("busy", html("<p>busy<script>for(;;);</script>")), short, capture.ReasonTimeout},
		"script never ends, later": {at("later", html("<p>busy<script>onload = () => setTimeout(() => { for(;;); })</script>")), short,
			capture.ReasonTimeout},
		"resource without end": {at("heavy", html(`<script>fetch('flood').then((r) => r.blob())</script>`)), 0, capture.ReasonTooLarge},
		"pdf":                  {at("pdf", serve("application/pdf", "%PDF-1.4")), 0, capture.ReasonNotHTML},
		"picture": {at("svg", serve("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`)), 0,
			capture.ReasonNotHTML},
		"json":            {at("json", serve("application/json", `{}`)), 0, capture.ReasonNotHTML},
		"archive":         {at("zip", serve("application/zip", "PK")), 0, capture.ReasonNotHTML},
		"download":        {at("download", attachment), 0, capture.ReasonDownload},
		"password needed": {at("locked", locked), 0, capture.ReasonCredentials},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failure := failToTake(t, capture.Request{URL: test.address, Deadline: test.deadline})
			if failure.Reason != test.want {
				t.Errorf("reason is %q (%v), want %q", failure.Reason, failure, test.want)
			}
			if failure.Sentence() == "" || strings.Contains(failure.Sentence(), "net::") || failure.Stage == "" {
				t.Errorf("stage %q, sentence %q", failure.Stage, failure.Sentence())
			}
		})
	}
}

// failToTake expects a capture to fail in time.
func failToTake(t *testing.T, req capture.Request) *capture.Failure {
	t.Helper()
	if req.Device == "" {
		req.Device = capture.Desktop
	}
	begin := time.Now()
	_, err := pool.Capture(t.Context(), req)
	var failure *capture.Failure
	if !errors.As(err, &failure) {
		t.Fatalf("error is %v, want a failure", err)
	}
	if limit := capture.DefaultDeadline + time.Minute; time.Since(begin) > limit { // the end of one may take its time
		t.Errorf("took %s, more than %s", time.Since(begin), limit)
	}
	return failure
}

// TestPagesThatGetInTheWay: these are captured all the same, on a phone, whose pictures of tall pages are the smallest.
func TestPagesThatGetInTheWay(t *testing.T) {
	never := site.handle(t, "never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	for name, body := range map[string]string{
		"dialogs":  `<script>alert(1); confirm(2); prompt(3); onbeforeunload = () => 'stay'; print()</script>`,
		"popups":   `<script>for (let i = 0; i < 50; i++) window.open('page?' + i); </script>`,
		"download": `<a download href="data:application/zip,x" id=a></a><script>a.click()</script>`,
		"console":  `<script>for (let i = 0; i < 20000; i++) console.log('x'.repeat(100) + i)</script>`,
		"streams": `<script>new EventSource('` + never + `'); new WebSocket('` + strings.Replace(never, "http", "ws", 1) +
			`')</script><video src="` + never + `" autoplay></video>`,
		"history":       `<script>for (let i = 0; i < 300; i++) history.pushState(0, '', '#' + i)</script>`,
		"closes itself": `<script>window.close()</script>`,
		"shouts":        `<script>console.log('x'.repeat(30e6))</script>`,
		"grows": `<div id=d></div><script>addEventListener('scroll', () => { d.style.height = d.offsetHeight + 5000 + 'px' ` +
			`})</script><p style="height:2000px">`,
		"very tall": `<div style="height:1000000px">`,
		"mutates":   `<p id=p><script>setInterval(() => { p.textContent = Math.random() }, 10)</script>`,
		"leaves a trap": `<script>document.addEventListener('scroll', () => { for (const end = performance.now() + 300; ` +
			`performance.now() < end;); })</script><p style="height:5000px">`,
		"broken world": `<script>Promise = null; requestAnimationFrame = null; Element.prototype.getAnimations = null; ` +
			`document.querySelectorAll = null</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const head = `<title>page</title><meta name=viewport content="width=device-width">`
			shot := take(t, capture.Request{URL: site.handle(t, "page", serve("text/html", head+body)), Device: capture.Mobile})
			if shot.Title != "page" || len(shot.Console) > 100 {
				t.Errorf("title %q, %d console entries", shot.Title, len(shot.Console))
			}
		})
	}
}

// TestWhatIsDrawnIsCapturedAlthoughAResourceNeverAnswers: the resource is named.
func TestWhatIsDrawnIsCapturedAlthoughAResourceNeverAnswers(t *testing.T) {
	never := site.handle(t, "never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	for name, head := range map[string]string{
		"a deferred script": `<script defer src="` + never + `"></script>`,
		"a module":          `<script type=module src="` + never + `"></script>`,
		"two scripts":       `<script defer src="` + never + `"></script><script async src="` + never + `?2"></script>`,
		"a picture":         `<img src="` + never + `">`,
		"a frame":           `<iframe src="` + never + `"></iframe>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shot := take(t, capture.Request{URL: site.handle(t, "page", serve("text/html", "<title>page</title>"+head+"<p>Drawn</p>"))})
			if !strings.Contains(shot.Content.Text, "Drawn") || !slices.Contains(shot.Manifest.TimedOut, "load") {
				t.Errorf("text %q, timed out %q", shot.Content.Text, shot.Manifest.TimedOut)
			}
			named := func(f page.FailedRequest) bool { return f.URL == never && f.Error == page.NoAnswer }
			if !slices.ContainsFunc(shot.Manifest.FailedRequests, named) {
				t.Errorf("failed requests %+v", shot.Manifest.FailedRequests)
			}
			if told := page.WhatIsMissing(shot.Manifest.Missing); !strings.HasPrefix(told, "parts of the page (never") {
				t.Errorf("the capture says: %s", told)
			}
		})
	}
}

// TestADocumentThatIsNeverReadIsLeft does not wait for its deadline, which is far away.
func TestADocumentThatIsNeverReadIsLeft(t *testing.T) {
	t.Parallel()
	never := site.handle(t, "never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	failure := failToTake(t, capture.Request{
		URL:      site.handle(t, "page", serve("text/html", `<title>page</title><script src="`+never+`"></script><p>Not read</p>`)),
		Deadline: 5 * time.Minute,
	})
	if failure.Reason != capture.ReasonTimeout || !failure.NeverReady() || !strings.Contains(failure.Sentence(), "still waiting for ") ||
		!strings.Contains(failure.Sentence(), path.Base(never)) {
		t.Errorf("%v: %s", failure, failure.Sentence())
	}
}

func TestHangingResourceIsRecorded(t *testing.T) {
	site.handle(t, "never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	shot := take(t, capture.Request{URL: site.page(t, `<script>fetch('never')</script>`)})
	if fmt.Sprint(shot.Manifest.TimedOut) != "[network]" {
		t.Errorf("timed out %q, want the network once", shot.Manifest.TimedOut)
	}
}
