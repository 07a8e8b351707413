// Package e2e drives the real program from outside: the binary as it is shipped, its private Postgres, real Chromium,
// real HTTP and WebSocket. It imports nothing of the program.
package e2e

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"afterimage/internal/buckettest"
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	if err := buckettest.GiveCredentials(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if binary = os.Getenv(insideVariable); binary != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "afterimage-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "afterimage")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", binary, "../cmd/afterimage") // half the size, and sooner linked
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		return 1
	}
	// On any machine. The services and browsers of tests fill two processors: more at once only make captures late.
	if err := errors.Join(flag.Set("test.parallel", "3"), os.Setenv("AFTERIMAGE_CAPTURES", "2"),
		os.Setenv("AFTERIMAGE_CAPTURE_DEADLINE", "2m")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := closeHouses(); err != nil {
		fmt.Fprintln(os.Stderr, "The services that tests share were not in order:", err)
		return 1
	}
	return code
}
