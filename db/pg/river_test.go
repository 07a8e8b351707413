package pg_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
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
	vcdtest.TableQueue
	client *river.Client[pgx.Tx]
}

func (q riverQueue) EnqueueCapture(ctx context.Context, jobs ...vcd.CaptureJob) error {
	params := make([]river.InsertManyParams, len(jobs))
	for i, j := range jobs {
		params[i] = river.InsertManyParams{Args: riverArgs{Account: j.Account, Entry: j.Entry}}
	}
	if _, err := q.client.InsertManyFastTx(ctx, q.Tx, params); err != nil {
		return err
	}
	_, err := q.client.InsertTx(ctx, q.Tx, riverArgs{Account: jobs[0].Account, Entry: jobs[0].Account}, nil)
	return err
}

func TestRiverTakesJobsOnABorrowedTransaction(t *testing.T) {
	w := newWorld(t)
	client, err := river.NewClient(riverpgxv5.New(nil), &river.Config{})
	must(t, err)
	d := vcdtest.OpenURL(t, w.URL, func(tx pgx.Tx) vcd.Queue { return riverQueue{vcdtest.TableQueue{Tx: tx}, client} })
	g, _ := w.Group("river", 3, inventory.GroupChange{})
	in := run.TakeInput{GroupIDs: []string{string(g.ID)}, Type: vcd.QueuePre}
	s := w.Service.With(func(c *app.Config) { c.Store = d })
	_, err = s.Runs.TakeScreenshots(t.Context(), w.Actor, in)
	must(t, err)
	_, err = s.Runs.HandOut(t.Context(), vcd.RegionEU, time.Hour)
	must(t, err)
	err = d.InTx(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
		return errors.Join(tx.EnqueueCapture(ctx, vcd.CaptureJob{Account: w.Account.ID, Entry: g.ID}), vcdtest.ErrOnPurpose)
	})
	if !errors.Is(err, vcdtest.ErrOnPurpose) {
		t.Fatal(err)
	}
	n := vcdtest.Value[int](w.World, "SELECT count(*) FROM river_job")
	if n != 7 {
		t.Errorf("%d jobs for 6 entries and one more", n)
	}
	n = vcdtest.Value[int](w.World,
		"SELECT count(*) FROM river_job AS j JOIN queue_entries AS q ON j.args ->> 'entry' = q.id::text")
	if n != 6 {
		t.Errorf("%d jobs name an entry", n)
	}
	w.Clock.Advance(1)
	stranded, err := d.StrandedTurns(t.Context(), w.Clock.Now(), 10)
	must(t, err)
	if len(stranded) != 0 {
		t.Errorf("%d entries are stranded though their jobs live", len(stranded))
	}
}
