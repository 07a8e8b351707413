package turns

import (
	"context"
	"fmt"
	"time"

	"afterimage/db/pg"
	"afterimage/vcd"
)

// FreezeHandingOut does what handing out begins with, and then nothing, as a machine that has lost its network, until the database
// ends the transaction or ctx ends. It calls frozen in between.
func FreezeHandingOut(ctx context.Context, d *pg.DB, frozen func()) error {
	return (&Store{d}).asSystem(ctx, func(ctx context.Context, t *Tx) error {
		if _, err := t.Bun.NewRaw("SELECT pg_advisory_xact_lock(?)", handOutLock).Exec(ctx); err != nil {
			return err
		}
		frozen()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(7 * time.Second):
		}
		_, err := t.Bun.NewRaw("SELECT 1").Exec(ctx)
		return err
	})
}

// HandOutTurns hands out captures of regions to so many free slots and ahead of so many others. It returns whose, in this order.
func HandOutTurns(ctx context.Context, d *pg.DB, now time.Time, queues []string, free, ahead, payerLimit, hostLimit int) ([]vcd.ID, error) {
	var entries []vcd.ID
	err := (&Store{d}).asSystem(ctx, func(ctx context.Context, t *Tx) error {
		entries = nil
		_, err := t.handOut(ctx, now, freeSlots{kind: vcd.TurnCapture, queues: queues, free: free, ahead: ahead, payerLimit: payerLimit,
			hostLimit: hostLimit})
		for _, job := range t.Outbox.Captures {
			entries = append(entries, job.Entry)
		}
		t.Outbox = pg.Outbox{}
		return err
	})
	return entries, err
}

// HandOutEffort counts the searches of indexes and the rows of turns that were read or written to hand so many captures out.
func HandOutEffort(ctx context.Context, d *pg.DB, now time.Time, free int) (effort int, err error) {
	err = (&Store{d}).asSystem(ctx, func(ctx context.Context, t *Tx) error {
		before, err := t.effort(ctx)
		if err != nil {
			return err
		}
		f := freeSlots{kind: vcd.TurnCapture, queues: []string{"eu", "auto"}, free: free, hostLimit: 4}
		n, err := t.handOut(ctx, now, f)
		if err != nil || n != free {
			return fmt.Errorf("%d turns were handed out: %w", n, err)
		}
		t.Outbox = pg.Outbox{}
		after, err := t.effort(ctx)
		effort = after - before
		return err
	})
	return effort, err
}

// effort also counts what this connection did before, of which the database has not been told yet.
func (t *Tx) effort(ctx context.Context) (n int, err error) {
	err = t.Bun.NewRaw(`SELECT coalesce(sum(idx_scan + idx_tup_fetch + seq_scan + seq_tup_read + n_tup_ins + n_tup_upd), 0)
		FROM pg_stat_xact_user_tables WHERE relname = 'turns'`).Scan(ctx, &n)
	return n, err
}
