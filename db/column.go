package db

import (
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"afterimage/vcd"
)

// among keeps the rows whose column has one of the values. A nil list keeps all rows, an empty list none.
func among[T ~string](q *bun.SelectQuery, column string, values *[]T) *bun.SelectQuery {
	if values == nil {
		return q
	}
	if len(*values) == 1 { // with a single value, an index also provides the order
		return q.Where(column+" = ?", string((*values)[0]))
	}
	return q.Where(column+" = ANY(?)", array(*values))
}

// array formats a list as an array literal of PostgreSQL.
func array[T ~string](values []T) *pgdialect.ArrayValue {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return pgdialect.Array(list)
}

// ids converts a column of ids.
func ids(column []string) []vcd.ID {
	list := make([]vcd.ID, len(column))
	for i, id := range column {
		list[i] = vcd.ID(id)
	}
	return list
}

// notNil turns a nil list into an empty one, for columns that are never null.
func notNil[T any](values []T) []T {
	if values == nil {
		return []T{}
	}
	return values
}

// plain makes a text from a page storable: PostgreSQL accepts neither invalid UTF-8 nor NUL.
func plain(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// containing is a LIKE pattern for texts that contain s.
func containing(s string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s) + "%"
}

// firstOf expresses coalesce as a CASE: PostgreSQL considers coalesce leaky, and with row level security it never uses
// an index for leaky conditions.
func firstOf(expressions ...string) string {
	last := len(expressions) - 1
	text := "CASE"
	for _, e := range expressions[:last] {
		text += " WHEN " + e + " IS NOT NULL THEN " + e
	}
	return text + " ELSE " + expressions[last] + " END"
}

func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}
