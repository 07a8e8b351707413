package run

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

// triggerPutOff is how long a pending run is put off after its start failed.
const triggerPutOff = 30 * time.Second

type triggerRow struct {
	bun.BaseModel `bun:"table:pending_triggers,alias:p"`

	Account          vcd.ID              `bun:"account_id,pk"`
	ID               vcd.ID              `bun:"id,pk"`
	GroupID          vcd.ID              `bun:"group_id"`
	Type             vcd.TriggerType     `bun:"type"`
	FirstTriggeredAt time.Time           `bun:"first_triggered_at"`
	DueAt            time.Time           `bun:"due_at"`
	Pages            []vcd.TriggeredPage `bun:"pages,type:jsonb"`
}

func rowOfTrigger(p *vcd.PendingTrigger) *triggerRow {
	return &triggerRow{
		Account: p.Account, ID: p.ID, GroupID: p.GroupID, Type: p.Type,
		FirstTriggeredAt: p.FirstTriggeredAt, DueAt: p.DueAt, Pages: p.Pages,
	}
}

func (r *triggerRow) trigger() *vcd.PendingTrigger {
	return &vcd.PendingTrigger{
		ID: r.ID, Account: r.Account, GroupID: r.GroupID, Type: r.Type,
		FirstTriggeredAt: r.FirstTriggeredAt.UTC(), DueAt: r.DueAt.UTC(), Pages: r.Pages,
	}
}

func (t *Tx) LockPendingTrigger(ctx context.Context, group vcd.ID, kind vcd.TriggerType) (*vcd.PendingTrigger, error) {
	row := &triggerRow{}
	q := t.Bun.NewSelect().Model(row).Where("p.account_id = ? AND p.group_id = ? AND p.type = ?", t.Tenant, group, kind)
	err := query.ForChange(q).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock the waiting run of group %s: %w", group, err)
	}
	return row.trigger(), nil
}

func (t *Tx) PendingTriggers(ctx context.Context, wanted []vcd.ID) (map[vcd.ID]*vcd.PendingTrigger, error) {
	var rows []*triggerRow
	err := t.Bun.NewSelect().Model(&rows).Where("p.account_id = ? AND p.group_id = ANY(?)", t.Tenant, query.Array(wanted)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read waiting runs: %w", err)
	}
	found := make(map[vcd.ID]*vcd.PendingTrigger, len(rows))
	for _, r := range rows {
		found[r.GroupID] = r.trigger()
	}
	return found, nil
}

func (t *Tx) InsertPendingTrigger(ctx context.Context, p *vcd.PendingTrigger) error {
	if _, err := t.Bun.NewInsert().Model(rowOfTrigger(p)).Exec(ctx); err != nil {
		return fmt.Errorf("insert a waiting run: %w", err)
	}
	return nil
}

func (t *Tx) UpdatePendingTrigger(ctx context.Context, p *vcd.PendingTrigger) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfTrigger(p)).Column("due_at", "pages").
		Where("account_id = ? AND id = ?", t.Tenant, p.ID), "PendingTrigger", p.ID)
}

func (t *Tx) DeletePendingTrigger(ctx context.Context, p *vcd.PendingTrigger) error {
	_, err := t.Bun.NewDelete().Table("pending_triggers").Where("account_id = ? AND id = ?", t.Tenant, p.ID).Exec(ctx)
	if err != nil {
		return fmt.Errorf("delete waiting run %s: %w", p.ID, err)
	}
	return nil
}

// ExtendPendingTriggers implements run.Tx. It locks the rows in the order of their ids, so that two
// concurrent calls wait for each other instead of deadlocking.
func (t *Tx) ExtendPendingTriggers(
	ctx context.Context, group *vcd.ID, addresses []string, until time.Time, limit time.Duration,
) ([]*vcd.PendingTrigger, error) {
	var rows []*triggerRow
	q := t.Bun.NewSelect().Model(&rows).Where("p.account_id = ?", t.Tenant).
		Where("EXISTS (SELECT FROM jsonb_array_elements(p.pages) AS e WHERE e ->> 'address' = ANY(?))", query.Array(addresses))
	if group != nil {
		q = q.Where("p.group_id = ?", *group)
	}
	if err := query.ForChange(q.OrderExpr("p.id")).Scan(ctx); err != nil {
		return nil, fmt.Errorf("lock waiting runs: %w", err)
	}
	extended := make([]*vcd.PendingTrigger, len(rows))
	for i, r := range rows {
		p := r.trigger()
		extended[i] = p
		at := earlier(until, p.FirstTriggeredAt.Add(limit))
		if !at.After(p.DueAt) {
			continue
		}
		p.DueAt = at
		if err := t.UpdatePendingTrigger(ctx, p); err != nil {
			return nil, err
		}
	}
	return extended, nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// TakeDueTrigger looks for the pending run as the system, then binds the transaction
// to its account.
func (d *Store) TakeDueTrigger(
	ctx context.Context, now time.Time, do func(ctx context.Context, p *vcd.PendingTrigger, tx *Tx) error,
) (bool, error) {
	var due *vcd.PendingTrigger
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) (err error) {
		due, err = t.lockDueTrigger(ctx, now)
		if err != nil || due == nil {
			return err
		}
		if err := t.Bind(ctx, due.Account); err != nil {
			return err
		}
		return do(ctx, due, t)
	})
	if err != nil && due != nil {
		err = errors.Join(err, d.putOffTrigger(ctx, due, now))
	}
	return due != nil && err == nil, err
}

// lockDueTrigger returns the pending run that has been due longest and that no other process holds; nil when none is
// due. A trigger locks the group before the row, so the group is locked here too; locked groups and rows are skipped.
func (t *Tx) lockDueTrigger(ctx context.Context, now time.Time) (*vcd.PendingTrigger, error) {
	row := &triggerRow{}
	err := t.Bun.NewSelect().Model(row).Join("JOIN groups AS g ON g.account_id = p.account_id AND g.id = p.group_id").
		Where("p.due_at <= ?", now).OrderExpr("p.due_at").Limit(1).For("NO KEY UPDATE OF p, g SKIP LOCKED").Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for a waiting run that is due: %w", err)
	}
	return row.trigger(), nil
}

// putOffTrigger lets other pending runs go first.
func (d *Store) putOffTrigger(ctx context.Context, due *vcd.PendingTrigger, now time.Time) error {
	return d.Write(ctx, vcd.Actor{Account: due.Account}, func(ctx context.Context, own *pg.Tx) error {
		_, err := own.Bun.NewUpdate().Table("pending_triggers").Set("due_at = ?", now.Add(triggerPutOff)).
			Where("account_id = ? AND id = ? AND due_at <= ?", due.Account, due.ID, now).Exec(ctx)
		if err != nil {
			return fmt.Errorf("postpone waiting run %s: %w", due.ID, err)
		}
		return nil
	})
}
