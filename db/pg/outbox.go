package pg

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

// Outbox gathers what a transaction writes right before its commit: turns and jobs first, then, in one statement, the
// account's counters and its events. That statement locks the account's row, not an earlier one, so an account with
// many writers is locked for one round trip and a commit; and because the holder of the lock commits next, events
// become visible in the order of their numbers.
type Outbox struct {
	Captures  []vcd.CaptureJob
	Compares  []vcd.CompareJob
	delivers  []vcd.DeliverJob
	Imports   []vcd.ImportJob
	mails     []vcd.MailJob
	entries   []queued    // that start to wait for their turn
	imported  []vcd.ID    // imports that start to wait for their turn
	tried     []triedFlow // trials of flows that do
	Ended     []vcd.ID    // turns
	Cancelled []vcd.ID    // whose jobs are cancelled
	complete  bool        // complete the running job
	events    []*vcd.Event
	Promised  int    // newly reserved checks
	Done      int    // reserved checks that were used
	Returned  int    // reserved checks that were given back
	timezone  string // time zone that what was written depends on; empty when it depends on none
}

func (t *Tx) EnqueueCapture(_ context.Context, jobs ...vcd.CaptureJob) error {
	if err := t.mayQueue(); err != nil && len(jobs) > 0 {
		return err
	}
	t.Outbox.Captures = append(t.Outbox.Captures, jobs...)
	return nil
}

func (t *Tx) EnqueueCompare(_ context.Context, jobs ...vcd.CompareJob) error {
	if err := t.mayQueue(); err != nil && len(jobs) > 0 {
		return err
	}
	t.Outbox.Compares = append(t.Outbox.Compares, jobs...)
	return nil
}

func (t *Tx) EnqueueDeliver(_ context.Context, jobs ...vcd.DeliverJob) error {
	if err := t.mayQueue(); err != nil && len(jobs) > 0 {
		return err
	}
	t.Outbox.delivers = append(t.Outbox.delivers, jobs...)
	return nil
}

func (t *Tx) EnqueueImport(_ context.Context, jobs ...vcd.ImportJob) error {
	if err := t.mayQueue(); err != nil && len(jobs) > 0 {
		return err
	}
	t.Outbox.Imports = append(t.Outbox.Imports, jobs...)
	return nil
}

func (t *Tx) EnqueueMail(_ context.Context, jobs ...vcd.MailJob) error {
	if err := t.mayQueue(); err != nil && len(jobs) > 0 {
		return err
	}
	t.Outbox.mails = append(t.Outbox.mails, jobs...)
	return nil
}

// CancelJobs implements vcd.Queue.
func (t *Tx) CancelJobs(_ context.Context, subjects ...vcd.ID) error {
	if t.ReadOnly {
		return ErrReadOnly
	}
	t.Outbox.Cancelled = append(t.Outbox.Cancelled, subjects...)
	return nil
}

func (t *Tx) mayQueue() error {
	switch {
	case t.ReadOnly:
		return ErrReadOnly
	case !t.canQueue:
		return errors.New("this database was opened without a background queue")
	}
	return nil
}

func (t *Tx) CompleteJob(context.Context) error {
	if t.ReadOnly {
		return ErrReadOnly
	}
	t.Outbox.complete = true
	return nil
}

// AppendEvents implements account.Tx. The events get their account and number at commit.
func (t *Tx) AppendEvents(_ context.Context, events ...*vcd.Event) error {
	if t.ReadOnly {
		return ErrReadOnly
	}
	t.Outbox.events = append(t.Outbox.events, events...)
	return nil
}

// SettleChecks implements run.Tx; it is written with the outbox.
func (t *Tx) SettleChecks(_ context.Context, done, returned int) error {
	if t.ReadOnly {
		return ErrReadOnly
	}
	t.Outbox.Done += done
	t.Outbox.Returned += returned
	return nil
}

func (d *DB) flush(ctx context.Context, t *Tx) error {
	if err := t.sendTurns(ctx); err != nil {
		return err
	}
	if err := d.sendJobs(ctx, t); err != nil {
		return err
	}
	return t.settle(ctx)
}

func (d *DB) sendJobs(ctx context.Context, t *Tx) error {
	o := &t.Outbox
	if d.queue == nil || len(o.Captures)+len(o.Compares)+len(o.delivers)+len(o.Imports)+len(o.mails)+len(o.Cancelled) == 0 && !o.complete {
		return nil
	}
	if err := t.traceDeliveries(ctx); err != nil {
		return err
	}
	return t.lend(func(pgxTx pgx.Tx) error {
		queue := d.queue(pgxTx)
		err := errors.Join(enqueue(ctx, queue.EnqueueCapture, o.Captures), enqueue(ctx, queue.EnqueueCompare, o.Compares),
			enqueue(ctx, queue.EnqueueDeliver, o.delivers), enqueue(ctx, queue.EnqueueImport, o.Imports),
			enqueue(ctx, queue.EnqueueMail, o.mails), enqueue(ctx, queue.CancelJobs, o.Cancelled))
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

func (t *Tx) settle(ctx context.Context) error {
	o := &t.Outbox
	if len(o.events) == 0 && o.Promised == 0 && o.Done == 0 && o.Returned == 0 && o.timezone == "" {
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
	err = t.Bun.NewRaw(settleQuery, len(rows), o.Done, o.Promised, o.Returned, t.Tenant, string(document), eventsChannel,
		o.timezone).Scan(ctx, &last)
	switch {
	case err != nil:
		return fmt.Errorf("update the account: %w", err)
	case len(last) == 0 && (o.Promised > 0 || o.timezone != ""):
		return ErrContended
	case len(last) == 0:
		return vcd.NotFound("Account", t.Tenant)
	}
	for i, e := range o.events {
		e.Account, e.Number = t.Tenant, last[0].Number-int64(len(rows)-i-1)
	}
	if last[0].Below {
		return t.settleAbove(ctx)
	}
	return nil
}

// settleAbove counts the checks of a subaccount in its parent account, whose row is locked after that of the
// subaccount.
func (t *Tx) settleAbove(ctx context.Context) error {
	o := &t.Outbox
	if o.Promised == 0 && o.Done == 0 && o.Returned == 0 {
		return nil
	}
	var settled bool
	err := t.Bun.NewRaw("SELECT settle_checks_above(?, ?, ?, ?)", t.Tenant, o.Promised, o.Done, o.Returned).Scan(ctx, &settled)
	switch {
	case err != nil:
		return fmt.Errorf("update the parent account: %w", err)
	case !settled:
		return ErrContended
	}
	return nil
}

// HoldTimezone implements inventory.Tx. The time zone is compared when the outbox is written, under the lock of the
// account.
func (t *Tx) HoldTimezone(_ context.Context, name string) error {
	if t.ReadOnly {
		return ErrReadOnly
	}
	t.Outbox.timezone = name
	return nil
}
