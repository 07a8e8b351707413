package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"afterimage/vcd"
)

// runPutOff is how long a run is put off after its start failed.
const runPutOff = time.Minute

// TakeDueGroup implements vcd.ScheduleStore. It looks for the group as the system, then binds the transaction to its
// account.
func (d *DB) TakeDueGroup(ctx context.Context, now time.Time, do func(ctx context.Context, g *vcd.Group, tx vcd.Tx) error) (bool, error) {
	var due groupRow
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) (err error) {
		due, err = t.lockDueGroup(ctx, now)
		if err != nil || due.ID == "" {
			return err
		}
		if err := t.bind(ctx, due.Account); err != nil {
			return err
		}
		g, err := t.Group(ctx, due.ID)
		if err != nil {
			return err
		}
		return do(ctx, g, t)
	})
	if err != nil && due.ID != "" {
		err = errors.Join(err, d.putOffRun(ctx, due, now))
	}
	return due.ID != "" && err == nil, err
}

// lockDueGroup returns the group whose run has been due longest and that no other scheduler holds, or an empty row.
func (t *tx) lockDueGroup(ctx context.Context, now time.Time) (due groupRow, err error) {
	err = t.bun.NewRaw(`SELECT account_id, id FROM groups WHERE next_run_at <= ? ORDER BY next_run_at LIMIT 1 FOR NO KEY UPDATE `+
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

// putOffRun lets the runs of other groups go first.
func (d *DB) putOffRun(ctx context.Context, due groupRow, now time.Time) error {
	return d.InTx(ctx, vcd.Actor{Account: due.Account}, func(ctx context.Context, own vcd.Tx) error {
		_, err := own.(*tx).bun.NewUpdate().Table("groups").Set("next_run_at = ?", now.Add(runPutOff)).
			Where("account_id = ? AND id = ? AND next_run_at <= ?", due.Account, due.ID, now).Exec(ctx)
		if err != nil {
			return fmt.Errorf("put the run of group %s off: %w", due.ID, err)
		}
		return nil
	})
}

// SaveNextRun implements vcd.GroupStore.
func (t *tx) SaveNextRun(ctx context.Context, g *vcd.Group) error {
	return t.updateOne(ctx, t.bun.NewUpdate().Model(rowOfGroup(g)).Column("next_run_at", "missed_run").
		Where("account_id = ? AND id = ? AND deleted_at IS NULL", t.account, g.ID), "Group", g.ID)
}
