package turns

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// StrandedTurns implements run.Store.
func (d *Store) StrandedTurns(ctx context.Context, before time.Time, limit int) ([]vcd.StrandedTurn, error) {
	var rows []turnRow
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(`
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

// ForgetHosts implements run.Store.
func (d *Store) ForgetHosts(ctx context.Context, before time.Time) error {
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		_, err := t.Bun.NewRaw(`WITH faded AS (DELETE FROM shares WHERE at < ?0),
			refused AS (DELETE FROM site_refusals WHERE at < ?0), rested AS (DELETE FROM site_rests WHERE refused_at < ?0)
			DELETE FROM hosts WHERE visited_at < ?0 AND coalesce(rest_until < ?0, true)`, before).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget hosts: %w", err)
	}
	return nil
}
