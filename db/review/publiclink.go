package review

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// ComparisonOwner implements review.Store. It runs one statement, like AccountByToken.
func (d *Store) ComparisonOwner(ctx context.Context, token string) (vcd.ID, error) {
	var found []vcd.ID
	err := d.Ask(ctx, func(ctx context.Context, db bun.IDB) error {
		return db.NewRaw("SELECT account_by_comparison(?)", query.Plain(token)).Scan(ctx, &found)
	})
	switch {
	case err != nil:
		return "", fmt.Errorf("look up the comparison's owner: %w", err)
	case len(found) == 0:
		return "", vcd.NotFound("Comparison", vcd.ID(token))
	}
	return found[0], nil
}
