package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// lanePutOff is how long a lane waits whose dispatch failed.
const lanePutOff = 30 * time.Second

// OpenLane is vcd.QueueEntryStore's. It locks the lane's row even when that is open already, so a dispatcher that finds
// the lane empty cannot close it before this transaction's entries are there to be seen.
func (t *tx) OpenLane(ctx context.Context, at time.Time) error {
	_, err := t.bun.NewRaw(`INSERT INTO lanes AS l (account_id, next_at) VALUES (?, ?)
		ON CONFLICT (account_id) DO UPDATE SET next_at = excluded.next_at WHERE l.next_at IS NULL`, t.account, at).Exec(ctx)
	if err != nil {
		return fmt.Errorf("open the lane: %w", err)
	}
	return nil
}

// TakeDueLane is vcd.LaneStore's. It asks for the lane as the system and goes on bound to the lane's account.
func (d *DB) TakeDueLane(
	ctx context.Context, now time.Time, do func(ctx context.Context, account vcd.ID, tx vcd.Tx) (time.Time, error),
) (bool, error) {
	var account vcd.ID
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) (err error) {
		account, err = t.lockDueLane(ctx, now)
		if err != nil || account == "" {
			return err
		}
		if err := t.bind(ctx, account); err != nil {
			return err
		}
		next, err := do(ctx, account, t)
		if err != nil {
			return err
		}
		return t.setLane(ctx, next)
	})
	if err != nil && account != "" {
		err = errors.Join(err, d.InTx(ctx, vcd.Actor{Account: account}, func(ctx context.Context, t vcd.Tx) error {
			return t.(*tx).setLane(ctx, now.Add(lanePutOff))
		}))
	}
	return account != "" && err == nil, err
}

// lockDueLane is the account whose lane has been due longest and that no other dispatcher holds; empty when none is due.
func (t *tx) lockDueLane(ctx context.Context, now time.Time) (account vcd.ID, err error) {
	err = t.bun.NewRaw(`SELECT account_id FROM lanes WHERE next_at <= ? ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED`, now).
		Scan(ctx, &account)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("look for a due lane: %w", err)
	}
	return account, nil
}

func (t *tx) setLane(ctx context.Context, next time.Time) error {
	_, err := t.bun.NewUpdate().Table("lanes").Set("next_at = ?", bun.NullTime{Time: next}).Where("account_id = ?", t.account).Exec(ctx)
	if err != nil {
		return fmt.Errorf("set the lane: %w", err)
	}
	return nil
}

// StrandedEntries is vcd.LaneStore's. The few entries that are in work for so long are looked for in the jobs that can
// still end them; the condition on q is that of the index queue_entries_in_work.
func (d *DB) StrandedEntries(ctx context.Context, before time.Time, limit int) ([]vcd.StrandedEntry, error) {
	var rows []entryRow
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		return t.bun.NewRaw(`
			SELECT q.account_id, q.id, q.type FROM queue_entries AS q
			WHERE q.dispatched AND q.status IN ('open', 'processing') AND q.updated_at < ?
				AND NOT EXISTS (SELECT FROM river_job AS j
					WHERE j.kind IN ('capture', 'compare') AND j.args ->> 'entry' = q.id::text
						AND j.state IN ('available', 'pending', 'retryable', 'running', 'scheduled'))
			ORDER BY q.updated_at LIMIT ?`, before, limit).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("look for stranded entries: %w", err)
	}
	stranded := make([]vcd.StrandedEntry, len(rows))
	for i, r := range rows {
		stranded[i] = vcd.StrandedEntry{Account: r.Account, Entry: r.ID, Type: r.Type}
	}
	return stranded, nil
}
