package jobs_test

import (
	"context"
	"image/color"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/jobs"
	"afterimage/vcd"
)

// patient is a browser whose pages of one host end only with their context.
type patient struct {
	begun, ended chan string
}

func (p *patient) Capture(ctx context.Context, r capture.Request) (*capture.Shot, error) {
	if r.URL == "https://quick.test/0" {
		return shot(color.White), nil
	}
	p.begun <- r.URL
	<-ctx.Done()
	p.ended <- r.URL
	return nil, ctx.Err()
}

// A cancelled batch gives its places back at once: captures under way end with their context, on whichever process they are, and
// nothing comes of them.
func TestACancelledBatchStopsItsCaptures(t *testing.T) {
	t.Parallel()
	browser := &patient{make(chan string, 10), make(chan string, 10)}
	w := newWorldWith(t, nil, func(c *jobs.Config) { c.Capturer = browser })
	w.work(func(c *jobs.Config) { c.Capturer = browser })
	batch := w.take(w.pages("endless.test", 10), vcd.QueuePre)
	for range 4 {
		<-browser.begun
	}
	cancelled, err := w.service.Runs.CancelBatch(t.Context(), w.actor, batch)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		<-browser.ended
	}
	if cancelled.FinishedAt == nil || cancelled.Counts != (vcd.StatusCounts{Failed: 10}) {
		t.Errorf("the batch: %+v", cancelled)
	}
	w.finished(w.take(w.pages("quick.test", 1), vcd.QueuePre)) // has a place
	if n := count(w, "SELECT count(*) FROM river_job WHERE kind = 'capture' "+
		"AND state NOT IN ('cancelled', 'completed', 'running')"); n != 0 {
		t.Errorf("%d captures start over", n)
	}
	if n := len(browser.begun); n != 0 {
		t.Errorf("%d captures began after the end", n)
	}
	if a, err := w.service.Accounts.Account(t.Context(), w.actor); err != nil || a.ChecksReserved != 0 || a.ChecksDone != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	w.checkInvariants()
}

// The pages of an account that was cancelled went on being captured.
func TestACancelledAccountStopsItsCaptures(t *testing.T) {
	t.Parallel()
	browser := &patient{make(chan string, 10), make(chan string, 10)}
	w := newWorldWith(t, nil, func(c *jobs.Config) { c.Capturer = browser })
	other := w.neighbour("small@example.com")
	w.take(w.pages("endless.test", 10), vcd.QueuePre)
	for range 2 {
		<-browser.begun
	}
	if _, err := w.service.Accounts.CancelAccount(t.Context(), w.actor.Account); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		<-browser.ended
	}
	other.finished(other.take(other.pages("quick.test", 1), vcd.QueuePre))
	if n := len(browser.begun); n != 0 {
		t.Errorf("%d captures began after the end", n)
	}
	w.checkInvariants()
}

// A run that was handed out to many places is cancelled without a statement for each of its jobs.
func TestManyJobsAreCancelledTogether(t *testing.T) {
	t.Parallel()
	browser := &patient{make(chan string, 10), make(chan string, 10)}
	w := newWorldWith(t, nil, func(c *jobs.Config) { c.Capturer = browser })
	batch := w.take(w.pages("endless.test", 300), vcd.QueuePre)
	for range 2 {
		<-browser.begun
	}
	if err := w.db.Beat(t.Context(), vcd.Worker{ID: "plenty", Captures: 1000, Regions: []vcd.Region{vcd.RegionEU}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.service.Runs.HandOut(t.Context(), vcd.RegionEU, time.Hour); err != nil {
		t.Fatal(err)
	}
	const jobsIn = "SELECT count(*) FROM river_job WHERE kind = 'capture' AND state = "
	if n := count(w, jobsIn+"'available'"); n < 290 {
		t.Fatalf("%d jobs wait", n)
	}
	// Others change jobs meanwhile: only statements that cancel some are counted.
	if _, err := w.db.SystemPool().Exec(t.Context(), `CREATE TABLE updates (n int); GRANT INSERT ON updates TO PUBLIC;
		CREATE FUNCTION count_update() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
			INSERT INTO updates SELECT 1 WHERE EXISTS (SELECT FROM changed WHERE state = ''cancelled''); RETURN NULL; END';
		CREATE TRIGGER counted AFTER UPDATE ON river_job REFERENCING NEW TABLE AS changed
			FOR EACH STATEMENT EXECUTE FUNCTION count_update()`); err != nil {
		t.Fatal(err)
	}
	if _, err := w.service.Runs.CancelBatch(t.Context(), w.actor, batch); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		<-browser.ended
	}
	if n := count(w, jobsIn+"'cancelled' AND finalized_at IS NOT NULL"); n < 290 || count(w, jobsIn+"'available'") != 0 {
		t.Errorf("%d jobs are cancelled, %d wait", n, count(w, jobsIn+"'available'"))
	}
	if n := count(w, "SELECT count(*) FROM updates"); n == 0 || n > 30 {
		t.Errorf("%d statements cancelled the jobs", n)
	}
	w.checkInvariants()
}
