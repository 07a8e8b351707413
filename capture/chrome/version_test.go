package chrome

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"afterimage/internal/toolpath"
)

func TestOldBrowsersAreRefused(t *testing.T) {
	for version, refused := range map[string]bool{
		"147.0.7727.137": true, "148.0.7778.167": false, "156.0.8078.79": false, "1000.0.0.0": false, "": true, "Edg": true, "-1.0": true,
	} {
		err := checkMajor(version)
		if errors.Is(err, ErrTooOld) != refused {
			t.Errorf("%q: %v", version, err)
		}
		if refused && !strings.Contains(err.Error(), "make setup") {
			t.Errorf("%q: no remedy in %v", version, err)
		}
	}
}

// TestAPoolRefusesAnOldBrowser: a browser that says that it is old is ended again, and nothing is captured with it.
func TestAPoolRefusesAnOldBrowser(t *testing.T) {
	binary, err := toolpath.Browser()
	if err != nil {
		t.Fatal(err)
	}
	config := ownConfig(t, 1)
	// A browser that is too old is played by a script
	// that rewrites what a real one says of itself.
	old := filepath.Join(config.TempDir, "old-browser")
	script := "#!/bin/sh\nexec 5>&4\n" + binary + ` "$@" 4>&1 1>/dev/null | sed -zu 's|HeadlessChrome/[0-9]*|HeadlessChrome/120|' >&5` +
		"\n"
	if err := os.WriteFile(old, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	config.Binary = old
	p, err := Start(t.Context(), config)
	if err == nil {
		_ = p.Close()
	}
	if !errors.Is(err, ErrTooOld) || !strings.Contains(err.Error(), "Chromium 120.") {
		t.Errorf("start: %v, want ErrTooOld", err)
	}
}

func TestWhenAMajorVersionAppeared(t *testing.T) {
	for version, want := range map[string]string{
		"148.0.7778.167": "2026-04-21", "152.0.1.2": "2026-08-11", "153.0.8010.0": "2026-09-08", "154.0.0.0": "2026-09-22",
		"156.0.8078.79": "2026-10-20",
	} {
		if got := Released(version).Format(time.DateOnly); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
	if !Released("unknown").IsZero() {
		t.Error("a version that is no number has no date")
	}
}

// The script refuses the browsers that the program refuses.
func TestTheSetUpScriptKnowsTheOldestBrowser(t *testing.T) {
	script, err := os.ReadFile("../../scripts/setup")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^readonly min_chromium=(\d+)`).FindSubmatch(script)
	if found == nil || string(found[1]) != strconv.Itoa(OldestMajor) {
		t.Errorf("the script says %q, the program %d", found, OldestMajor)
	}
}
