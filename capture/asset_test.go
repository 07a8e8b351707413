package capture

import (
	"encoding/json"
	"fmt"
	"testing"
)

// arrival is the event of a resource's answer.
func arrival(frame, kind, address string, status int) []byte {
	url, _ := json.Marshal(address)
	return fmt.Appendf(nil, `{"requestId":"R","loaderId":"L","frameId":%q,"type":%q,"response":{"url":%s,"status":%d,"headers":{}}}`, frame,
		kind, url, status)
}

func TestAssetsAreThoseOfThePageItself(t *testing.T) {
	o := newObserver(newFakeTab(), func(*Failure) {})
	seen := func(frame, kind, address string, status int) {
		o.handle("Network.responseReceived", arrival(frame, kind, address, status))
	}
	seen("F", "Script", "https://a.test/before.js", 200) // of the document that is left
	o.handle("Page.frameNavigated", []byte(`{"frame":{"id":"F","loaderId":"L2","url":"http://a.test/","mimeType":"text/html"}}`))
	for range 2 {
		seen("F", "Script", "https://a.test/b.js?ver=2", 200)
	}
	seen("F", "Stylesheet", "https://a.test/a.css", 304)
	seen("F", "Script", "https://a.test/missing.js", 404)
	seen("F", "Image", "https://a.test/a.png", 200)
	seen("F", "Script", "data:text/javascript,1", 200)
	seen("X", "Script", "https://ads.test/frame.js", 200)
	if got := fmt.Sprint(o.sortedAssets()); got != "[{style https://a.test/a.css} {script https://a.test/b.js?ver=2}]" {
		t.Error(got)
	}
	for i := range 2 * maxAssets {
		seen("F", "Script", fmt.Sprintf("https://a.test/%d.js", i), 200)
	}
	if n := len(o.sortedAssets()); n != maxAssets {
		t.Errorf("%d assets", n)
	}
}
