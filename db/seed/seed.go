// Package seed fills an account with years of history: URLs, batches and comparisons, as monitoring would have created
// them. It is for benchmarks and for tests that need long lists. The rows are consistent, except that there are no events.
package seed

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"afterimage/vcd"
)

// Size says how much there is to be. Every batch captures all URLs of one group on the desktop, a day after the group's
// batch before; all but the first are compared, so there are Groups × URLs × (Batches − 1) comparisons.
type Size struct {
	Groups  int
	URLs    int // in each group
	Batches int // of each group
}

// Comparisons is how many comparisons there will be.
func (s Size) Comparisons() int { return s.Groups * s.URLs * (s.Batches - 1) }

//go:embed fill.sql
var fill string

// Fill makes the rows, by the owner of the tables. Where the tables are empty otherwise it is much quicker to build their
// indexes afterwards: with rebuild they are dropped meanwhile, and foreign keys come back without being checked.
func Fill(ctx context.Context, pool *pgxpool.Pool, account vcd.ID, size Size, rebuild bool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("fill an account: %w", err)
	}
	defer conn.Release()
	var restore []string
	if rebuild {
		if restore, err = strip(ctx, conn.Conn()); err != nil {
			return err
		}
	}
	if err := insert(ctx, conn.Conn(), account, size); err != nil {
		return err
	}
	for _, statement := range append(restore, "VACUUM ANALYZE") {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("fill an account: %s: %w", statement, err)
		}
	}
	return nil
}

// insert runs the statements of fill.sql in one transaction, which reads its settings by current_setting.
func insert(ctx context.Context, conn *pgx.Conn, account vcd.ID, size Size) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `SELECT set_config('afterimage.system', 'on', true), set_config('seed.account', $1, true),
			set_config('seed.groups', $2, true), set_config('seed.urls', $3, true), set_config('seed.batches', $4, true),
			set_config('work_mem', '256MB', true)`,
			string(account), fmt.Sprint(size.Groups), fmt.Sprint(size.URLs), fmt.Sprint(size.Batches))
		if err != nil {
			return fmt.Errorf("fill an account: %w", err)
		}
		for statement := range strings.SplitSeq(fill, ";\n\n") {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return fmt.Errorf("fill an account: %.60s…: %w", strings.TrimSpace(statement), err)
			}
		}
		return nil
	})
}

// stripQuery finds what makes the insertion of many rows slow, and how to bring it back: foreign keys first, since they
// need the indexes of others; then indexes that stand behind no constraint.
const stripQuery = `
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
	format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', conrelid::regclass, conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text = ANY($1)
UNION ALL
SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
FROM pg_index AS i WHERE i.indrelid::regclass::text = ANY($1)
	AND NOT EXISTS (SELECT FROM pg_constraint AS c WHERE c.conindid = i.indexrelid)`

func strip(ctx context.Context, conn *pgx.Conn) (restore []string, err error) {
	tables := []string{"queue_entries", "images", "screenshots", "comparisons"}
	rows, err := conn.Query(ctx, stripQuery, tables)
	if err != nil {
		return nil, fmt.Errorf("look for indexes: %w", err)
	}
	type pair struct{ Drop, Restore string }
	pairs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[pair])
	if err != nil {
		return nil, fmt.Errorf("look for indexes: %w", err)
	}
	for _, p := range pairs {
		if _, err := conn.Exec(ctx, p.Drop); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Drop, err)
		}
		restore = append(restore, p.Restore)
	}
	return restore, nil
}
