package query

import (
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"afterimage/vcd"
)

// Among keeps the rows whose column has one of the values. A nil list keeps all rows, an empty list none.
func Among[T ~string](q *bun.SelectQuery, column string, values *[]T) *bun.SelectQuery {
	if values == nil {
		return q
	}
	if len(*values) == 1 { // with a single value, an index also provides the order
		return q.Where(column+" = ?", string((*values)[0]))
	}
	return q.Where(column+" = ANY(?)", Array(*values))
}

// Array formats a list as an array literal of PostgreSQL.
func Array[T ~string](values []T) *pgdialect.ArrayValue {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return pgdialect.Array(list)
}

// IDs converts a column of ids.
func IDs(column []string) []vcd.ID {
	list := make([]vcd.ID, len(column))
	for i, id := range column {
		list[i] = vcd.ID(id)
	}
	return list
}

// NotNil turns a nil list into an empty one, for columns that are never null.
func NotNil[T any](values []T) []T {
	if values == nil {
		return []T{}
	}
	return values
}

// Plain makes a text from a page storable: PostgreSQL accepts neither invalid UTF-8 nor NUL.
func Plain(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// Containing is a LIKE pattern for texts that contain s.
func Containing(s string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s) + "%"
}

// FirstOf expresses coalesce as a CASE: PostgreSQL considers coalesce leaky, and with row level security it never uses
// an index for leaky conditions.
func FirstOf(expressions ...string) string {
	last := len(expressions) - 1
	text := "CASE"
	for _, e := range expressions[:last] {
		text += " WHEN " + e + " IS NOT NULL THEN " + e
	}
	return text + " ELSE " + expressions[last] + " END"
}

// UTC is a time in UTC; nil for none.
func UTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}

// Texts are values as an array column keeps them, never null.
func Texts[T ~string](values []T) []string {
	column := make([]string, len(values))
	for i, v := range values {
		column[i] = string(v)
	}
	return column
}
