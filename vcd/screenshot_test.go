package vcd

import (
	"testing"

	"afterimage/internal/page"
)

func TestAVisitTellsWhatItsManifestTells(t *testing.T) {
	shot := &Screenshot{
		Console:  []page.ConsoleEntry{{Text: "hello", Type: "log"}},
		Manifest: []byte(`{"failed_requests": [{"url": "https://example.test/b.js", "type": "Script", "status": 503}]}`),
	}
	if got := shot.Visit().FullConsole(); len(got) != 2 {
		t.Errorf("%v", got)
	}
	for _, broken := range []string{``, `{`, `{"failed_requests": 3}`} {
		shot.Manifest = []byte(broken)
		if got := shot.Visit().FullConsole(); len(got) != 1 {
			t.Errorf("%q: %v", broken, got)
		}
	}
}
