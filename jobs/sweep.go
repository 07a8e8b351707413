package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/sync/errgroup"

	"afterimage/internal/blob"
	"afterimage/vcd/app"
	"afterimage/vcd/run"
)

const (
	sweepEvery   = time.Minute
	sweepLimit   = 500       // items of one kind per round; files per transaction
	settleLimit  = 50_000    // files per round: more than the service stores in a minute
	sweepMatches = 50_000    // of feedback rules per round
	hostGrace    = time.Hour // how long an unvisited host is remembered
	blobGrace    = time.Hour // how long a file stays that no row uses: one that was reserved may still get one

	removers      = 16               // files removed at the same time: a bucket takes its time for each
	removeReserve = 15 * time.Second // of the round's time, to record what was removed
)

// FileRows says which files of the blob store are in use.
type FileRows interface {
	blob.Reserver
	// SettleBlobs looks at up to limit blobs that were reserved, or lost a row that referred to them, before the given time, and
	// settles those that an image or a screenshot refers to: until they lose such a row, nobody looks at them again. It returns
	// how many it settled.
	SettleBlobs(ctx context.Context, before time.Time, limit int) (int, error)
	// SweepBlobs removes up to limit blobs that no image or screenshot refers to and that were last reserved before the given
	// time. It calls remove with them while their rows are locked, which returns those that it removed, and returns how many these
	// were.
	SweepBlobs(
		ctx context.Context, before time.Time, limit int, remove func(ctx context.Context, hashes []string) ([]string, error),
	) (int, error)
}

// sweepWorker ends work whose jobs were given up, and removes image files that no row uses and data whose retention has
// expired.
type sweepWorker struct {
	river.WorkerDefaults[sweepArgs]
	service *app.Service
	rows    FileRows
	files   blob.Store
	grace   time.Duration // how long a turn may have no job
	keep    run.Retention
	logger  *slog.Logger
}

func (w *sweepWorker) Timeout(*river.Job[sweepArgs]) time.Duration { return roundTimeout }

func (w *sweepWorker) Work(ctx context.Context, _ *river.Job[sweepArgs]) error {
	now := w.service.Config().Clock.Now()
	stranded, err := w.service.Runs.FailStranded(ctx, now.Add(-w.grace), sweepLimit)
	if stranded > 0 {
		w.logger.WarnContext(ctx, "gave up stranded work", "turns", stranded)
	}
	_, settleErr := w.rows.SettleBlobs(ctx, now.Add(-blobGrace), settleLimit)
	_, matchErr := w.service.Reviews.CountRuleMatches(ctx, sweepMatches)
	return errors.Join(err,
		w.service.Runs.EndStaleUploads(ctx, sweepLimit), settleErr, matchErr, w.service.Runs.ForgetHosts(ctx, now.Add(-hostGrace)),
		w.service.Runs.RemoveOld(ctx, w.keep), w.sweepBlobs(ctx, now.Add(-blobGrace)))
}

// sweepBlobs removes files that no row has used since a moment, some at a time since their rows are locked meanwhile, until none is left
// or the time of the round is up.
func (w *sweepWorker) sweepBlobs(ctx context.Context, since time.Time) error {
	deadline, _ := ctx.Deadline() // see Timeout
	ends := deadline.Add(-removeReserve)
	remove := func(ctx context.Context, hashes []string) ([]string, error) {
		ctx, cancel := context.WithDeadline(ctx, ends)
		defer cancel()
		return w.remove(ctx, hashes)
	}
	for time.Now().Before(ends) {
		if swept, err := w.rows.SweepBlobs(ctx, since, sweepLimit, remove); err != nil || swept < sweepLimit {
			return err
		}
	}
	return nil
}

// remove removes files until time is up and returns those that are gone. The others come again in the next round.
func (w *sweepWorker) remove(ctx context.Context, hashes []string) (gone []string, err error) {
	var mu sync.Mutex
	removing, ctx := errgroup.WithContext(ctx)
	removing.SetLimit(removers)
	for _, hash := range hashes {
		removing.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.files.Remove(ctx, hash); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			gone = append(gone, hash)
			return nil
		})
	}
	if err = removing.Wait(); errors.Is(err, context.DeadlineExceeded) && len(gone) > 0 {
		err = nil
	}
	return gone, err
}
