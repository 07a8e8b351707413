package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// versions are builds of the program.
type versions struct {
	old, current string
	wrongClock   string // two hours ahead; empty where it would take too long to build
}

// buildVersions builds the version before the last change of the schema, and the current one with a wrong clock, which takes minutes. In
// a small run there is only the current one.
func buildVersions(t *testing.T) versions {
	t.Helper()
	if os.Getenv("AFTERIMAGE_SOAK") == "" {
		return versions{old: binary, current: binary}
	}
	return versions{old: builtFrom(t, earlierVersion(t)), current: binary, wrongClock: builtAhead(t)}
}

// earlierVersion is the commit on which the last change of the schema was built, unless AFTERIMAGE_MACHINES_FROM names another one.
func earlierVersion(t *testing.T) (commit string) {
	t.Helper()
	if commit = os.Getenv("AFTERIMAGE_MACHINES_FROM"); commit != "" {
		return commit
	}
	migrations, err := filepath.Glob("../db/schema/migrations/*.sql")
	if err != nil || len(migrations) == 0 {
		t.Fatalf("no migrations: %v", err)
	}
	newest := migrations[len(migrations)-1]
	// Migrations have moved to another folder since: their beginning is what counts.
	return output(t, ".", "git", "log", "-1", "--follow", "--first-parent", "-m", "--diff-filter=A", "--format=%H^", "--", newest)
}

// builtFrom builds an earlier commit.
func builtFrom(t *testing.T, commit string) (program string) {
	t.Helper()
	dir := t.TempDir()
	archive := filepath.Join(dir, "source.tar")
	output(t, "..", "git", "archive", "--output", archive, commit)
	output(t, dir, "tar", "-xf", archive)
	program = filepath.Join(dir, "afterimage")
	output(t, dir, "go", "build", "-trimpath", "-o", program+".bin", "./cmd/afterimage")
	t.Logf("the earlier version is %s", output(t, "..", "git", "log", "-1", "--format=%h %s", commit))
	return program + ".bin"
}

// builtAhead builds this version with a clock that is two hours ahead. A process cannot have a time of day of its own.
func builtAhead(t *testing.T) (program string) {
	t.Helper()
	o := newOverlay(t)
	source := filepath.Join(output(t, ".", "go", "env", "GOROOT"), "src", "time", "time.go")
	o.replace(source, `(func Now\(\) Time \{\n\tsec, nsec, mono := .*)`,
		"$1\n\tsec += 7200")
	program = filepath.Join(t.TempDir(), "afterimage")
	output(t, ".", "go", "build", "-trimpath", "-overlay", o.list(), "-o", program, "../cmd/afterimage")
	return program
}

func output(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}
