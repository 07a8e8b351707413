package jobs_test

import (
	"image/color"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/jobs"
	"afterimage/vcd"
)

// A database that dies between the assignment of a job and its answer leaves a job that is running at a worker that does not know of it.
func TestAJobThatNeverArrivesAtItsWorkerStartsOver(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, func(capture.Request) (*capture.Shot, error) { return shot(color.White), nil }, func(c *jobs.Config) {
		c.Beat, c.RescueAfter = beat(), time.Hour
	})
	_, err := w.db.Pool().Exec(t.Context(), `
		CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			NEW.state := 'running';
			NEW.attempt := 1;
			NEW.attempted_at := clock_timestamp();
			NEW.attempted_by := (SELECT array_agg(id) FROM workers);
			RETURN NEW;
		END $$;
		CREATE TRIGGER lose BEFORE INSERT ON river_job FOR EACH ROW WHEN (NEW.kind = 'capture') EXECUTE FUNCTION lose()`)
	if err != nil {
		t.Fatal(err)
	}
	batch := w.take(w.pages("example.com", 3), vcd.QueuePre)
	w.finished(batch)
	if n := count(w, "SELECT count(*) FROM queue_entries WHERE status = 'done' AND attempts = 0"); n != 3 {
		t.Errorf("%d pages were captured in the end", n)
	}
	if n := count(w, "SELECT count(*) FROM river_job WHERE kind = 'capture' AND state = 'completed' AND attempt = 1"); n != 3 {
		t.Errorf("%d jobs were completed at their first attempt", n)
	}
	w.checkInvariants()
}
