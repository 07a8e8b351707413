package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Three accounts upload small files of 50 million pixels each, of three forms, and the mails about them show parts of these. The
// server, which checks the files and cuts out the parts, never holds a picture as a whole: before, it grew by a gigabyte for each few
// uploads, and kept it.
func TestHugePicturesDoNotSwellTheServer(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	base := memory(t, s.cmd.Process.Pid, "VmRSS")
	size := image.Rect(0, 0, 5_000, 10_000)
	accounts := []draw.Image{
		image.NewGray(size), image.NewPaletted(size, color.Palette{color.Black, color.White, color.Gray{200}}), image.NewNRGBA(size),
	}
	finished := make(chan string, len(accounts))
	for i, img := range accounts {
		before := hugeScreenshot(t, img, color.Black)
		after := hugeScreenshot(t, img, color.Gray{200})
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
		return illustrated >= len(accounts)
	})
	if peak := memory(t, s.cmd.Process.Pid, "VmHWM"); peak > 500<<20 {
		t.Errorf("the server held %d MB", peak>>20)
	} else {
		t.Logf("the server held %d MB, and %d MB at most", base>>20, peak>>20)
	}
	waitAtMost(t, promised(time.Minute), "the server giving the memory back", func() bool {
		return memory(t, s.cmd.Process.Pid, "VmRSS") < base+64<<20
	})
	s.check()
}

// hugeScreenshot is a folder with one picture, on which it draws a line and a box.
func hugeScreenshot(t *testing.T, img draw.Image, box color.Color) (dir string) {
	t.Helper()
	draw.Draw(img, image.Rect(0, 2_000, 10, 2_001), image.White, image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(1_000, 4_000, 3_000, 6_000), image.NewUniform(box), image.Point{}, draw.Src)
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

// memory is what a process holds (VmRSS) or held at most (VmHWM), in bytes.
func memory(t *testing.T, pid int, line string) int {
	t.Helper()
	found := regexp.MustCompile(line + `:\s+(\d+) kB`).FindStringSubmatch(read(t, fmt.Sprintf("/proc/%d/status", pid)))
	if found == nil {
		t.Fatalf("the system does not tell %s", line)
	}
	kilobytes, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
