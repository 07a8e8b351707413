package chrome

import (
	"errors"
	"os/exec"
)

// ErrNoBrowser says that no usable browser is installed. Its text names the remedy.
var ErrNoBrowser = errors.New("no headless Chromium found: run `make setup`, or install chromium-headless-shell, chromium or google-chrome, or name one with --chrome")

// candidates in order of preference. The headless shell gives the same pixels as full Chromium with half the memory and,
// at four captures at once, about twice the throughput. Distributions wrap the binary in a shell script that stays
// in between as a process of its own, therefore the real files come first.
var candidates = []string{
	"/usr/lib/chromium/chromium-headless-shell",
	"/usr/lib/chromium/headless_shell",
	"chromium-headless-shell",
	"chrome-headless-shell",
	"headless_shell",
	"/usr/lib/chromium/chromium",
	"chromium",
	"chromium-browser",
	"/opt/google/chrome/chrome",
	"google-chrome-stable",
	"google-chrome",
}

// Find returns the path of the best browser on this machine, or [ErrNoBrowser].
func Find() (string, error) {
	for _, name := range candidates {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}
