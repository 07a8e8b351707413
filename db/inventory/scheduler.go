package inventory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

// runPutOff is how long a run is put off after its start failed.
const runPutOff = time.Minute

// TakeDueGroups looks for the first group as the system, then binds the transaction to its
// account.
func (d *Store) TakeDueGroups(
	ctx context.Context, now time.Time, most int, do func(ctx context.Context, due []*vcd.Group, tx *Tx) error,
) (taken int, err error) {
	var first groupRow
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) (err error) {
		taken = 0
		first, err = t.lockDueGroup(ctx, now)
		if err != nil || first.ID == "" {
			return err
		}
		if err := t.Bind(ctx, first.Account); err != nil {
			return err
		}
		due, err := t.lockDueGroups(ctx, now, first.ID, most-1)
		if err != nil {
			return err
		}
		taken = len(due)
		return do(ctx, due, t)
	})
	if err != nil && taken == 1 {
		err = errors.Join(err, d.putOffRun(ctx, first, now))
	}
	return taken, err
}

// lockDueGroup returns the group whose run has been due longest and that no other scheduler holds, or an empty row.
func (t *Tx) lockDueGroup(ctx context.Context, now time.Time) (due groupRow, err error) {
	err = t.Bun.NewRaw(`SELECT account_id, id FROM groups WHERE next_run_at <= ? ORDER BY next_run_at LIMIT 1 FOR NO KEY UPDATE `+
		`SKIP LOCKED`, now).
		Scan(ctx, &due)
	if errors.Is(err, sql.ErrNoRows) {
		return groupRow{}, nil
	}
	if err != nil {
		return groupRow{}, fmt.Errorf("look for a due run: %w", err)
	}
	return due, nil
}

// lockDueGroups reads a locked group of the account and up to so many others that are due, in the order of their times, and locks
// them.
func (t *Tx) lockDueGroups(ctx context.Context, now time.Time, first vcd.ID, others int) ([]*vcd.Group, error) {
	locked := []vcd.ID{first}
	if others > 0 {
		var more []vcd.ID
		err := t.Bun.NewRaw(`SELECT id FROM groups WHERE account_id = ? AND next_run_at <= ? AND id <> ? ORDER BY next_run_at LIMIT ? `+
			`FOR NO KEY UPDATE SKIP LOCKED`, t.Tenant, now, first, others).Scan(ctx, &more)
		if err != nil {
			return nil, fmt.Errorf("look for more due runs: %w", err)
		}
		locked = append(locked, more...)
	}
	rows, err := query.Fetch[groupRead](ctx, t.Scope, query.Own(groups), func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("g.id = ANY(?) AND g.deleted_at IS NULL", query.Array(locked)).OrderExpr("g.next_run_at, g.id")
	})
	if err != nil {
		return nil, err
	}
	return query.ConvertAll(rows, (*groupRead).group), nil
}

// putOffRun lets the runs of other groups go first.
func (d *Store) putOffRun(ctx context.Context, due groupRow, now time.Time) error {
	return d.Write(ctx, vcd.Actor{Account: due.Account}, func(ctx context.Context, own *pg.Tx) error {
		_, err := own.Bun.NewUpdate().Table("groups").Set("next_run_at = ?", now.Add(runPutOff)).
			Where("account_id = ? AND id = ? AND next_run_at <= ?", due.Account, due.ID, now).Exec(ctx)
		if err != nil {
			return fmt.Errorf("postpone the run of group %s: %w", due.ID, err)
		}
		return nil
	})
}

// dueRunRow is what SaveDueRuns stores of a group, as a row of a JSON array.
type dueRunRow struct {
	ID        vcd.ID         `json:"id"`
	NextRunAt *time.Time     `json:"next_run_at"`
	MissedRun *vcd.MissedRun `json:"missed_run"`
}

// SaveDueRuns implements run.Tx.
func (t *Tx) SaveDueRuns(ctx context.Context, saved []*vcd.Group) error {
	rows := make([]dueRunRow, len(saved))
	for i, g := range saved {
		rows[i] = dueRunRow{g.ID, g.NextRunAt, g.MissedRun}
	}
	document, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("write runs as JSON: %w", err)
	}
	n, err := t.Affect(ctx, "save the next runs", `UPDATE groups AS g SET next_run_at = n.next_run_at, missed_run = n.missed_run
		FROM jsonb_to_recordset(?::jsonb) AS n (id uuid, next_run_at timestamptz, missed_run text)
		WHERE g.account_id = ? AND g.id = n.id AND g.deleted_at IS NULL`, string(document), t.Tenant)
	if err == nil && n != len(saved) {
		return fmt.Errorf("save the next runs: %d of %d groups exist", n, len(saved))
	}
	return err
}
