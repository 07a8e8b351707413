package db

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/vcd"
)

// eventsChannel is the channel on which the database announces new events, with the payload "<account> <number of the
// newest>".
const eventsChannel = "afterimage_events"

// outbox gathers what a transaction writes right before its commit: turns and jobs first, then, in one statement, the
// account's counters and its events. That statement locks the account's row, not an earlier one, so an account with
// many writers is locked for one round trip and a commit; and because the holder of the lock commits next, events
// become visible in the order of their numbers.
type outbox struct {
	captures  []vcd.CaptureJob
	compares  []vcd.CompareJob
	delivers  []vcd.DeliverJob
	imports   []vcd.ImportJob
	mails     []vcd.MailJob
	entries   []queued // that start to wait for their turn
	imported  []vcd.ID // imports that start to wait for their turn
	ended     []vcd.ID // turns
	cancelled []vcd.ID // whose jobs are cancelled
	complete  bool     // complete the running job
	events    []*vcd.Event
	promised  int    // newly reserved checks
	done      int    // reserved checks that were used
	returned  int    // reserved checks that were given back
	timezone  string // time zone that what was written depends on; empty when it depends on none
}

func (t *tx) EnqueueCapture(_ context.Context, jobs ...vcd.CaptureJob) error {
	if err := t.mayQueue(); err != nil && len(jobs) > 0 {
		return err
	}
	t.outbox.captures = append(t.outbox.captures, jobs...)
	return nil
}

func (t *tx) EnqueueCompare(_ context.Context, jobs ...vcd.CompareJob) error {
	if err := t.mayQueue(); err != nil && len(jobs) > 0 {
		return err
	}
	t.outbox.compares = append(t.outbox.compares, jobs...)
	return nil
}

func (t *tx) EnqueueDeliver(_ context.Context, jobs ...vcd.DeliverJob) error {
	if err := t.mayQueue(); err != nil && len(jobs) > 0 {
		return err
	}
	t.outbox.delivers = append(t.outbox.delivers, jobs...)
	return nil
}

func (t *tx) EnqueueImport(_ context.Context, jobs ...vcd.ImportJob) error {
	if err := t.mayQueue(); err != nil && len(jobs) > 0 {
		return err
	}
	t.outbox.imports = append(t.outbox.imports, jobs...)
	return nil
}

func (t *tx) EnqueueMail(_ context.Context, jobs ...vcd.MailJob) error {
	if err := t.mayQueue(); err != nil && len(jobs) > 0 {
		return err
	}
	t.outbox.mails = append(t.outbox.mails, jobs...)
	return nil
}

// CancelJobs implements vcd.Queue.
func (t *tx) CancelJobs(_ context.Context, subjects ...vcd.ID) error {
	if t.readOnly {
		return errReadOnly
	}
	t.outbox.cancelled = append(t.outbox.cancelled, subjects...)
	return nil
}

func (t *tx) mayQueue() error {
	switch {
	case t.readOnly:
		return errReadOnly
	case !t.canQueue:
		return errors.New("this database was opened without a background queue")
	}
	return nil
}

func (t *tx) CompleteJob(context.Context) error {
	if t.readOnly {
		return errReadOnly
	}
	t.outbox.complete = true
	return nil
}

// AppendEvents implements vcd.EventStore. The events get their account and number at commit.
func (t *tx) AppendEvents(_ context.Context, events ...*vcd.Event) error {
	if t.readOnly {
		return errReadOnly
	}
	t.outbox.events = append(t.outbox.events, events...)
	return nil
}

// ReserveChecks implements vcd.AccountStore. It only checks the balance; the reservation is written with the outbox,
// where it is safe against concurrent ones. If another run was faster, the transaction is repeated and sees the
// remaining balance.
func (t *tx) ReserveChecks(ctx context.Context, n int) (bool, error) {
	if t.readOnly {
		return false, errReadOnly
	}
	a, err := t.Account(ctx)
	if err != nil || a.ChecksLeft() < n {
		return false, err
	}
	if a.IsSubaccount() {
		var above int
		if err := t.bun.NewRaw("SELECT checks_left_above(?)", t.account).Scan(ctx, &above); err != nil {
			return false, fmt.Errorf("ask for the checks of the account above: %w", err)
		}
		if above-t.outbox.promised < n {
			return false, nil
		}
	}
	t.outbox.promised += n
	return true, nil
}

// SettleChecks implements vcd.AccountStore; it is written with the outbox.
func (t *tx) SettleChecks(_ context.Context, done, returned int) error {
	if t.readOnly {
		return errReadOnly
	}
	t.outbox.done += done
	t.outbox.returned += returned
	return nil
}

func (d *DB) flush(ctx context.Context, t *tx) error {
	if err := t.sendTurns(ctx); err != nil {
		return err
	}
	if err := d.sendJobs(ctx, t); err != nil {
		return err
	}
	return t.settle(ctx)
}

func (d *DB) sendJobs(ctx context.Context, t *tx) error {
	o := &t.outbox
	if d.queue == nil || len(o.captures)+len(o.compares)+len(o.delivers)+len(o.imports)+len(o.mails)+len(o.cancelled) == 0 && !o.complete {
		return nil
	}
	if err := t.traceDeliveries(ctx); err != nil {
		return err
	}
	return t.lend(func(pgxTx pgx.Tx) error {
		queue := d.queue(pgxTx)
		err := errors.Join(enqueue(ctx, queue.EnqueueCapture, o.captures), enqueue(ctx, queue.EnqueueCompare, o.compares),
			enqueue(ctx, queue.EnqueueDeliver, o.delivers), enqueue(ctx, queue.EnqueueImport, o.imports),
			enqueue(ctx, queue.EnqueueMail, o.mails), enqueue(ctx, queue.CancelJobs, o.cancelled))
		if err != nil || !o.complete {
			return err
		}
		return queue.CompleteJob(ctx)
	})
}

func enqueue[J any](ctx context.Context, enqueue func(context.Context, ...J) error, jobs []J) error {
	if len(jobs) == 0 {
		return nil
	}
	return enqueue(ctx, jobs...)
}

// eventRow is an event to be stored, as a row of a JSON array. Place numbers the transaction's events from 1.
type eventRow struct {
	Place       int               `json:"place"`
	Kind        vcd.EventKind     `json:"kind"`
	SubjectType vcd.SubjectType   `json:"subject_type"`
	SubjectID   vcd.ID            `json:"subject_id"`
	BatchID     *vcd.ID           `json:"batch_id"`
	Progress    *vcd.StatusCounts `json:"progress"`
	CreatedAt   time.Time         `json:"created_at"`
}

// settleQuery updates the account, stores the events and notifies those waiting for them. NOTIFY is sent at commit.
const settleQuery = `
WITH account AS (
    UPDATE accounts SET
        last_event = last_event + ?0,
        checks_done = checks_done + ?1,
        checks_reserved = checks_reserved + ?2 - ?1 - ?3
    WHERE id = ?4::uuid AND (?2 = 0 OR checks_limit - checks_done - checks_reserved >= ?2)
        AND (?7 = '' OR timezone = ?7)
    RETURNING last_event, parent_id
), added AS (
    INSERT INTO events (account_id, number, kind, subject_type, subject_id, batch_id, progress, created_at)
    SELECT ?4::uuid, account.last_event - ?0 + e.place, e.kind, e.subject_type, e.subject_id, e.batch_id, e.progress, e.created_at
    FROM account, jsonb_to_recordset(?5::jsonb) AS e (
        place integer, kind text, subject_type text, subject_id uuid, batch_id uuid, progress jsonb, created_at timestamptz)
)
SELECT account.last_event, account.parent_id IS NOT NULL AS below,
	CASE WHEN ?0 > 0 THEN pg_notify(?6, ?4 || ' ' || account.last_event) END FROM account`

func (t *tx) settle(ctx context.Context) error {
	o := &t.outbox
	if len(o.events) == 0 && o.promised == 0 && o.done == 0 && o.returned == 0 && o.timezone == "" {
		return nil
	}
	rows := make([]eventRow, len(o.events))
	for i, e := range o.events {
		rows[i] = eventRow{i + 1, e.Kind, e.SubjectType, e.SubjectID, e.BatchID, e.Progress, e.CreatedAt}
	}
	document, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("write events as JSON: %w", err)
	}
	var last []struct {
		Number int64 `bun:"last_event"`
		Below  bool  `bun:"below"` // the account is a subaccount
	}
	err = t.bun.NewRaw(settleQuery, len(rows), o.done, o.promised, o.returned, t.account, string(document), eventsChannel,
		o.timezone).Scan(ctx, &last)
	switch {
	case err != nil:
		return fmt.Errorf("settle the account: %w", err)
	case len(last) == 0 && (o.promised > 0 || o.timezone != ""):
		return errContended
	case len(last) == 0:
		return vcd.NotFound("Account", t.account)
	}
	for i, e := range o.events {
		e.Account, e.Number = t.account, last[0].Number-int64(len(rows)-i-1)
	}
	if last[0].Below {
		return t.settleAbove(ctx)
	}
	return nil
}

// settleAbove counts the checks of a subaccount in its parent account, whose row is locked after that of the
// subaccount.
func (t *tx) settleAbove(ctx context.Context) error {
	o := &t.outbox
	if o.promised == 0 && o.done == 0 && o.returned == 0 {
		return nil
	}
	var settled bool
	err := t.bun.NewRaw("SELECT settle_checks_above(?, ?, ?, ?)", t.account, o.promised, o.done, o.returned).Scan(ctx, &settled)
	switch {
	case err != nil:
		return fmt.Errorf("settle the account above: %w", err)
	case !settled:
		return errContended
	}
	return nil
}
