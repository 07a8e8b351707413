package query

import (
	"context"
	"fmt"
)

// PostgreSQL plans joins by what its statistics say of an account. Of one that has just brought thousands of rows they know none: a plan
// made for one row reads all of them again for each. So a join with rows that are known by their whole key is written as a look-up of
// each, and where that cannot be, nested loops are off.

// LookUp joins the row of a table that meets a condition; the condition refers to that row as o. Rows without a match are left out. OFFSET
// 0 keeps the look-up apart from the plan of the statement, so that it always goes by an index.
func LookUp(table, alias, where string) string { return "JOIN " + theRow(table, alias, where) }

// LookUpIfAny does so too, with NULLs for rows that have none.
func LookUpIfAny(table, alias, where string) string {
	return "LEFT JOIN " + theRow(table, alias, where)
}

func theRow(table, alias, where string) string {
	return "LATERAL (SELECT * FROM " + table + " AS o WHERE " + where + " OFFSET 0) AS " + alias + " ON true"
}

// fewRows is how many rows may be joined by any plan: reading an account's rows as often does not take long.
const fewRows = 100

// InBulk runs statements that join about so many rows with rows of the account.
func (t Scope) InBulk(ctx context.Context, rows int, statements func() error) error {
	if rows <= fewRows {
		return statements()
	}
	if err := t.nestedLoops(ctx, "off"); err != nil {
		return err
	}
	if err := statements(); err != nil {
		return err // the transaction ends, and the setting with it
	}
	return t.nestedLoops(ctx, "on")
}

func (t Scope) nestedLoops(ctx context.Context, setting string) error {
	if _, err := t.Bun.NewRaw("SELECT set_config('enable_nestloop', ?, true)", setting).Exec(ctx); err != nil {
		return fmt.Errorf("set how joins are planned: %w", err)
	}
	return nil
}
