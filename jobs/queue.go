package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"afterimage/vcd"
)

// Inserter inserts jobs into River's tables within transactions of others. It runs no jobs itself.
type Inserter struct {
	client *river.Client[pgx.Tx]
	home   vcd.Region
	clock  vcd.Clock
}

// NewInserter creates an inserter. Captures of region auto go to the home region. The clock is that of the database: River compares
// the times of jobs with it.
func NewInserter(home vcd.Region, clock vcd.Clock) (*Inserter, error) {
	// Turns are handed out one at a time, as places become free: each must be noticed at once, however soon it follows
	// another.
	client, err := river.NewClient(riverpgxv5.New(nil), &river.Config{
		FetchCooldown: river.FetchCooldownMin, Test: river.TestConfig{Time: insertTime{riverTime{clock}}},
	})
	if err != nil {
		return nil, fmt.Errorf("make the job inserter: %w", err)
	}
	return &Inserter{client: client, home: home, clock: clock}, nil
}

// Queue implements the port of package vcd, bound to a transaction.
func (i *Inserter) Queue(tx pgx.Tx) vcd.Queue { return txQueue{inserter: i, tx: tx} }

type txQueue struct {
	inserter *Inserter
	tx       pgx.Tx
}

func (q txQueue) EnqueueCapture(ctx context.Context, jobs ...vcd.CaptureJob) error {
	params := make([]river.InsertManyParams, len(jobs))
	for i, job := range jobs {
		params[i] = river.InsertManyParams{
			Args: captureArgs{Account: job.Account, Entry: job.Entry, Probe: job.Probe},
			InsertOpts: &river.InsertOpts{
				Queue: queueOf(job.Region, q.inserter.home), MaxAttempts: maxAttempts, Metadata: carried(job.Trace),
			},
		}
	}
	return q.insert(ctx, params)
}

func (q txQueue) EnqueueCompare(ctx context.Context, jobs ...vcd.CompareJob) error {
	params := make([]river.InsertManyParams, len(jobs))
	for i, job := range jobs {
		params[i] = river.InsertManyParams{
			Args:       compareArgs{Account: job.Account, Entry: job.Entry},
			InsertOpts: &river.InsertOpts{Queue: compareQueue, MaxAttempts: maxAttempts, Metadata: carried(job.Trace)},
		}
	}
	return q.insert(ctx, params)
}

func (q txQueue) EnqueueDeliver(ctx context.Context, jobs ...vcd.DeliverJob) error {
	params := make([]river.InsertManyParams, len(jobs))
	for i, job := range jobs {
		params[i] = river.InsertManyParams{
			Args: deliverArgs{Account: job.Account, Delivery: job.Delivery, Batch: job.Batch},
			InsertOpts: &river.InsertOpts{
				Queue: deliverQueue, ScheduledAt: q.later(job.At), MaxAttempts: maxDeliverAttempts, Metadata: carried(job.Trace),
			},
		}
	}
	return q.insert(ctx, params)
}

func (q txQueue) EnqueueImport(ctx context.Context, jobs ...vcd.ImportJob) error {
	params := make([]river.InsertManyParams, len(jobs))
	for i, job := range jobs {
		queue := importQueue
		if job.Kind == vcd.ImportSync {
			queue = syncQueue
		}
		params[i] = river.InsertManyParams{
			Args:       importArgs{Account: job.Account, Import: job.Import},
			InsertOpts: &river.InsertOpts{Queue: queue, MaxAttempts: maxAttempts},
		}
	}
	return q.insert(ctx, params)
}

func (q txQueue) EnqueueMail(ctx context.Context, jobs ...vcd.MailJob) error {
	params := make([]river.InsertManyParams, len(jobs))
	for i, job := range jobs {
		params[i] = river.InsertManyParams{
			Args:       mailArgs{Account: job.Account, Mail: job.Mail},
			InsertOpts: &river.InsertOpts{Queue: mailQueue, ScheduledAt: q.later(job.At), MaxAttempts: maxAttempts},
		}
	}
	return q.insert(ctx, params)
}

// later is when a job may start; zero for immediately. River polls for delayed jobs only every few seconds, including
// those that have become due meanwhile.
func (q txQueue) later(at time.Time) time.Time {
	if !at.After(q.inserter.clock.Now()) {
		return time.Time{}
	}
	return at
}

func (q txQueue) insert(ctx context.Context, params []river.InsertManyParams) error {
	if len(params) == 0 {
		return nil
	}
	if _, err := q.inserter.client.InsertManyFastTx(ctx, q.tx, params); err != nil {
		return fmt.Errorf("enqueue %d jobs: %w", len(params), err)
	}
	return nil
}

// CancelJobs cancels the jobs of the subjects in the background queue. The contexts of running ones end.
//
// A run may have thousands of jobs that nobody works on yet: they end in one statement, as River would end each. Those that a worker
// holds are few, and River tells their workers.
func (q txQueue) CancelJobs(ctx context.Context, subjects ...vcd.ID) error {
	names := make([]string, len(subjects))
	for i, id := range subjects {
		names[i] = string(id)
	}
	if _, err := q.tx.Exec(ctx, `UPDATE river_job SET state = 'cancelled', finalized_at = $2,
		metadata = jsonb_set(metadata, '{cancel_attempted_at}', to_jsonb($2::timestamptz), true)
		WHERE `+jobsOf+` AND state IN ('available', 'pending', 'retryable', 'scheduled')`, names, q.inserter.clock.Now()); err != nil {
		return fmt.Errorf("cancel the waiting jobs: %w", err)
	}
	// A worker that took a job while the statement above waited for its row is seen here.
	rows, err := q.tx.Query(ctx, `SELECT id FROM river_job WHERE `+jobsOf+` AND state = 'running'`, names)
	if err != nil {
		return fmt.Errorf("look for running jobs: %w", err)
	}
	jobs, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return fmt.Errorf("look for running jobs: %w", err)
	}
	for _, id := range jobs {
		if _, err := q.inserter.client.JobCancelTx(ctx, q.tx, id); err != nil && !errors.Is(err, river.ErrNotFound) {
			return fmt.Errorf("cancel job %d: %w", id, err)
		}
	}
	return nil
}

// jobsOf is the condition of the jobs whose subjects are listed in $1.
const jobsOf = `kind IN ('capture', 'compare', 'import') AND coalesce(args ->> 'entry', args ->> 'import') = ANY ($1)`

func (q txQueue) CompleteJob(ctx context.Context) error {
	complete, ok := ctx.Value(completionKey{}).(completion)
	if !ok {
		return nil
	}
	return complete(ctx, q.tx)
}

// completion marks the running job as completed within a transaction.
type completion func(ctx context.Context, tx pgx.Tx) error

type completionKey struct{}

// withCompletion lets use cases complete the running job.
func withCompletion[T river.JobArgs](ctx context.Context, job *river.Job[T]) context.Context {
	return context.WithValue(ctx, completionKey{}, completion(func(ctx context.Context, tx pgx.Tx) error {
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		if errors.Is(err, river.ErrNotFound) {
			return nil // the job was removed by hand; its effect remains
		}
		return err
	}))
}
