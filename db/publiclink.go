package db

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// ComparisonOwner implements vcd.PublicLinkStore. It runs one statement, like AccountByToken.
func (d *DB) ComparisonOwner(ctx context.Context, token string) (vcd.ID, error) {
	var found []vcd.ID
	err := d.ask(ctx, func(ctx context.Context, db bun.IDB) error {
		return db.NewRaw("SELECT account_by_comparison(?)", plain(token)).Scan(ctx, &found)
	})
	switch {
	case err != nil:
		return "", fmt.Errorf("look the comparison's owner up: %w", err)
	case len(found) == 0:
		return "", vcd.NotFound("Comparison", vcd.ID(token))
	}
	return found[0], nil
}
