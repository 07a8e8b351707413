package outbound

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/vcd"
)

// agedAccounts finds accounts whose oldest event is old and was read by all consumers, with one lookup of the first
// remaining event per account. Oldest first, so that no account is neglected; several, since other processes may be
// working on the first.
const agedAccounts = `SELECT a.id FROM accounts AS a CROSS JOIN LATERAL (
    SELECT e.created_at FROM events AS e WHERE e.account_id = a.id AND e.number > a.removed_events ORDER BY e.number LIMIT 1) AS oldest
WHERE oldest.created_at < ? AND (
    SELECT count(*) FROM consumers AS c WHERE c.account_id = a.id AND c.name IN (?) AND c.position > a.removed_events) = ?
ORDER BY oldest.created_at LIMIT ?`

// removeEvents removes events from the first remaining one up to ?2, as long as they are old without a gap, and records
// it.
const removeEvents = `WITH oldest AS (
    SELECT e.number, e.created_at FROM events AS e
    WHERE e.account_id = ?0 AND e.number > (SELECT removed_events FROM accounts WHERE id = ?0) AND e.number <= ?2 ORDER BY e.number LIMIT ?3
), reach AS (
    SELECT coalesce(min(number) FILTER (WHERE created_at >= ?1) - 1, max(number)) AS number FROM oldest
), gone AS (
    DELETE FROM events AS e USING reach WHERE e.account_id = ?0 AND e.number > (SELECT removed_events FROM accounts WHERE id = ?0)
        AND e.number <= reach.number RETURNING e.number, e.created_at
), noted AS (
    UPDATE accounts AS a SET removed_events = g.number, removed_events_until = greatest(a.removed_events_until, g.at)
    FROM (SELECT max(number) AS number, max(created_at) AS at FROM gone) AS g WHERE a.id = ?0 AND g.number IS NOT NULL
)
SELECT count(*) FROM gone`

// RemoveEvents implements run.Store.
func (d *Store) RemoveEvents(ctx context.Context, before time.Time, readers []vcd.Consumer, limit int) (removed int, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		removed = 0
		var aged []vcd.ID
		err := t.Bun.NewRaw(agedAccounts, before, bun.List(readers), len(readers), backlogChoice).Scan(ctx, &aged)
		if err != nil {
			return err
		}
		for _, account := range aged {
			read, err := t.lockReaders(ctx, account, readers)
			if err != nil {
				return err
			}
			if read > 0 {
				return t.Bun.NewRaw(removeEvents, account, before, read, limit).Scan(ctx, &removed)
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("remove old events: %w", err)
	}
	return removed, nil
}

// lockReaders prevents others from reading or removing an account's events and returns the last event that all readers
// have read; 0 when another process is reading. A reader that starts after this begins with the remaining events.
func (t *Tx) lockReaders(ctx context.Context, account vcd.ID, readers []vcd.Consumer) (read int64, err error) {
	var positions []int64
	err = t.Bun.NewRaw("SELECT position FROM consumers WHERE account_id = ? AND name IN (?) ORDER BY position FOR UPDATE SKIP LOCKED",
		account, bun.List(readers)).Scan(ctx, &positions)
	if err != nil || len(positions) < len(readers) {
		return 0, err
	}
	return positions[0], nil
}

// RemoveDeliveries implements run.Store.
func (d *Store) RemoveDeliveries(ctx context.Context, before time.Time, limit int) (int, error) {
	return d.RemoveKept(ctx, ended("deliveries"), before, limit)
}

// RemoveMails implements run.Store.
func (d *Store) RemoveMails(ctx context.Context, before time.Time, limit int) (int, error) {
	return d.RemoveKept(ctx, ended("mails"), before, limit)
}

// ended are the rows of a table that are no longer pending.
func ended(table string) pg.Kept {
	return pg.Kept{Table: table, Key: []string{"account_id", "id"}, Since: "created_at", If: "state <> 'pending'"}
}
