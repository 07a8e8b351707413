package jobs_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/internal/page"
	"afterimage/internal/subprocess"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// comparerMode tells this test's program to compare for another: honest, late, crash, or crash-once: and a file that notes
// that it has.
const comparerMode = "JOBS_TEST_COMPARER"

func beComparer(mode string) {
	file, once := strings.CutPrefix(mode, "crash-once:")
	if once {
		note, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			_ = note.Close()
		}
		once = err == nil
	}
	if once || mode != "honest" && file == mode {
		_ = subprocess.Serve(os.Stdin, os.Stdout, func(*struct{ Blank []byte }) *struct{ Blank bool } {
			os.Exit(map[string]int{"late": 75}[mode]) // as package subprocess does when the kernel says that the time is over
			return nil
		})
	}
	if err := jobs.ServeComparisons(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// records is a log to be looked at.
type records struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *records) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

// count is how many lines have all of some words.
func (r *records) count(words ...string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for line := range strings.Lines(r.text.String()) {
		has := true
		for _, w := range words {
			has = has && strings.Contains(line, w)
		}
		if has {
			n++
		}
	}
	return n
}

// grey is a picture that takes little to store and much to compare.
func grey(shade uint8, width, height int) *capture.Shot {
	picture := image.NewGray(image.Rect(0, 0, width, height))
	for i := range picture.Pix {
		picture.Pix[i] = shade + uint8(i/width)&1
	}
	var file bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, picture); err != nil {
		panic(err) // into memory
	}
	return &capture.Shot{PNG: file.Bytes(), Width: width, Height: height, Visit: page.Visit{Title: "A page", Status: 200,
		Content: &page.Content{}}}
}

// TestPoisonDoesNotComeBack: a comparison that ends its process twice is given up with a reason, and the others are made.
func TestPoisonDoesNotComeBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limits subprocess.Limits
		env    string
		poison int // rows of the page that is too much
		reason string
		says   string
	}{
		"memory": {subprocess.Limits{Memory: 256 << 20, Time: time.Minute}, "honest", 16_000, vcd.ReasonTooHeavy,
			"exceeded 256 MB of memory twice"},
		"time": {subprocess.Limits{Memory: 2 << 30, Time: time.Second}, "late", 30, vcd.ReasonTooHeavy,
			"exceeded 1 seconds of CPU time twice"},
		"crash": {subprocess.Limits{}, "crash", 30, vcd.ReasonCrashed, "an internal error"},
	} {
		t.Run(name, func(t *testing.T) {
			var later atomic.Bool
			var log records
			poisoned := 0
			t.Cleanup(func() { // once the workers have stopped
				if warned, failed := log.count("WARN", "retried once"), log.count("ERROR", "given up"); warned != poisoned ||
					failed != poisoned {
					t.Errorf("%d warnings and %d errors in the log for %d comparisons:\n%s", warned, failed, poisoned, log.text.String())
				}
			})
			page := func(r capture.Request) (*capture.Shot, error) {
				shade := map[bool]uint8{false: 10, true: 200}[later.Load()]
				if strings.HasSuffix(r.URL, "poison") && test.poison > 0 {
					return grey(shade, 2000, test.poison), nil
				}
				return grey(shade, 40, 30), nil
			}
			w := newWorldWith(t, page, func(c *jobs.Config) {
				c.CompareLimits, c.ComparerEnv, c.Logger = test.limits, []string{comparerMode + "=" + test.env},
					slog.New(slog.NewTextHandler(&log, nil))
			})
			group := w.group("https://example.com/poison", inventory.GroupChange{})
			w.add(group, "https://example.com/fine")
			w.run(group, vcd.QueuePre)
			later.Store(true)
			_, entries := w.run(group, vcd.QueuePost)
			for _, e := range entries {
				if e.Type != vcd.QueueCompare {
					continue
				}
				bad := strings.HasSuffix(e.URLAddress, "poison") || test.env != "honest"
				switch {
				case bad && e.Status == vcd.QueueFailed && e.Reason == test.reason && strings.Contains(e.ErrorMsg, test.says):
					poisoned++
				case bad || e.Status != vcd.QueueDone:
					t.Errorf("%s is %s, %s: %s", e.URLAddress, e.Status, e.Reason, e.ErrorMsg)
				}
			}
			if poisoned == 0 {
				t.Error("nothing was given up")
			}
			newest, all, err := w.db.GivenUp(t.Context(), 10)
			if err != nil || all != poisoned || len(newest) != poisoned || poisoned > 0 && (newest[0].Reason != test.reason ||
				newest[0].Account != "owner@example.com") {
				t.Errorf("listed as given up: %d, %+v, %v", all, newest, err)
			}
			w.checkInvariants()
		})
	}
}

// TestACrashOnceIsForgiven: what ends a process once is tried again, and then it is a comparison as any other.
func TestACrashOnceIsForgiven(t *testing.T) {
	t.Parallel()
	var later atomic.Bool
	page := func(capture.Request) (*capture.Shot, error) { return stripes(later.Load()), nil }
	w := newWorldWith(t, page, func(c *jobs.Config) {
		c.ComparerEnv = []string{comparerMode + "=crash-once:" + t.TempDir() + "/crashed"}
	})
	group := w.group("https://example.com", inventory.GroupChange{})
	w.run(group, vcd.QueuePre)
	later.Store(true)
	_, entries := w.run(group, vcd.QueuePost)
	for _, e := range entries {
		if e.Status != vcd.QueueDone {
			t.Errorf("%s is %s: %s", e.Type, e.Status, e.ErrorMsg)
		}
	}
	if _, all, err := w.db.GivenUp(t.Context(), 10); err != nil || all != 0 {
		t.Errorf("%d given up, %v", all, err)
	}
}
