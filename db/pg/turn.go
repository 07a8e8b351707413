package pg

import (
	"context"
	"fmt"
	"time"

	"afterimage/db/query"
	"afterimage/vcd"
)

// queued is work that waits for its turn once the transaction is committed.
type queued struct {
	subject vcd.ID
	at      time.Time
}

// QueueUp implements run.Tx. It is written with the outbox.
func (t *Tx) QueueUp(_ context.Context, at time.Time, entries ...vcd.ID) error {
	if err := t.mayQueue(); err != nil && len(entries) > 0 {
		return err
	}
	for _, id := range entries {
		t.Outbox.entries = append(t.Outbox.entries, queued{id, at})
	}
	return nil
}

// QueueUpImport implements inventory.ImportTx. It is written with the outbox.
func (t *Tx) QueueUpImport(_ context.Context, id vcd.ID) error {
	if err := t.mayQueue(); err != nil {
		return err
	}
	t.Outbox.imported = append(t.Outbox.imported, id)
	return nil
}

// triedFlow is a trial of a flow that waits for its turn once the transaction is committed.
type triedFlow struct {
	id     vcd.ID
	region vcd.Region
	host   string
	at     time.Time
}

// QueueUpTrial implements inventory.TrialTx. It is written with the outbox.
func (t *Tx) QueueUpTrial(_ context.Context, id vcd.ID, region vcd.Region, host string, at time.Time) error {
	if err := t.mayQueue(); err != nil {
		return err
	}
	t.Outbox.tried = append(t.Outbox.tried, triedFlow{id, region, host, at})
	return nil
}

// EndTurn implements inventory.ImportTx. It is written with the outbox.
func (t *Tx) EndTurn(_ context.Context, subject vcd.ID) error {
	if t.ReadOnly {
		return ErrReadOnly
	}
	t.Outbox.Ended = append(t.Outbox.Ended, subject)
	return nil
}

// WithdrawTurns implements run.Tx.
func (t *Tx) WithdrawTurns(ctx context.Context, batches ...vcd.ID) ([]vcd.ID, error) {
	if t.ReadOnly {
		return nil, ErrReadOnly
	}
	var handed []string
	err := t.Bun.NewRaw(`WITH gone AS (DELETE FROM turns WHERE account_id = ? AND batch_id = ANY(?) RETURNING subject_id, handed_at)
		SELECT subject_id FROM gone WHERE handed_at IS NOT NULL`, t.Tenant, query.Array(batches)).Scan(ctx, &handed)
	if err != nil {
		return nil, fmt.Errorf("take the turns of %d batches: %w", len(batches), err)
	}
	return query.IDs(handed), nil
}

// A turn holds everything that handing it out depends on. An entry that is queued again counts as not handed out. Entries of a
// cancelled batch get none: they are about to be ended.
var (
	queueUpEntries = `
INSERT INTO turns AS t (account_id, subject_id, kind, queue, payer_id, batch_id, delay, host, at)
SELECT q.account_id, q.id, CASE q.type WHEN 'compare' THEN 'compare' ELSE 'capture' END,
	CASE q.type WHEN 'compare' THEN '' ELSE g.screenshot_region END, coalesce(a.parent_id, a.id), q.batch_id, q.delay,
	CASE q.type WHEN 'compare' THEN '' ELSE split_part(split_part(u.address, '/', 1), chr(63), 1) END, ?2
FROM queue_entries AS q JOIN accounts AS a ON a.id = q.account_id
` + query.LookUp("batches", "b", "o.account_id = ?0 AND o.id = q.batch_id") + `
` + query.LookUp("groups", "g", "o.account_id = ?0 AND o.id = q.group_id") + `
` + query.LookUp("urls", "u", "o.account_id = ?0 AND o.id = q.url_id") + `
WHERE q.account_id = ?0 AND q.id = ANY(?1) AND b.cancelled_at IS NULL
ON CONFLICT (account_id, subject_id) DO UPDATE SET at = excluded.at, handed_at = NULL`

	queueUpImports = `
INSERT INTO turns AS t (account_id, subject_id, kind, queue, payer_id, batch_id, delay, host, at)
SELECT i.account_id, i.id, 'import', i.kind, coalesce(a.parent_id, a.id), i.id, 0, '', i.updated_at
FROM url_imports AS i JOIN accounts AS a ON a.id = i.account_id WHERE i.account_id = ?0 AND i.id = ANY(?1)
ON CONFLICT (account_id, subject_id) DO UPDATE SET at = excluded.at, handed_at = NULL`

	// A trial waits as a capture does, and is a batch of its own.
	queueUpTrial = `
INSERT INTO turns AS t (account_id, subject_id, kind, queue, payer_id, batch_id, delay, host, at)
SELECT a.id, ?1, 'capture', ?2, coalesce(a.parent_id, a.id), ?1, 0, ?3, ?4 FROM accounts AS a WHERE a.id = ?0`

	endTurns = "SELECT end_turns(?, ?)"
)

// sendTurns writes which turns ended and which start to wait.
func (t *Tx) sendTurns(ctx context.Context) error {
	o := &t.Outbox
	if len(o.Ended) > 0 {
		if _, err := t.Bun.NewRaw(endTurns, t.Tenant, query.Array(o.Ended)).Exec(ctx); err != nil {
			return fmt.Errorf("end %d turns: %w", len(o.Ended), err)
		}
	}
	for first := 0; first < len(o.entries); { // one statement for all entries of the same time
		at, next := o.entries[first].at, first
		var subjects []vcd.ID
		for ; next < len(o.entries) && o.entries[next].at.Equal(at); next++ {
			subjects = append(subjects, o.entries[next].subject)
		}
		if _, err := t.Bun.NewRaw(queueUpEntries, t.Tenant, query.Array(subjects), at).Exec(ctx); err != nil {
			return fmt.Errorf("queue up %d entries: %w", len(subjects), err)
		}
		first = next
	}
	if len(o.imported) > 0 {
		if _, err := t.Bun.NewRaw(queueUpImports, t.Tenant, query.Array(o.imported)).Exec(ctx); err != nil {
			return fmt.Errorf("queue up imports: %w", err)
		}
	}
	for _, w := range o.tried {
		if _, err := t.Bun.NewRaw(queueUpTrial, t.Tenant, w.id, w.region, w.host, w.at).Exec(ctx); err != nil {
			return fmt.Errorf("queue up the trial %s: %w", w.id, err)
		}
	}
	return nil
}
