package toolpath

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// ErrNoBrowser means that no usable browser is installed. Its text names the remedy.
var ErrNoBrowser = errors.New("no headless Chromium found: run `make setup`, or install chromium-headless-shell, chromium or " +
	"google-chrome, or select one with --browser")

// The browsers in order of preference. The headless shell renders the same pixels as full Chromium with half the memory
// and, at four concurrent captures, about twice the throughput. Distributions wrap the binary in a shell script that
// stays in between as a process of its own, so the real files come first. Copies unpacked by `make setup` come before
// chromium-browser, which on Ubuntu may be a script that only points to another kind of package.
var (
	preferred = []string{
		"/usr/lib/chromium/chromium-headless-shell",
		"/usr/lib/chromium/headless_shell",
		"chromium-headless-shell",
		"chrome-headless-shell",
		"headless_shell",
		"/usr/lib/chromium/chromium",
		"chromium",
	}
	others = []string{
		"chromium-browser",
		"/opt/google/chrome/chrome",
		"google-chrome-stable",
		"google-chrome",
	}
)

// Browser returns the path of the browser that the environment variable AFTERIMAGE_BROWSER names, like the flag --browser,
// otherwise of the best one on this machine. It returns [ErrNoBrowser] when there is none.
func Browser() (string, error) {
	if named := os.Getenv("AFTERIMAGE_BROWSER"); named != "" {
		return exec.LookPath(named)
	}
	return first(slices.Concat(preferred, unpacked(), others))
}

func first(names []string) (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}

// unpacked lists where a copy unpacked by `make setup` may be.
func unpacked() []string {
	var paths []string
	for _, folder := range Folders() {
		paths = append(paths, filepath.Join(folder, "chromium", "chromium-headless-shell"))
	}
	return paths
}
