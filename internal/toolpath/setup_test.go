package toolpath_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// packageTools stand in for the system's: they know one package with a newer version, and note what is asked of them.
var packageTools = map[string]string{
	"apt-get":    `printf '%s\n' "$*" >>"$NOTES"`,
	"apt-cache":  `[ "$1" != policy ] || printf 'x:\n  Installed: 1\n  Candidate: 2\n'`,
	"dpkg-query": `case $1 in -S) echo "chromium-headless-shell: $2" ;; *) printf 1 ;; esac`,
	"dpkg":       `[ "$1 $2 $3 $4" = '--compare-versions 1 lt 2' ]`,
	"sudo":       `[ "$1" != -n ] || shift; exec "$@"`,
}

// TestTheBrowserIsBroughtUpToDateOnceADay: for a program that opens strangers' pages an old browser is a hole.
func TestTheBrowserIsBroughtUpToDateOnceADay(t *testing.T) {
	tools, stubs := t.TempDir(), t.TempDir()
	notes := filepath.Join(tools, "notes")
	for name, body := range packageTools {
		if err := os.WriteFile(filepath.Join(stubs, name), []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	setUp := func() (asked string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), "../../scripts/setup")
		command.Env = append(os.Environ(), "PATH="+stubs+":"+os.Getenv("PATH"), "NOTES="+notes, "AFTERIMAGE_TOOLS_DIR="+tools)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("setup: %v\n%s", err, out)
		}
		raw, err := os.ReadFile(notes)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if err := os.RemoveAll(notes); err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	if asked := setUp(); strings.Count(asked, "--only-upgrade chromium-headless-shell") != 1 {
		t.Errorf("the first time apt-get was asked: %q", asked)
	}
	if asked := setUp(); asked != "" {
		t.Errorf("the second time apt-get was asked: %q", asked)
	}
}
