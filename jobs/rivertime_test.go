package jobs_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/internal/vcdtest"
	"afterimage/jobs"
	"afterimage/vcd"
)

// twoHoursAhead is a clock that is two hours ahead.
type twoHoursAhead struct{}

func (twoHoursAhead) Now() time.Time { return time.Now().Add(2 * time.Hour).UTC() }

// TestJobsGoByTheGivenClock: the times that River compares with those of the database are not those of the machine.
func TestJobsGoByTheGivenClock(t *testing.T) {
	t.Parallel()
	inserter, err := jobs.NewInserter(vcd.RegionEU, twoHoursAhead{})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), vcdtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	queue := inserter.Queue(tx)
	now := twoHoursAhead{}.Now()
	capture := vcd.CaptureJob{Account: vcd.RandomIDs{}.NewID(), Entry: vcd.RandomIDs{}.NewID()}
	if err := queue.EnqueueCapture(t.Context(), capture); err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Time{now.Add(-time.Minute), now.Add(time.Hour)} {
		job := vcd.DeliverJob{Account: vcd.RandomIDs{}.NewID(), Delivery: vcd.RandomIDs{}.NewID(), At: at}
		if err := queue.EnqueueDeliver(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := tx.Query(t.Context(), "SELECT state::text, scheduled_at FROM river_job ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	type job struct {
		State string
		At    time.Time
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[job])
	if err != nil {
		t.Fatal(err)
	}
	want := []job{{"available", now}, {"available", now}, {"scheduled", now.Add(time.Hour)}}
	for i, w := range want {
		if i >= len(found) || found[i].State != w.State || found[i].At.Sub(w.At).Abs() > time.Minute {
			t.Errorf("job %d of %v, want %v", i, found, want)
		}
	}
}
