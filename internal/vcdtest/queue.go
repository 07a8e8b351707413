package vcdtest

import (
	"context"

	"github.com/jackc/pgx/v5"

	"afterimage/vcd"
)

// JobTable creates the table behind TableQueue: it holds exactly the jobs of committed transactions.
const JobTable = `CREATE TABLE test_jobs (
	id bigint GENERATED ALWAYS AS IDENTITY, kind text NOT NULL, account uuid NOT NULL, entry uuid NOT NULL, at timestamptz)`

// TableQueue is the background queue of one transaction.
type TableQueue struct{ Tx pgx.Tx }

// NewTableQueue returns the queue of a transaction, for db.Config.
func NewTableQueue(tx pgx.Tx) vcd.Queue { return TableQueue{Tx: tx} }

// EnqueueCapture implements vcd.Queue.
func (q TableQueue) EnqueueCapture(ctx context.Context, jobs ...vcd.CaptureJob) error {
	for _, j := range jobs {
		if err := q.insert(ctx, "capture", j.Account, j.Entry); err != nil {
			return err
		}
	}
	return nil
}

// EnqueueCompare implements vcd.Queue.
func (q TableQueue) EnqueueCompare(ctx context.Context, jobs ...vcd.CompareJob) error {
	for _, j := range jobs {
		if err := q.insert(ctx, "compare", j.Account, j.Entry); err != nil {
			return err
		}
	}
	return nil
}

// EnqueueDeliver implements vcd.Queue.
func (q TableQueue) EnqueueDeliver(ctx context.Context, jobs ...vcd.DeliverJob) error {
	for _, j := range jobs {
		if err := q.insert(ctx, "deliver", j.Account, j.Delivery); err != nil {
			return err
		}
	}
	return nil
}

// EnqueueImport implements vcd.Queue.
func (q TableQueue) EnqueueImport(ctx context.Context, jobs ...vcd.ImportJob) error {
	for _, j := range jobs {
		if err := q.insert(ctx, "import", j.Account, j.Import); err != nil {
			return err
		}
	}
	return nil
}

// EnqueueMail implements vcd.Queue.
func (q TableQueue) EnqueueMail(ctx context.Context, jobs ...vcd.MailJob) error {
	for _, j := range jobs {
		if err := q.insert(ctx, "mail", j.Account, j.Mail); err != nil {
			return err
		}
	}
	return nil
}

func (q TableQueue) insert(ctx context.Context, kind string, account, entry vcd.ID) error {
	_, err := q.Tx.Exec(ctx, "INSERT INTO test_jobs (kind, account, entry) VALUES ($1, $2, $3)", kind, string(account), string(entry))
	return err
}

// CancelJobs removes the jobs of entries.
func (q TableQueue) CancelJobs(ctx context.Context, subjects ...vcd.ID) error {
	entries := make([]string, len(subjects))
	for i, id := range subjects {
		entries[i] = string(id)
	}
	_, err := q.Tx.Exec(ctx, "DELETE FROM test_jobs WHERE entry = ANY($1)", entries)
	return err
}

// CompleteJob removes the oldest job of the entry that the context works on.
func (q TableQueue) CompleteJob(ctx context.Context) error {
	entry, ok := ctx.Value(workingOn{}).(vcd.ID)
	if !ok {
		return nil
	}
	_, err := q.Tx.Exec(ctx, "DELETE FROM test_jobs WHERE id = (SELECT min(id) FROM test_jobs WHERE entry = $1)", string(entry))
	return err
}

type workingOn struct{}

// IdleQueue is a background queue that discards all jobs: the tests do the work themselves.
type IdleQueue struct{}

// NewIdleQueue returns an IdleQueue, for db.Config.
func NewIdleQueue(pgx.Tx) vcd.Queue { return IdleQueue{} }

// EnqueueCapture implements vcd.Queue.
func (IdleQueue) EnqueueCapture(context.Context, ...vcd.CaptureJob) error { return nil }

// EnqueueCompare implements vcd.Queue.
func (IdleQueue) EnqueueCompare(context.Context, ...vcd.CompareJob) error { return nil }

// EnqueueDeliver implements vcd.Queue.
func (IdleQueue) EnqueueDeliver(context.Context, ...vcd.DeliverJob) error { return nil }

// EnqueueImport implements vcd.Queue.
func (IdleQueue) EnqueueImport(context.Context, ...vcd.ImportJob) error { return nil }

// EnqueueMail implements vcd.Queue.
func (IdleQueue) EnqueueMail(context.Context, ...vcd.MailJob) error { return nil }

// CancelJobs implements vcd.Queue.
func (IdleQueue) CancelJobs(context.Context, ...vcd.ID) error { return nil }

// CompleteJob implements vcd.Queue.
func (IdleQueue) CompleteJob(context.Context) error { return nil }
