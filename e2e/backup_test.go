package e2e

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// TestAnInstallationIsRestoredFromABackup: a backup is made in the middle of a run, and everything else is lost. What is restored
// elsewhere, from the backup and the key, has no contradictions, and the run ends there.
func TestAnInstallationIsRestoredFromABackup(t *testing.T) {
	t.Parallel()
	shown := &site{}
	made := make(chan struct{}) // the backup in the middle of the run, for which all but two of its pages wait
	var asked atomic.Int64
	host := pages(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if shown.after.Load() && asked.Add(1) > 2 {
			select {
			case <-made:
			case <-r.Context().Done():
			}
		}
		shown.ServeHTTP(w, r)
	}))
	s := serveAlone(t, dataDir(t), []string{host})
	var urls []string
	for n := range 3 {
		urls = append(urls, fmt.Sprintf("http://%s/text?page=%d", host, n))
	}
	group := s.group(nil, urls...)
	s.await(s.take(group, "pre"))
	place := filepath.Join(t.TempDir(), "backups")
	s.backup("create", `^Backup \S+ has \d+ rows and ([1-9]\d*) pictures \(\d+ MB\), ([1-9]\d*) of them new`, place)
	shown.after.Store(true)
	run := s.take(group, "post")
	s.backup("create", `^Backup \S+ has \d+ rows and ([1-9]\d*) pictures \(\d+ MB\), (\d+) of them new`, place)
	close(made)
	s.backup("verify", `^Backup \S+ is complete: \d+ rows, [1-9]\d* pictures`, place)
	lastEvent := s.lastEvent()
	s.stop()

	key := read(t, filepath.Join(s.dir, "secret.key"))
	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	s.dir = dataDir(t)
	s.refuseToRestore(place)
	if err := os.WriteFile(filepath.Join(s.dir, "secret.key"), []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	s.restore(place)
	s.check("--deep")
	s.open("restored", []string{host})
	for _, e := range s.await(run) {
		if e.Status != "done" {
			t.Errorf("%s on %s is %s: %s", e.URLLink, e.Device, e.Status, deref(e.ErrorMsg))
		}
	}
	if now := s.lastEvent(); now < lastEvent-100 || now == 0 {
		t.Errorf("events go on at %d, and were at %d", now, lastEvent)
	}
	found := must[page[comparison]](s, http.MethodGet, "/comparisons?batches="+run, nil)
	if found.Meta.Total != 2*len(urls) || found.Meta.AboveThresholdCount != found.Meta.Total {
		t.Errorf("the run has %+v", found.Meta)
	}
	refused(t, "this database already has accounts, and a restore never overwrites data",
		"restore", place, "--data-dir", s.dir, "--log-level", "error")
	s.backup("prune", `Removed 1 backup and 0 pictures`, place, "--keep", "1")
	s.damageBackup(place)
	s.check("--deep")
}

// backup runs a command on backups of the installation and expects words.
func (s *service) backup(command, want string, args ...string) {
	s.t.Helper()
	args = append([]string{"backup", command, "--data-dir", s.dir, "--log-level", "error"}, args...)
	said, err := exec.CommandContext(s.t.Context(), binary, args...).CombinedOutput()
	if err != nil || !regexp.MustCompile("(?m)"+want).Match(said) {
		s.t.Fatalf("backup %s ended with %v and said %s\nwant %s", command, err, said, want)
	}
}

func (s *service) restore(place string) {
	s.t.Helper()
	said, err := exec.CommandContext(s.t.Context(), binary, "restore", place, "--data-dir", s.dir).CombinedOutput()
	if err != nil || !strings.Contains(string(said), "Restored backup ") {
		s.t.Fatalf("restore ended with %v and said %s", err, said)
	}
}

// refuseToRestore tries what cannot be restored; nothing is written.
func (s *service) refuseToRestore(place string) {
	s.t.Helper()
	refused(s.t, "secret.key is missing, and backups are encrypted", "restore", place, "--data-dir", s.dir)
	other := strings.Repeat("A", 43) + "="
	refused(s.t, "were encrypted with another secret key", "restore", place, "--data-dir", s.dir, "--secret-key", other)
	refused(s.t, "there is no backup in "+s.dir, "restore", s.dir, "--data-dir", s.dir, "--secret-key", other)
	if files, err := os.ReadDir(s.dir); err != nil || len(files) > 0 {
		s.t.Errorf("the data folder has %v (%v)", files, err)
	}
}

// damageBackup: what is cut off, exchanged or gone is told, and is not restored.
func (s *service) damageBackup(place string) {
	s.t.Helper()
	key := strings.TrimSpace(read(s.t, filepath.Join(s.dir, "secret.key")))
	parts := glob(s.t, filepath.Join(place, "backups", "*", "events", "*"))
	files := glob(s.t, filepath.Join(place, "files", "*", "*"))
	if len(parts) == 0 || len(files) < 2 {
		s.t.Fatalf("the place has %v and %v", parts, files)
	}
	whole := read(s.t, parts[0])
	for name, damage := range map[string]func() error{
		"is damaged":                func() error { return os.WriteFile(parts[0], []byte(whole[:len(whole)/2]), 0o600) },
		"the backup is incomplete:": func() error { return os.Remove(parts[0]) },
	} {
		if err := damage(); err != nil {
			s.t.Fatal(err)
		}
		empty := dataDir(s.t)
		refused(s.t, name, "restore", place, "--data-dir", empty, "--secret-key", key, "--log-level", "error")
		if err := os.WriteFile(parts[0], []byte(whole), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := os.Rename(files[0], files[1]); err != nil {
		s.t.Fatal(err)
	}
	said, err := exec.CommandContext(s.t.Context(), binary, "backup", "verify", place, "--data-dir", s.dir).CombinedOutput()
	if err == nil || !strings.Contains(string(said), "is damaged, or was replaced") || !strings.Contains(string(said), "is missing.") {
		s.t.Errorf("verify ended with %v and said %s", err, said)
	}
}
