package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Three accounts upload small files of 50 million pixels, and the mails about them show parts of these. The server, which checks the files
// and cuts out the parts, never holds a picture as a whole: before, it grew by a gigabyte for each few uploads.
func TestHugePicturesDoNotSwellTheServer(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	before, after := hugeScreenshot(t, 0), hugeScreenshot(t, 200)
	const accounts = 3
	finished := make(chan string, accounts)
	for i := range accounts {
		a := s.account(fmt.Sprintf("huge%d@example.com", i))
		must[data[struct{ ID string }]](a, http.MethodPost, "/groups",
			map[string]any{"name": "Maps", "alert_emails": []string{"owner@example.com"}})
		a.says(0, "1 of 1 screenshot", "upload", before, "--group", "Maps", "--pre")
		command := a.command("upload", after, "--group", "Maps", "--report", t.TempDir())
		go func() {
			said, err := command.CombinedOutput()
			finished <- fmt.Sprintf("%v: %s", err, said)
		}()
	}
	for range accounts {
		if said := <-finished; !strings.Contains(said, "exit status 1") || !strings.Contains(said, "1 page compared") {
			t.Fatal(said)
		}
	}
	waitFor(t, "a mail with a part of the picture for each account", func() bool {
		files, _ := filepath.Glob(filepath.Join(s.dir, "mails", "*.eml"))
		illustrated := 0
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte("image/jpeg")) {
				illustrated++
			}
		}
		return illustrated >= accounts
	})
	if peak := peakMemory(t, s.cmd.Process.Pid); peak > 500<<20 {
		t.Errorf("the server held %d MB", peak>>20)
	} else {
		t.Logf("the server held %d MB at most", peak>>20)
	}
	s.check()
}

// hugeScreenshot is a folder with one grey picture with a line and a box of a shade on it.
func hugeScreenshot(t *testing.T, shade uint8) (dir string) {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 5_000, 10_000))
	for i := img.PixOffset(0, 2_000); i < img.PixOffset(0, 2_010); i++ {
		img.Pix[i] = 255
	}
	for y := 4_000; y < 6_000; y++ {
		for x := 1_000; x < 3_000; x++ {
			img.Pix[img.PixOffset(x, y)] = shade
		}
	}
	var file bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "map.png"), file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// peakMemory is the most memory that a process held at once, in bytes.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindStringSubmatch(read(t, fmt.Sprintf("/proc/%d/status", pid)))
	if found == nil {
		t.Fatal("the system tells no peak of the memory")
	}
	kilobytes, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
