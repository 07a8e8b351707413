package e2e

import (
	"bytes"
	"image/png"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"afterimage/internal/buckettest"
)

// TestPicturesInABucket is the whole way with an S3 server: capture, compare, and the page that shows the difference.
func TestPicturesInABucket(t *testing.T) {
	t.Parallel()
	server := buckettest.StartS3(t)
	images := []string{"--images", server.Bucket(t, "pictures")}
	shown := &site{}
	host := pages(t, shown)
	s := serve(t, []string{host}, images...)
	group := s.group(nil, "http://"+host+"/text")
	s.await(s.take(group, "pre"))
	shown.after.Store(true)
	batch := s.take(group, "post")
	for _, e := range s.await(batch) {
		if e.Status != "done" {
			t.Errorf("%s is %s: %s", e.Device, e.Status, deref(e.ErrorMsg))
		}
	}
	found := must[page[struct {
		PublicLink string `json:"public_link"`
	}]](s, http.MethodGet, "/comparisons?batches="+batch, nil).Data
	if len(found) != 2 {
		t.Fatalf("%d comparisons", len(found))
	}
	_, body := get(t, http.DefaultClient, found[0].PublicLink, nil)
	links := regexp.MustCompile(`src="(/images/[^"]+\.png)"`).FindAllStringSubmatch(body, -1)
	if len(links) < 2 {
		t.Fatalf("the page shows no pictures:\n%s", body)
	}
	for _, link := range links {
		answer, picture := get(t, http.DefaultClient, s.url+link[1], nil)
		if _, err := png.Decode(bytes.NewReader([]byte(picture))); err != nil {
			t.Errorf("%s: %s, %v", link[1], answer.Status, err)
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "images")); !os.IsNotExist(err) {
		t.Errorf("there are pictures in the data folder as well (%v)", err)
	}
	s.check(append(images, "--deep")...)
	s.copyBucket(server, images)
	s.otherBuckets(server, images[1])
	s.damagedBucket(server, images)
}

// copyBucket: while the service runs, all pictures are copied to a folder, once, from which an installation can go on. A copy that is
// killed is continued.
func (s *service) copyBucket(server *buckettest.Server, images []string) {
	s.t.Helper()
	folder := filepath.Join(s.t.TempDir(), "images")
	s.killCopy(server, images, folder)
	for _, want := range []string{
		`^Copied [1-9]\d* files \(\d+ MB\); already there: [1-9]\d*\.$`,
		`^Copied 0 files \(0 MB\); already there: [1-9]\d*\.$`,
	} {
		args := slices.Concat([]string{"images", "copy", "--to", folder, "--log-level", "error"}, s.at(), images)
		said, err := exec.CommandContext(s.t.Context(), binary, args...).CombinedOutput()
		if err != nil || !regexp.MustCompile(want).MatchString(strings.TrimSpace(string(said))) {
			s.t.Errorf("copying ended with %v and said %s\nwant %s", err, said, want)
		}
	}
	s.check("--images", "file://"+folder, "--deep")
}

// killCopy kills a copy when it has copied a file.
func (s *service) killCopy(server *buckettest.Server, images []string, folder string) {
	s.t.Helper()
	slow := server.NewProxy(s.t)
	slow.Break(http.MethodGet, ".bin", -1, buckettest.Slow(300*time.Millisecond))
	args := slices.Concat([]string{"images", "copy", "--from", server.URL(s.t, "pictures", slow.Endpoint), "--to", folder,
		"--parallel", "1", "--log-level", "error"}, s.at(), images)
	copying := exec.CommandContext(s.t.Context(), binary, args...)
	if err := copying.Start(); err != nil {
		s.t.Fatal(err)
	}
	waitFor(s.t, "the first copied file", func() bool {
		found, err := filepath.Glob(filepath.Join(folder, "*", "*", "*.bin"))
		return err == nil && len(found) > 0
	})
	_ = copying.Process.Kill()
	if err := copying.Wait(); err == nil {
		s.t.Error("the copy was complete before it was killed")
	}
}

// otherBuckets: a process with another bucket would not find pictures; one of another installation is told apart.
func (s *service) otherBuckets(server *buckettest.Server, url string) {
	s.t.Helper()
	key := strings.TrimSpace(read(s.t, filepath.Join(s.dir, "secret.key")))
	doctor := func(images string) []string {
		return []string{"doctor", "--data-dir", dataDir(s.t), "--database-url", s.database, "--secret-key", key, "--images", images}
	}
	refused(s.t, "does not belong to this database", doctor(server.Bucket(s.t, "empty"))...)
	refused(s.t, "there is no such bucket", doctor(server.URL(s.t, "none", server.Endpoint))...)
	refused(s.t, "must not hold credentials", doctor(strings.Replace(url, "s3://", "s3://key:secret@", 1))...)
	refused(s.t, "it cannot be reached", doctor(server.URL(s.t, "pictures", "http://127.0.0.1:1"))...)
	refused(s.t, "permission denied", append(doctor(s.readOnly(server)), "--log-level", "error")...)
	refused(s.t, "belongs to another database", "serve", "--data-dir", dataDir(s.t), "--images", url, "--no-work",
		"--listen", "127.0.0.1:0", "--log-level", "error")
}

// readOnly is the bucket behind a proxy that lets nobody write.
func (s *service) readOnly(server *buckettest.Server) string {
	proxy := server.NewProxy(s.t)
	proxy.Break(http.MethodPut, "", -1, buckettest.Answer(http.StatusForbidden, "AccessDenied"))
	return server.URL(s.t, "pictures", proxy.Endpoint)
}

// damagedBucket: doctor names what is damaged in the bucket, and what is gone.
func (s *service) damagedBucket(server *buckettest.Server, images []string) {
	s.t.Helper()
	files := glob(s.t, server.File("pictures", "*/*/*.bin"))
	if len(files) < 2 {
		s.t.Fatalf("the bucket holds %v", files)
	}
	damaged := read(s.t, files[0])
	if err := os.WriteFile(files[0], []byte(damaged[:len(damaged)-1]+"!"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Remove(files[1]); err != nil {
		s.t.Fatal(err)
	}
	said, err := exec.CommandContext(s.t.Context(), binary, slices.Concat([]string{"doctor", "--deep"}, s.at(), images)...).
		CombinedOutput()
	if err == nil {
		s.t.Error("doctor finds nothing")
	}
	for _, want := range []string{filepath.Base(files[0])[:64], "database row without a file: " + filepath.Base(files[1])[:64]} {
		if !strings.Contains(string(said), want) {
			s.t.Errorf("doctor does not say %q:\n%s", want, said)
		}
	}
}
