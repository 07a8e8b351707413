package report

import (
	"testing"

	"afterimage/internal/compare"
)

// TestPagesThatWereNotCapturedHaveAddresses, also those of a server's run, which has a name instead of an address.
func TestPagesThatWereNotCapturedHaveAddresses(t *testing.T) {
	for _, c := range []struct{ after, path, want string }{
		{"https://preview.example.com/", "/shop", "https://preview.example.com/shop"},
		{"Shop · after", "www.example.com/a (Shop)", "https://www.example.com/a%20(Shop)"},
	} {
		got := locationOf(&compare.Result{After: c.after}, &compare.Pair{Path: c.path}, "").Physical.Artifact.URI
		if got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.path, c.after, got, c.want)
		}
	}
}
