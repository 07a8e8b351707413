package inventory

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

// LockScheduled implements account.Tx. Every transaction that locks several groups does so in the order of their
// ids.
func (t *Tx) LockScheduled(ctx context.Context) ([]*vcd.Group, error) {
	_, err := t.Bun.NewRaw("SELECT id FROM groups WHERE account_id = ? AND next_run_at IS NOT NULL ORDER BY id FOR NO KEY UPDATE",
		t.Tenant).Exec(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock the scheduled groups: %w", err)
	}
	rows, err := query.Fetch[groupRead](ctx, t.Scope, groups,
		func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("g.next_run_at IS NOT NULL") })
	return query.ConvertAll(rows, (*groupRead).group), err
}

// nextRunRow is the time of a group's next run, as a row of a JSON array.
type nextRunRow struct {
	ID        vcd.ID     `json:"id"`
	NextRunAt *time.Time `json:"next_run_at"`
}

// saveNextRunsQuery writes the times and reports whether there is a scheduled group without one.
const saveNextRunsQuery = `
WITH planned AS (
	SELECT n.id, n.next_run_at FROM jsonb_to_recordset(?1::jsonb) AS n (id uuid, next_run_at timestamptz)
), saved AS (
	UPDATE groups AS g SET next_run_at = planned.next_run_at FROM planned WHERE g.account_id = ?0 AND g.id = planned.id
)
SELECT EXISTS (SELECT FROM groups AS g
	WHERE g.account_id = ?0 AND g.next_run_at IS NOT NULL AND NOT EXISTS (SELECT FROM planned WHERE planned.id = g.id))`

// SaveNextRuns implements account.Tx.
func (t *Tx) SaveNextRuns(ctx context.Context, planned []*vcd.Group) error {
	rows := make([]nextRunRow, len(planned))
	for i, g := range planned {
		rows[i] = nextRunRow{g.ID, g.NextRunAt}
	}
	document, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("write times of runs as JSON: %w", err)
	}
	var others bool
	if err := t.Bun.NewRaw(saveNextRunsQuery, t.Tenant, string(document)).Scan(ctx, &others); err != nil {
		return fmt.Errorf("save the next runs of %d groups: %w", len(planned), err)
	}
	if others {
		return pg.ErrContended
	}
	return nil
}
