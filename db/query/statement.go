package query

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// UpdateOne runs an update that must affect exactly one row.
func (t Scope) UpdateOne(ctx context.Context, q *bun.UpdateQuery, resource string, id vcd.ID) error {
	result, err := q.Exec(ctx)
	if err != nil {
		return fmt.Errorf("update %s %s: %w", strings.ToLower(resource), id, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return vcd.NotFound(resource, id)
	}
	return nil
}

// CreatedWithin keeps rows created at or after from and before to.
func CreatedWithin(q *bun.SelectQuery, alias string, from, to *time.Time) *bun.SelectQuery {
	if from != nil {
		q = q.Where(alias+".created_at >= ?", *from)
	}
	if to != nil {
		q = q.Where(alias+".created_at < ?", *to)
	}
	return q
}

// InTurn orders what is to be done some at a time: one of each account first, in any order, so that what cannot be done blocks
// nothing else.
func InTurn(account string) string {
	return "row_number() OVER (PARTITION BY " + account + " ORDER BY random()), random()"
}

// Holds keeps the rows whose boolean column has the value. Indexes match a column alone, not its comparison with a value.
func Holds(q *bun.SelectQuery, column string, value *bool) *bun.SelectQuery {
	switch {
	case value == nil:
		return q
	case *value:
		return q.Where(column)
	}
	return q.Where("NOT " + column)
}

// NotFound converts "no rows" to the error for an unknown id.
func NotFound(err error, resource string, id vcd.ID) error {
	if errors.Is(err, sql.ErrNoRows) {
		return vcd.NotFound(resource, id)
	}
	return err
}

// ForChange locks rows against concurrent changes. Rows with foreign keys to them can still be written.
func ForChange(q *bun.SelectQuery) *bun.SelectQuery { return q.For("NO KEY UPDATE") }

// UploadedAddress is the pattern of addresses of uploaded pages, see vcd.UploadedPrefix.
const UploadedAddress = vcd.UploadedPrefix + "%"

// DeleteOne deletes a row permanently. The row must exist.
func (t Scope) DeleteOne(ctx context.Context, table, resource string, id vcd.ID) error {
	result, err := t.Bun.NewDelete().Table(table).Where("account_id = ? AND id = ?", t.Tenant, id).Exec(ctx)
	if err != nil {
		return fmt.Errorf("delete from %s: %w", table, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return vcd.NotFound(resource, id)
	}
	return nil
}
