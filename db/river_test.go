package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// riverArgs are the arguments of a capture job.
type riverArgs struct {
	Account vcd.ID `json:"account"`
	Entry   vcd.ID `json:"entry"`
}

func (riverArgs) Kind() string { return "capture" }

// riverQueue inserts into the real background queue, on a borrowed transaction.
type riverQueue struct {
	tableQueue
	client *river.Client[pgx.Tx]
}

func (q riverQueue) EnqueueCapture(ctx context.Context, jobs ...vcd.CaptureJob) error {
	params := make([]river.InsertManyParams, len(jobs))
	for i, j := range jobs {
		params[i] = river.InsertManyParams{Args: riverArgs{Account: j.Account, Entry: j.Entry}}
	}
	if _, err := q.client.InsertManyFastTx(ctx, q.tx, params); err != nil {
		return err
	}
	_, err := q.client.InsertTx(ctx, q.tx, riverArgs{Account: jobs[0].Account, Entry: jobs[0].Account}, nil)
	return err
}

func TestRiverTakesJobsOnALentTransaction(t *testing.T) {
	w := newWorld(t)
	client, err := river.NewClient(riverpgxv5.New(nil), &river.Config{})
	must(t, err)
	d := openURL(t, w.url, func(tx pgx.Tx) vcd.Queue { return riverQueue{tableQueue{tx: tx}, client} })
	g, _ := w.group("river", 3, inventory.GroupChange{})
	in := run.TakeInput{GroupIDs: []string{string(g.ID)}, Type: vcd.QueuePre}
	s := w.service.With(func(c *vcd.Config) { c.Store = d })
	_, err = s.Runs.TakeScreenshots(t.Context(), w.actor, in)
	must(t, err)
	_, err = s.Runs.HandOut(t.Context(), vcd.RegionEU, time.Hour)
	must(t, err)
	err = d.InTx(t.Context(), w.actor, func(ctx context.Context, tx vcd.Tx) error {
		return errors.Join(tx.EnqueueCapture(ctx, vcd.CaptureJob{Account: w.account.ID, Entry: g.ID}), errOnPurpose)
	})
	if !errors.Is(err, errOnPurpose) {
		t.Fatal(err)
	}
	if n := value[int](w, "SELECT count(*) FROM river_job"); n != 7 {
		t.Errorf("%d jobs for 6 entries and one more", n)
	}
	if n := value[int](w, "SELECT count(*) FROM river_job AS j JOIN queue_entries AS q ON j.args ->> 'entry' = q.id::text"); n != 6 {
		t.Errorf("%d jobs name an entry", n)
	}
	w.clock.advance(1)
	stranded, err := d.StrandedTurns(t.Context(), w.clock.Now(), 10)
	must(t, err)
	if len(stranded) != 0 {
		t.Errorf("%d entries are stranded though their jobs live", len(stranded))
	}
}
