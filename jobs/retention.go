package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"afterimage/vcd"
	"afterimage/vcd/app"
)

// retentionEvery is the time between two rounds. An account's turn comes about once an hour.
const retentionEvery = time.Minute

// retentionArgs asks for a round of removing expired runs.
type retentionArgs struct{}

// Kind implements river.JobArgs.
func (retentionArgs) Kind() string { return "retention" }

// InsertOpts implements river.JobArgsWithInsertOpts. It has a queue of its own, so that long rounds delay no sweeps.
func (retentionArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: retentionQueue, MaxAttempts: 1}
}

// retentionWorker removes the runs that accounts keep no longer.
type retentionWorker struct {
	river.WorkerDefaults[retentionArgs]
	service  *app.Service
	fallback time.Duration // how long accounts without a rule keep runs; 0: for ever
	logger   *slog.Logger
}

func (w *retentionWorker) Timeout(*river.Job[retentionArgs]) time.Duration { return roundTimeout }

func (w *retentionWorker) Work(ctx context.Context, _ *river.Job[retentionArgs]) error {
	freed, err := w.service.Runs.RemoveExpired(ctx, w.fallback)
	if freed != (vcd.Freed{}) {
		w.logger.InfoContext(ctx, "removed expired runs", "runs", freed.Runs, "screenshots", freed.Screenshots,
			"comparisons", freed.Comparisons, "bytes", freed.Bytes)
	}
	return err
}
