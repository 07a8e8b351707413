package db

import (
	"context"
	"time"

	"afterimage/db/pg"
	"afterimage/vcd"
)

var _ vcd.Tx = (*tx)(nil)

// InTx implements vcd.Store.
func (d *DB) InTx(ctx context.Context, actor vcd.Actor, do func(ctx context.Context, tx vcd.Tx) error) error {
	return d.DB.Write(ctx, actor, func(ctx context.Context, t *pg.Tx) error { return do(ctx, assemble(t)) })
}

// Read implements vcd.Store.
func (d *DB) Read(ctx context.Context, actor vcd.Actor, do func(ctx context.Context, tx vcd.Tx) error) error {
	return d.DB.Read(ctx, actor, func(ctx context.Context, t *pg.Tx) error { return do(ctx, assemble(t)) })
}

// TakeBacklog implements vcd.ConsumerStore.
func (d *DB) TakeBacklog(
	ctx context.Context, c vcd.Consumer, do func(ctx context.Context, account vcd.ID, tx vcd.Tx, position int64) (int64, error),
) (bool, error) {
	return d.outboundStore.TakeBacklog(ctx, c, func(ctx context.Context, account vcd.ID, t *outboundTx, position int64) (int64, error) {
		return do(ctx, account, assemble(t.Tx), position)
	})
}

// TakeDueGroups implements vcd.ScheduleStore.
func (d *DB) TakeDueGroups(
	ctx context.Context, now time.Time, most int, do func(ctx context.Context, due []*vcd.Group, tx vcd.Tx) error,
) (taken int, err error) {
	return d.inventoryStore.TakeDueGroups(ctx, now, most, func(ctx context.Context, due []*vcd.Group, t *inventoryTx) error {
		return do(ctx, due, assemble(t.Tx))
	})
}

// TakeDueTrigger implements vcd.DueTriggerStore.
func (d *DB) TakeDueTrigger(
	ctx context.Context, now time.Time, do func(ctx context.Context, p *vcd.PendingTrigger, tx vcd.Tx) error,
) (bool, error) {
	return d.runStore.TakeDueTrigger(ctx, now, func(ctx context.Context, p *vcd.PendingTrigger, t *runTx) error {
		return do(ctx, p, assemble(t.Tx))
	})
}

var _ vcd.Store = (*DB)(nil)
