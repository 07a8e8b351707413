package diffcli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"strings"
	"testing"
)

// release is two folders with every kind of outcome.
func release(t *testing.T) map[string][]byte {
	plain, boxed := pagePNG(t, 100, 100, image.Rectangle{}), pagePNG(t, 100, 100, image.Rect(10, 10, 30, 30))
	return map[string][]byte{
		"old/same.png": plain, "new/same.png": plain,
		"old/sub/changed.png": plain, "new/sub/changed.png": boxed,
		"old/taller.PNG": plain, "new/taller.PNG": pagePNG(t, 100, 120, image.Rectangle{}),
		"old/broken.jpg": []byte("a"), "new/broken.jpg": []byte("b"),
		"old/gone.webp": boxed, "new/sub/fresh.jpeg": boxed,
		"old/notes.txt": []byte("left out"),
	}
}

func TestFolders(t *testing.T) {
	for name, json := range map[string]bool{"folders.txt": false, "folders.json": true} {
		t.Run(name, func(t *testing.T) {
			path := goldenPath(t, name)
			inFolder(t, release(t))
			got := run(t, Command{Before: "old", After: "new", JSON: json}, "")
			golden(t, path, got.out)
			if !got.different || got.failure == nil || got.failure.Error() != "1 pair could not be compared" {
				t.Errorf("different %v, error %v", got.different, got.failure)
			}
			if summary := "4 pairs: 1 same, 2 different, 1 failed, 1 only before, 1 only after\n"; json && got.err != summary {
				t.Errorf("standard error %q", got.err)
			}
		})
	}
}

func TestFolderPictures(t *testing.T) {
	inFolder(t, release(t))
	run(t, Command{Before: "old", After: "new", Mask: "masks", Compose: "looks"}, "")
	for name, want := range map[string]bool{
		"masks/sub/changed.png": true, "looks/sub/changed.png": true, "looks/taller.PNG.png": true, "masks/same.png": false,
	} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFoldersInOrder(t *testing.T) {
	files := map[string][]byte{}
	small, large := pagePNG(t, 10, 10, image.Rectangle{}), pagePNG(t, 900, 900, image.Rectangle{})
	for i := range 40 {
		data := small
		if i%4 == 0 {
			data = large
		}
		files[fmt.Sprintf("old/%02d.png", i)] = data
		files[fmt.Sprintf("new/%02d.png", i)] = data
	}
	inFolder(t, files)
	got := run(t, Command{Before: "old", After: "new", JSON: true}, "")
	if got.failure != nil || got.different {
		t.Fatalf("different %v, error %v", got.different, got.failure)
	}
	for i, line := range strings.Split(strings.TrimSpace(got.out), "\n") {
		var report Report
		if err := json.Unmarshal([]byte(line), &report); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%02d.png", i); report.Name != want {
			t.Fatalf("line %d is %s", i, report.Name)
		}
	}
}

func TestEmptyFolders(t *testing.T) {
	inFolder(t, map[string][]byte{"old/a.txt": nil, "new/b.txt": nil, "a.png": nil})
	if got := run(t, Command{Before: "old", After: "new"}, ""); got.failure == nil {
		t.Error("two folders without pictures were compared")
	}
	if got := run(t, Command{Before: "old", After: "a.png"}, ""); got.failure == nil || !strings.Contains(got.failure.Error(),
		"old is a folder") {
		t.Errorf("folder and file: %v", got.failure)
	}
}

// brokenPipe fails as standard output does when its reader is gone.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestFoldersStopEarly(t *testing.T) {
	inFolder(t, release(t))
	c := Command{Before: "old", After: "new", JSON: true}
	if _, err := c.Run(context.Background(), Streams{Out: brokenPipe{}, Err: io.Discard}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("closed pipe: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Run(ctx, Streams{Out: io.Discard, Err: io.Discard}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestProgressLine(t *testing.T) {
	p := &progress{out: io.Discard, total: 4, done: 1}
	want := "██████░░░░░░░░░░░░░░░░░░ 1/4 …" + strings.Repeat("x", 39)
	if got := p.line(strings.Repeat("x", 50)); got != want {
		t.Errorf("got %q", got)
	}
	if newProgress(io.Discard, 4) != nil {
		t.Error("a bar is drawn where nobody sees it")
	}
}
