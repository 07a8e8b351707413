package e2e

import (
	"fmt"
	"os"
	"testing"
)

func TestZKeep(t *testing.T) {
	if os.Getenv("KEEP") == "" {
		return
	}
	a, b := newOutlet(t, false), newOutlet(t, true)
	_ = os.WriteFile("/tmp/c17/urls", []byte(fmt.Sprintf("%s %s\n", a.server.URL, b.server.URL)), 0o600)
	select {}
}
