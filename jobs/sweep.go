package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"afterimage/internal/blob"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/run"
)

const (
	sweepEvery   = time.Minute
	sweepLimit   = 500       // items of one kind per round
	sweepMatches = 50_000    // of feedback rules per round
	hostGrace    = time.Hour // how long an unvisited host is remembered
	blobGrace    = time.Hour // how long a reserved file may wait for the row that uses it
)

// sweepWorker ends work whose jobs were given up, and removes image files that no row uses and data whose retention has
// expired.
type sweepWorker struct {
	river.WorkerDefaults[sweepArgs]
	service *app.Service
	rows    vcd.ImageStore
	files   *blob.Files
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
	_, blobErr := w.rows.SweepBlobs(ctx, now.Add(-blobGrace), sweepLimit, w.files.Remove)
	_, matchErr := w.service.Reviews.CountRuleMatches(ctx, sweepMatches)
	return errors.Join(err, w.service.Runs.EndCancelled(ctx, sweepLimit),
		w.service.Runs.EndStaleUploads(ctx, sweepLimit), blobErr, matchErr, w.service.Runs.ForgetHosts(ctx,
			now.Add(-hostGrace)), w.service.Runs.RemoveOld(ctx, w.keep))
}
