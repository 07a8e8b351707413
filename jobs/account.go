package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"afterimage/vcd/app"
)

const accountsEvery = time.Minute

// accountsArgs requests one round of the time-dependent changes of accounts.
type accountsArgs struct{}

func (accountsArgs) Kind() string { return "accounts" }

func (accountsArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: sweepQueue, MaxAttempts: 1}
}

// accountsWorker renews accounts and pauses unused ones.
type accountsWorker struct {
	river.WorkerDefaults[accountsArgs]
	service    *app.Service
	pauseAfter time.Duration
}

func (w *accountsWorker) Timeout(*river.Job[accountsArgs]) time.Duration { return roundTimeout }

func (w *accountsWorker) Work(ctx context.Context, _ *river.Job[accountsArgs]) error {
	return w.service.Accounts.KeepAccounts(ctx, w.pauseAfter)
}
