package pg

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// Kept are the rows of a table that are kept for some time.
type Kept struct {
	Table string
	Key   []string // columns by which a row is known
	Since string   // column of the moment from which on they are kept, which has an index
	If    string   // a condition for those that may be removed; "" for all
}

// RemoveKept removes the oldest rows whose moment lies before a time, of all accounts, and returns how many. At most limit at once; those
// that others have locked are left.
func (d *DB) RemoveKept(ctx context.Context, rows Kept, before time.Time, limit int) (removed int, err error) {
	condition := "TRUE"
	if rows.If != "" {
		condition = rows.If
	}
	err = d.AsSystem(ctx, func(ctx context.Context, t *Tx) error {
		// Materialized, or a plan might choose further rows for each that it removes.
		removed, err = t.Affect(ctx, "remove old rows of "+rows.Table, `WITH old AS MATERIALIZED (
				SELECT ?0 FROM ?1 WHERE ?2 AND ?3 < ?4 ORDER BY ?3 LIMIT ?5 FOR UPDATE SKIP LOCKED)
			DELETE FROM ?1 WHERE (?0) IN (SELECT ?0 FROM old)`,
			bun.Safe(strings.Join(rows.Key, ", ")), bun.Ident(rows.Table), bun.Safe(condition), bun.Ident(rows.Since), before, limit)
		return err
	})
	return removed, err
}
