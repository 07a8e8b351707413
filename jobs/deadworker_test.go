package jobs_test

import (
	"bufio"
	"context"
	"image/color"
	"log/slog"
	"os"
	"os/exec"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/db"
	"afterimage/internal/blob"
	"afterimage/internal/secret"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/app"
)

// victimURL tells the test binary to be a worker of a database that never finishes a capture, until it is killed.
const victimURL = "AFTERIMAGE_TEST_VICTIM"

// stuck is a browser whose pages never end; it says on standard output when one has begun.
type stuck struct{}

func (stuck) Capture(ctx context.Context, _ capture.Request) (*capture.Shot, error) {
	_, _ = os.Stdout.WriteString("begun\n")
	<-ctx.Done()
	return nil, ctx.Err()
}

// victim works until it is killed.
func victim(url, dir string) error {
	ctx := context.Background()
	inserter, err := jobs.NewInserter(vcd.RegionEU, vcd.SystemClock{})
	if err != nil {
		return err
	}
	store, err := db.Open(ctx, db.Config{URL: url, Queue: inserter.Queue})
	if err != nil {
		return err
	}
	files, err := blob.Open(dir)
	if err != nil {
		return err
	}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		return err
	}
	service := app.New(app.Config{
		Store:  store,
		Config: vcd.Config{Feed: store, Clock: vcd.SystemClock{}, IDs: vcd.RandomIDs{}, Sealer: box, Files: files},
	})
	_, err = jobs.Start(ctx, jobs.Config{
		Pool: store.SystemPool(), Listen: store.ListenPool(), Service: service, Images: store, Files: files,
		Capturer: stuck{}, Logger: slog.New(slog.DiscardHandler),
		Regions: []vcd.Region{vcd.RegionEU}, Captures: 2, Compares: 1, Deadline: time.Minute, Home: vcd.RegionEU,
		RescueAfter: time.Hour, Beat: beat(),
	})
	if err != nil {
		return err
	}
	select {}
}

// beat is that of workers in tests, which wait for the dead; with AFTERIMAGE_SOAK=1 that of the program.
func beat() time.Duration {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 0
	}
	return time.Second
}

// A worker that is killed is noticed because it is silent, by whichever process lives, and its pages start over there. Left to
// the background queue alone that takes until the jobs must have ended.
func TestTheWorkOfAKilledProcessStartsOver(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, func(capture.Request) (*capture.Shot, error) { return shot(color.White), nil }, func(c *jobs.Config) {
		c.Regions, c.Beat, c.RescueAfter = []vcd.Region{vcd.RegionUS}, beat(), time.Hour // only looks on
	})
	batch := w.take(w.pages("example.com", 3), vcd.QueuePre)
	process := exec.CommandContext(t.Context(), os.Args[0])
	process.Env = append(os.Environ(), victimURL+"="+w.db.Pool().Config().ConnString(), victimURL+"_DIR="+t.TempDir())
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range 2 {
		if !lines.Scan() {
			t.Fatal("the process ended before it captured anything")
		}
	}
	if err := process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = process.Wait() // was killed
	killed := time.Now()
	w.reopened(batch, 2)
	t.Logf("what it had starts over %s after the kill", time.Since(killed).Round(100*time.Millisecond))
	open := []vcd.QueueStatus{vcd.QueueOpen}
	list, err := w.service.Runs.QueueEntries(t.Context(), w.actor, vcd.QueueFilter{Statuses: &open}, vcd.Page{Size: 10}, false)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, e := range list.Items {
		if e.Notice == "The worker that was capturing this page died. The capture restarts." {
			told++
		}
	}
	if len(list.Items) != 3 || told != 2 {
		t.Errorf("%d entries are open, %d tell that they start over; want 3 and 2", len(list.Items), told)
	}
	w.work(func(c *jobs.Config) { c.Regions, c.Beat, c.RescueAfter = []vcd.Region{vcd.RegionEU}, beat(), time.Hour })
	w.finished(batch)
	if n := count(w, "SELECT count(*) FROM queue_entries WHERE status = 'done' AND attempts = 0"); n != 3 {
		t.Errorf("%d pages were captured in the end", n)
	}
	w.checkInvariants()
}

// reopened waits until so many entries of a batch are open again, by their events.
func (w *world) reopened(batch vcd.ID, n int) {
	w.t.Helper()
	var start int64
	events, err := w.service.Outbound.Stream(w.t.Context(), w.actor, &start, &batch)
	if err != nil {
		w.t.Fatal(err)
	}
	for e := range events {
		if e.Kind == vcd.EventQueueStatusOpen {
			n--
		}
		if n == 0 {
			return
		}
	}
	w.t.Fatalf("%d entries did not start over", n)
}
