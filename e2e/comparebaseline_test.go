package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"afterimage/internal/buckettest"
)

// TestBaselines stores a site, compares it and its preview with what was stored, and spoils the baseline in the ways that disks and
// upgrades do.
func TestBaselines(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "baseline")
	production, preview := openShop(t, false), openShop(t, true)
	compared := func(want int, words string, args ...string) {
		t.Helper()
		c := compareSites(t, "", append(args, "--baseline", dir)...)
		if c.code != want || !strings.Contains(c.stdout+c.stderr, words) {
			t.Errorf("%q: exit code %d, want %d and %q\n%s%s", args, c.code, want, words, c.stdout, c.stderr)
		}
	}
	pages := sized([]int{0, 3}, []int{0, 3, 16})
	list, count := pathList(t, pages...), itoa(len(pages))
	compared(2, "make one with --update", production)
	compared(0, count+" pictures, "+count+" of them new", production, "--update", "--paths", list, "--devices", "mobile")
	compared(0, count+" pictures, 0 of them new", production, "--update")
	compared(0, count+" pages compared on mobile: "+count+" equal", production)
	compared(1, "€ 0.00", preview)
	compared(1, "The page is new: the baseline does not have it", production, "--paths", pathList(t, 0, 5))
	index := filepath.Join(dir, "baseline.json")
	before, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	compared(2, "was not updated", production, "--update", "--paths", pathList(t, 0, 5, 99))
	if after, err := os.ReadFile(index); err != nil || string(after) != string(before) {
		t.Errorf("a baseline that was not updated has another index (%v)", err)
	}
	interruptedUpdate(t, dir)
	compared(0, count+" equal", production)

	other := strings.Replace(string(before), `"engine": "`, `"engine": "Other/1 `, 1)
	if err := os.WriteFile(index, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	compared(2, "the baseline was made with Other/1", production)
	if err := os.WriteFile(index, before, 0o600); err != nil {
		t.Fatal(err)
	}
	pictures, err := filepath.Glob(filepath.Join(dir, "pages", "*.png"))
	if err != nil || len(pictures) != len(pages) {
		t.Fatalf("pictures %q (%v)", pictures, err)
	}
	if err := os.Truncate(pictures[1], 100); err != nil {
		t.Fatal(err)
	}
	compared(2, "is damaged: pages/"+filepath.Base(pictures[1])+" is missing or was changed", production)
	compared(0, count+" pictures, 1 of them new", production, "--update")
	compared(0, count+" equal", production)
	compared(2, "cannot be captured", closedAddress())
}

// TestABaselineInABucket is made by one job of a pipeline, read by another, and read by a third that may not write.
func TestABaselineInABucket(t *testing.T) {
	t.Parallel()
	server := buckettest.StartS3(t)
	place := strings.Replace(server.Bucket(t, "shared"), "?", "/shop/main?", 1)
	proxy := server.NewProxy(t)
	proxy.Break(http.MethodPut, "", -1, buckettest.Answer(http.StatusForbidden, "AccessDenied"))
	readOnly := strings.Replace(place, url.QueryEscape(server.Endpoint), url.QueryEscape(proxy.Endpoint), 1)
	production, preview := openShop(t, false), openShop(t, true)
	folder := t.TempDir()
	compared := func(want int, words, place string, args ...string) {
		t.Helper()
		settings := filepath.Join(folder, "afterimage.yaml")
		if err := os.WriteFile(settings, []byte("baseline: "+place+"\ndevices: [mobile]\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		c := compareSites(t, "", append(args, "--config", settings)...)
		if c.code != want || !strings.Contains(c.stdout+c.stderr, words) {
			t.Errorf("%q: exit code %d, want %d and %q\n%s%s", args, c.code, want, words, c.stdout, c.stderr)
		}
	}
	list := pathList(t, 0, 3)
	compared(2, "there is no baseline in s3://shared/shop/main: make one with --update", place, production)
	compared(2, "permission denied: allow these credentials", readOnly, production, "--update", "--paths", list)
	compared(0, "s3://shared/shop/main has 2 pictures, 2 of them new", place, production, "--update", "--paths", list)
	compared(0, "s3://shared/shop/main has 2 pictures, 0 of them new", place, production, "--update")
	compared(0, "2 pages compared on mobile: 2 equal", readOnly, production)
	compared(1, "€ 0.00", readOnly, preview)
	compared(2, "there is no such bucket", server.URL(t, "none", server.Endpoint), production)
	compared(2, "--baseline: a baseline is kept in a folder, or in a bucket with", "ftp://shared/shop", production)
	pictures := glob(t, server.File("shared", "shop/main/pages/*.png"))
	if len(pictures) != 2 {
		t.Fatalf("pictures %q", pictures)
	}
	if err := os.Remove(pictures[0]); err != nil {
		t.Fatal(err)
	}
	compared(2, "s3://shared/shop/main is damaged: pages/"+filepath.Base(pictures[0])+" is missing", place, production)
}

// interruptedUpdate renews a baseline from a site that never answers, and is interrupted.
func interruptedUpdate(t *testing.T, dir string) {
	t.Helper()
	begun := make(chan struct{}, 100)
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		<-r.Context().Done()
	}))
	defer slow.Close()
	cmd := exec.CommandContext(t.Context(), binary, "compare", slow.URL, "--baseline", dir, "--update", "--deadline", "60s")
	interrupted := make(chan error, 1)
	go func() {
		<-begun
		interrupted <- cmd.Process.Signal(os.Interrupt)
	}()
	if c := finishComparison(t, "", cmd); c.code != 2 || !strings.Contains(c.stderr, "interrupted") {
		t.Errorf("an interrupted update: exit code %d\n%s", c.code, c.stderr)
	}
	if err := <-interrupted; err != nil {
		t.Error(err)
	}
}

// closedAddress is that of a server that has ended.
func closedAddress() string {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	return gone.URL
}
