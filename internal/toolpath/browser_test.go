package toolpath

import (
	"errors"
	"strings"
	"testing"
)

func TestNoBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := first([]string{"chromium"}); !errors.Is(err, ErrNoBrowser) || !strings.Contains(err.Error(), "make setup") {
		t.Errorf("no browser at all: %v", err)
	}
	t.Setenv("AFTERIMAGE_BROWSER", "chromium")
	if _, err := Browser(); err == nil {
		t.Error("a browser that is named and missing was found")
	}
}
