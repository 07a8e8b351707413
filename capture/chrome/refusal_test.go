package chrome

import (
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"afterimage/capture"
	pagedata "afterimage/internal/page"
)

// TestARefusedPageIsLeftAtItsAnswer: whoever looks whether a site answers again asks for the document and for nothing else. With or
// without a page in the answer, its status and its Retry-After are known.
func TestARefusedPageIsLeftAtItsAnswer(t *testing.T) {
	for _, status := range []int{http.StatusServiceUnavailable, http.StatusTooManyRequests} {
		refuse := func(body string) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				if body != "" {
					w.Header().Set("Content-Type", "text/html")
				}
				w.Header().Set("Retry-After", "600")
				w.WriteHeader(status)
				_, _ = w.Write([]byte(body))
			}
		}
		page := site.handle(t, "closed", refuse(`<title>closed</title><p>We will be back.`))
		shot := take(t, capture.Request{URL: page, LeaveRefused: true})
		if shot.PNG != nil || shot.Status != status || shot.RetryAfter != "600" || slices.ContainsFunc(shot.Manifest.Stages,
			func(s pagedata.StageTime) bool { return s.Stage == "load" }) {
			t.Errorf("%d: left with %d bytes, status %d, %q after %v", status, len(shot.PNG), shot.Status, shot.RetryAfter,
				shot.Manifest.Stages)
		}
		if shot := take(t, capture.Request{URL: page}); shot.PNG == nil || shot.Status != status {
			t.Errorf("%d: what visitors see has %d bytes and status %d", status, len(shot.PNG), shot.Status)
		}
		empty := site.handle(t, "empty", refuse(""))
		if shot := take(t, capture.Request{URL: empty, LeaveRefused: true}); shot.Status != status || shot.RetryAfter != "600" {
			t.Errorf("%d without a page, left: status %d, %q", status, shot.Status, shot.RetryAfter)
		}
		if failure := failToTake(t, capture.Request{URL: empty}); failure.Status != status || failure.RetryAfter != "600" {
			t.Errorf("%d without a page: %+v", status, failure)
		}
	}
	var asked atomic.Int32
	style := site.handle(t, "style.css", func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		serve("text/css", "p{color:red}")(w, r)
	})
	open := site.handle(t, "open", serve("text/html", `<link rel=stylesheet href="`+style+`"><p>Open`))
	shot := take(t, capture.Request{URL: open, LeaveRefused: true})
	if shot.PNG == nil || shot.Status != http.StatusOK || asked.Load() == 0 {
		t.Errorf("a page that is served again: %d bytes, status %d", len(shot.PNG), shot.Status)
	}
}
