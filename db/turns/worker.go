package turns

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"afterimage/db/query"
	"afterimage/vcd"
)

// Beat implements run.Store. It uses the clock of the database: those of machines differ.
func (d *Store) Beat(ctx context.Context, w vcd.Worker) error {
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		_, err := t.Bun.NewRaw(`INSERT INTO workers (id, captures, regions, compares, imports, syncs, beat_at)
			VALUES (?, ?, ?, ?, ?, ?, clock_timestamp())
			ON CONFLICT (id) DO UPDATE SET captures = excluded.captures, regions = excluded.regions, compares = excluded.compares,
				imports = excluded.imports, syncs = excluded.syncs, beat_at = excluded.beat_at`,
			w.ID, w.Captures, query.Array(w.Regions), w.Compares, w.Imports, w.Syncs).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("store the heartbeat of worker %s: %w", w.ID, err)
	}
	return nil
}

// RetireWorker implements run.Store.
func (d *Store) RetireWorker(ctx context.Context, id string) error {
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		_, err := t.Bun.NewRaw("DELETE FROM workers WHERE id = ?", id).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget worker %s: %w", id, err)
	}
	return nil
}

// TakeDeadWorker implements run.Store. The holder of the worker's row handles it. The function do commits on its
// own, one turn at a time, so it must be repeatable.
func (d *Store) TakeDeadWorker(
	ctx context.Context, asking string, silence time.Duration, do func(ctx context.Context, dead vcd.DeadWorker) error,
) (found bool, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		var row struct {
			ID           string `bun:"id"`
			WithDatabase bool   `bun:"with_database"`
		}
		err := t.Bun.NewRaw(`SELECT id, pg_postmaster_start_time() > beat_at AS with_database FROM workers WHERE id <> ?
			AND beat_at < clock_timestamp() - make_interval(secs => ?)
			ORDER BY beat_at LIMIT 1 FOR UPDATE SKIP LOCKED`, asking, silence.Seconds()).Scan(ctx, &row)
		if errors.Is(err, sql.ErrNoRows) {
			found = false
			return nil
		}
		if err != nil {
			return fmt.Errorf("look for a dead worker: %w", err)
		}
		found = true
		held, err := t.heldBy(ctx, row.ID)
		if err != nil {
			return err
		}
		if err := do(ctx, vcd.DeadWorker{Held: held, WithDatabase: row.WithDatabase}); err != nil {
			return err
		}
		_, err = t.Bun.NewRaw(`WITH again AS (
				UPDATE river_job SET state = 'available', scheduled_at = now() WHERE state = 'running' AND `+lastWorker+` = ?0)
			DELETE FROM workers WHERE id = ?0`, row.ID).Exec(ctx)
		if err != nil {
			return fmt.Errorf("forget the dead worker %s: %w", row.ID, err)
		}
		return nil
	})
	return found, err
}

// lastWorker is the SQL expression for the worker that runs a job.
const lastWorker = "attempted_by[array_upper(attempted_by, 1)]"

// heldBy lists the turns whose jobs run on a worker.
func (t *Tx) heldBy(ctx context.Context, id string) ([]vcd.HeldTurn, error) {
	var rows []struct {
		turnRow   `bun:",extend"`
		Job       int64 `bun:"job"`
		Suspicion int   `bun:"suspicion"`
	}
	err := t.Bun.NewRaw(`SELECT t.account_id, t.subject_id, t.kind, t.suspicion, j.id AS job FROM river_job AS j
		JOIN turns AS t ON t.account_id = (j.args ->> 'account')::uuid 
			AND t.subject_id = coalesce(j.args ->> 'entry', j.args ->> 'import')::uuid
		WHERE j.state = 'running' AND j.kind IN ('capture', 'compare', 'import') AND `+lastWorker+` = ? ORDER BY j.id`, id).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("list the work of worker %s: %w", id, err)
	}
	held := make([]vcd.HeldTurn, len(rows))
	for i, r := range rows {
		held[i] = vcd.HeldTurn{Account: r.Account, Subject: r.Subject, Kind: r.Kind, Job: r.Job, Suspicion: r.Suspicion}
	}
	return held, nil
}

// ReleaseTurn implements run.Tx. Handing out the turn again creates another job.
func (t *Tx) ReleaseTurn(ctx context.Context, h *vcd.HeldTurn) (bool, error) {
	n, err := t.Affect(ctx, "remove the job of a dead worker", "DELETE FROM river_job WHERE id = ? AND state = 'running'", h.Job)
	if err != nil || n == 0 {
		return false, err
	}
	_, err = t.Affect(ctx, "take a turn from a dead worker", `UPDATE turns SET handed_at = NULL, suspicion = ?
		WHERE account_id = ? AND subject_id = ?`, h.Suspicion, t.Tenant, h.Subject)
	return true, err
}
