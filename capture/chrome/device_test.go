package chrome

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"afterimage/capture"
)

// The page learns the same from the user agent, from its client hints and from the headers.
func TestClientHintsAndSuffix(t *testing.T) {
	var agent string
	address := site.handle(t, "page", func(w http.ResponseWriter, r *http.Request) {
		agent = r.UserAgent()
		serve("text/html", `<!doctype html><script>
			navigator.userAgentData.getHighEntropyValues(['architecture', 'bitness', 'formFactors', 'fullVersionList', 'model', `+
			`'platformVersion', 'wow64'])
				.then(hints => console.log(JSON.stringify({...hints, agent: navigator.userAgent})))</script>`)(w, r)
	})
	for device, want := range map[capture.Device]struct {
		form, platform, model string
		mobile                bool
	}{
		capture.Desktop: {"Desktop", "Linux", "", false},
		capture.Mobile:  {"Mobile", "Android", "Pixel 8", true},
	} {
		for _, suffix := range []string{"", "Afterimage/1.0 (+https://example.com/bot)"} {
			shot := take(t, capture.Request{URL: address, Device: device, UserAgentSuffix: suffix})
			var seen struct {
				Agent, Platform, Model, Architecture string
				Mobile                               bool
				FormFactors                          []string
				FullVersionList                      []struct{ Brand, Version string }
			}
			if len(shot.Console) != 1 || json.Unmarshal([]byte(shot.Console[0].Text), &seen) != nil {
				t.Fatalf("console %+v", shot.Console)
			}
			if seen.Platform != want.platform || seen.Model != want.model || seen.Mobile != want.mobile || len(seen.FormFactors) != 1 ||
				seen.FormFactors[0] != want.form || len(seen.FullVersionList) != 3 {
				t.Errorf("%s: hints %+v", device, seen)
			}
			if seen.Agent != agent || strings.Contains(agent, "Headless") || strings.HasSuffix(agent, " "+suffix) != (suffix != "") {
				t.Errorf("%s: user agent %q in the page and %q in the header, want the suffix %q", device, seen.Agent, agent, suffix)
			}
		}
	}
	for _, bad := range []string{"two\r\nlines", "ünïcode", strings.Repeat("a", 101)} {
		_, err := pool.Capture(t.Context(), capture.Request{URL: address, Device: capture.Desktop, UserAgentSuffix: bad})
		wantReason(t, err, capture.ReasonInvalidAddress)
	}
}
