package db

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// Beat is vcd.HandOutStore's. Beats are told by the clock of the database: those of machines differ.
func (d *DB) Beat(ctx context.Context, w vcd.Worker) error {
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.bun.NewRaw(`INSERT INTO workers (id, captures, regions, compares, imports, syncs, beat_at)
			VALUES (?, ?, ?, ?, ?, ?, clock_timestamp())
			ON CONFLICT (id) DO UPDATE SET captures = excluded.captures, regions = excluded.regions, compares = excluded.compares,
				imports = excluded.imports, syncs = excluded.syncs, beat_at = excluded.beat_at`,
			w.ID, w.Captures, array(w.Regions), w.Compares, w.Imports, w.Syncs).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("note that worker %s lives: %w", w.ID, err)
	}
	return nil
}

// RetireWorker is vcd.HandOutStore's.
func (d *DB) RetireWorker(ctx context.Context, id string) error {
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.bun.NewRaw("DELETE FROM workers WHERE id = ?", id).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget worker %s: %w", id, err)
	}
	return nil
}
