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
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/run"
)

const (
	sweepEvery   = time.Minute
	sweepLimit   = 500       // items of one kind per round
	settleLimit  = 50_000    // files per round: more than the service stores in a minute
	sweepMatches = 50_000    // of feedback rules per round
	hostGrace    = time.Hour // how long an unvisited host is remembered
	blobGrace    = time.Hour // how long a file stays that no row uses: one that was reserved may still get one

	removers       = 16               // files removed at the same time: a bucket takes its time for each
	removePatience = 40 * time.Second // of a round: the rows are locked meanwhile, for a minute at most
)

// sweepWorker ends work whose jobs were given up, and removes image files that no row uses and data whose retention has
// expired.
type sweepWorker struct {
	river.WorkerDefaults[sweepArgs]
	service *app.Service
	rows    vcd.ImageStore
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
	_, blobErr := w.rows.SweepBlobs(ctx, now.Add(-blobGrace), sweepLimit, w.remove)
	_, matchErr := w.service.Reviews.CountRuleMatches(ctx, sweepMatches)
	return errors.Join(err, w.service.Runs.EndCancelled(ctx, sweepLimit),
		w.service.Runs.EndStaleUploads(ctx, sweepLimit), settleErr, blobErr, matchErr, w.service.Runs.ForgetHosts(ctx,
			now.Add(-hostGrace)), w.service.Runs.RemoveOld(ctx, w.keep))
}

// remove removes files until time is up and returns those that are gone. The others come again in the next round.
func (w *sweepWorker) remove(ctx context.Context, hashes []string) (gone []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, removePatience)
	defer cancel()
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
