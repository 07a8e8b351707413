package db

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// queued is work that waits for its turn once the transaction is committed.
type queued struct {
	subject vcd.ID
	at      time.Time
}

// QueueUp implements vcd.TurnStore. It is written with the outbox.
func (t *tx) QueueUp(_ context.Context, at time.Time, entries ...vcd.ID) error {
	if err := t.mayQueue(); err != nil && len(entries) > 0 {
		return err
	}
	for _, id := range entries {
		t.outbox.entries = append(t.outbox.entries, queued{id, at})
	}
	return nil
}

// QueueUpImport implements vcd.TurnStore. It is written with the outbox.
func (t *tx) QueueUpImport(_ context.Context, id vcd.ID) error {
	if err := t.mayQueue(); err != nil {
		return err
	}
	t.outbox.imported = append(t.outbox.imported, id)
	return nil
}

// EndTurn implements vcd.TurnStore. It is written with the outbox.
func (t *tx) EndTurn(_ context.Context, subject vcd.ID) error {
	if t.readOnly {
		return errReadOnly
	}
	t.outbox.ended = append(t.outbox.ended, subject)
	return nil
}

// WithdrawTurns implements vcd.TurnStore.
func (t *tx) WithdrawTurns(ctx context.Context, batches ...vcd.ID) ([]vcd.ID, error) {
	if t.readOnly {
		return nil, errReadOnly
	}
	var handed []string
	err := t.bun.NewRaw(`WITH gone AS (DELETE FROM turns WHERE account_id = ? AND batch_id = ANY(?) RETURNING subject_id, handed_at)
		SELECT subject_id FROM gone WHERE handed_at IS NOT NULL`, t.account, array(batches)).Scan(ctx, &handed)
	if err != nil {
		return nil, fmt.Errorf("take the turns of %d batches: %w", len(batches), err)
	}
	return ids(handed), nil
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
` + lookUp("batches", "b", "o.account_id = ?0 AND o.id = q.batch_id") + `
` + lookUp("groups", "g", "o.account_id = ?0 AND o.id = q.group_id") + `
` + lookUp("urls", "u", "o.account_id = ?0 AND o.id = q.url_id") + `
WHERE q.account_id = ?0 AND q.id = ANY(?1) AND b.cancelled_at IS NULL
ON CONFLICT (account_id, subject_id) DO UPDATE SET at = excluded.at, handed_at = NULL`

	queueUpImports = `
INSERT INTO turns AS t (account_id, subject_id, kind, queue, payer_id, batch_id, delay, host, at)
SELECT i.account_id, i.id, 'import', i.kind, coalesce(a.parent_id, a.id), i.id, 0, '', i.updated_at
FROM url_imports AS i JOIN accounts AS a ON a.id = i.account_id WHERE i.account_id = ?0 AND i.id = ANY(?1)
ON CONFLICT (account_id, subject_id) DO UPDATE SET at = excluded.at, handed_at = NULL`

	endTurns = "SELECT end_turns(?, ?)"
)

// sendTurns writes which turns ended and which start to wait.
func (t *tx) sendTurns(ctx context.Context) error {
	o := &t.outbox
	if len(o.ended) > 0 {
		if _, err := t.bun.NewRaw(endTurns, t.account, array(o.ended)).Exec(ctx); err != nil {
			return fmt.Errorf("end %d turns: %w", len(o.ended), err)
		}
	}
	for first := 0; first < len(o.entries); { // one statement for all entries of the same time
		at, next := o.entries[first].at, first
		var subjects []vcd.ID
		for ; next < len(o.entries) && o.entries[next].at.Equal(at); next++ {
			subjects = append(subjects, o.entries[next].subject)
		}
		if _, err := t.bun.NewRaw(queueUpEntries, t.account, array(subjects), at).Exec(ctx); err != nil {
			return fmt.Errorf("queue up %d entries: %w", len(subjects), err)
		}
		first = next
	}
	if len(o.imported) > 0 {
		if _, err := t.bun.NewRaw(queueUpImports, t.account, array(o.imported)).Exec(ctx); err != nil {
			return fmt.Errorf("queue up imports: %w", err)
		}
	}
	return nil
}

// StrandedTurns implements vcd.HandOutStore.
func (d *DB) StrandedTurns(ctx context.Context, before time.Time, limit int) ([]vcd.StrandedTurn, error) {
	var rows []turnRow
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		return t.bun.NewRaw(`
			SELECT t.account_id, t.subject_id, t.kind FROM turns AS t
			WHERE t.handed_at < ? AND NOT EXISTS (SELECT FROM river_job AS j
				WHERE j.kind IN ('capture', 'compare', 'import') AND coalesce(j.args ->> 'entry', j.args ->> 'import') = t.subject_id::text
					AND j.state IN ('available', 'pending', 'retryable', 'running', 'scheduled'))
			ORDER BY t.handed_at LIMIT ?`, before, limit).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("look for stranded turns: %w", err)
	}
	stranded := make([]vcd.StrandedTurn, len(rows))
	for i, r := range rows {
		stranded[i] = vcd.StrandedTurn{Account: r.Account, Subject: r.Subject, Kind: r.Kind}
	}
	return stranded, nil
}

type turnRow struct {
	bun.BaseModel `bun:"table:turns,alias:t"`

	Account vcd.ID       `bun:"account_id,pk"`
	Subject vcd.ID       `bun:"subject_id,pk"`
	Kind    vcd.TurnKind `bun:"kind"`
	Queue   string       `bun:"queue"`
}

// ForgetHosts implements vcd.HandOutStore.
func (d *DB) ForgetHosts(ctx context.Context, before time.Time) error {
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.bun.NewRaw(`WITH faded AS (DELETE FROM shares WHERE at < ?0),
			refused AS (DELETE FROM site_refusals WHERE at < ?0), rested AS (DELETE FROM site_rests WHERE refused_at < ?0)
			DELETE FROM hosts WHERE visited_at < ?0 AND coalesce(rest_until < ?0, true)`, before).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget hosts: %w", err)
	}
	return nil
}
