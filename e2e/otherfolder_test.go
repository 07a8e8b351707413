package e2e

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// refused runs the binary and wants exit code 1 and one line that names the remedy.
func refused(t *testing.T, remedy string, args ...string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), binary, args...).CombinedOutput()
	var exit *exec.ExitError
	said := strings.TrimSpace(string(out))
	if !asExit(err, &exit) || exit.ExitCode() != 1 || strings.Contains(said, "\n") || !strings.Contains(said, remedy) {
		t.Errorf("afterimage %s ended with %v and said:\n%s\nwant one line with %q", args[0], err, out, remedy)
	}
}

// TestAnotherImageFolderIsRefused: a worker with a folder of its own would store pictures that the server cannot find.
func TestAnotherImageFolderIsRefused(t *testing.T) {
	t.Parallel()
	host := pages(t, &site{})
	s := serve(t, []string{host})
	key, err := os.ReadFile(filepath.Join(s.dir, "secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := dataDir(t)
	others := []string{"--data-dir", elsewhere, "--database-url", s.database, "--secret-key", strings.TrimSpace(string(key))}
	for _, command := range []string{"work", "doctor", "serve"} { // before any picture was taken
		refused(t, "--data-dir", append([]string{command}, others...)...)
	}
	for _, e := range s.await(s.take(s.group(nil, "http://"+host+"/still"), "pre")) {
		if e.Status != "done" {
			t.Errorf("%s is %s: %s", e.Device, e.Status, deref(e.ErrorMsg))
		}
	}
	refused(t, "--data-dir", append([]string{"work"}, others...)...)
	mark, err := os.ReadFile(filepath.Join(s.dir, "images", "store-id"))
	if err != nil {
		t.Fatal(err)
	}
	// A restored folder without its mark is told how to get it back; one of another installation is told apart.
	if err := os.WriteFile(filepath.Join(elsewhere, "images", "store-id"), mark, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), binary, append([]string{"doctor"}, others...)...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "row without a file") {
		t.Errorf("a folder with the right mark and no files: %v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(elsewhere, "images", "store-id"), []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, "another database", append([]string{"work"}, others...)...)
	s.check()
}

// TestAMissingKeyIsNotMadeAnew: a new key could open nothing of what the database has sealed.
func TestAMissingKeyIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	if out, err := exec.CommandContext(t.Context(), binary, "migrate", "--data-dir", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := filepath.Join(dir, "secret.key")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	refused(t, "restore", "migrate", "--data-dir", dir, "--log-level", "error")
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a key file was written (%v)", err)
	}
	leftovers, err := fs.Glob(os.DirFS(dir), ".key-*")
	if err != nil || len(leftovers) > 0 {
		t.Errorf("left behind: %v (%v)", leftovers, err)
	}
}
