package account

import (
	"context"
	"fmt"
	"slices"
	"time"

	"afterimage/db/pg"
	"afterimage/vcd"
)

type allowanceRow struct {
	Key    string    `bun:"key"`
	Points float64   `bun:"points"`
	UsedAt time.Time `bun:"used_at"`
}

// Spend implements account.Tx. It locks the rows in the order of their keys. The algorithm is that of
// internal/ratelimit.
func (t *Tx) Spend(ctx context.Context, now time.Time, allowances ...vcd.Allowance) (wait time.Duration, err error) {
	keys, sizes := make([]string, len(allowances)), map[string]float64{}
	for i, a := range allowances {
		keys[i], sizes[a.Key] = a.Key, float64(a.Size)
	}
	slices.Sort(keys)
	var points []float64
	for _, key := range keys {
		row, size := &allowanceRow{}, sizes[key]
		err := t.Bun.NewRaw(`INSERT INTO allowances (key, points, used_at) VALUES (?0, ?1, ?2)
			ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING key, points, used_at`, key, size, now).Scan(ctx, row)
		if err != nil {
			return 0, fmt.Errorf("lock an allowance: %w", err)
		}
		passed := max(0, now.Sub(row.UsedAt))
		left := min(size, row.Points+size*passed.Seconds()/vcd.AllowancePeriod.Seconds())
		points = append(points, left)
		if left < 1 {
			wait = max(wait, time.Duration((1-left)/size*float64(vcd.AllowancePeriod)))
		}
	}
	if wait > 0 {
		return max(wait, time.Second), nil
	}
	for i, key := range keys {
		_, err := t.Bun.NewRaw("UPDATE allowances SET points = ?, used_at = ? WHERE key = ?", points[i]-1, now, key).Exec(ctx)
		if err != nil {
			return 0, fmt.Errorf("spend of an allowance: %w", err)
		}
	}
	return 0, nil
}

// RemoveAllowances implements run.Store.
func (d *Store) RemoveAllowances(ctx context.Context, before time.Time, limit int) (int, error) {
	return d.RemoveKept(ctx, pg.Kept{Table: "allowances", Key: []string{"key"}, Since: "used_at"}, before, limit)
}
