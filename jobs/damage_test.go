package jobs_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"afterimage/capture"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// TestADamagedPictureIsNotCompared: a flipped byte may show as a change that there is not, or hide one that there is.
func TestADamagedPictureIsNotCompared(t *testing.T) {
	t.Parallel()
	var after atomic.Bool
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) { return stripes(after.Load()), nil })
	group := w.group("https://example.com/", inventory.GroupChange{})
	w.run(group, vcd.QueuePre)
	list, err := w.service.Reviews.Screenshots(t.Context(), w.actor, vcd.ScreenshotFilter{}, vcd.Page{Size: 1})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	hash := list.Items[0].Image.Hash
	path := filepath.Join(filepath.Dir(w.files.MarkFile()), hash[:2], hash[2:4], hash+".bin")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(content)
	flipped[len(flipped)/2] ^= 1
	if err := os.WriteFile(path, flipped, 0o600); err != nil {
		t.Fatal(err)
	}
	after.Store(true)
	_, entries := w.run(group, vcd.QueuePost)
	for _, e := range entries {
		if e.Type == vcd.QueueCompare && (e.Status != vcd.QueueFailed || !strings.Contains(e.ErrorMsg, "corrupt")) {
			t.Errorf("the comparison is %s: %s", e.Status, e.ErrorMsg)
		}
	}
	if len(entries) != 2 {
		t.Errorf("%d entries, want a screenshot and a comparison", len(entries))
	}
	w.checkInvariants()
}
