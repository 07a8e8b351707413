package query

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// Source describes where the rows of a concept are read from. A statement reads in two steps: first it selects the
// wanted rows of one table (filtered, ordered and limited), then it joins the related data for those rows only.
type Source struct {
	Table   string // with its alias, as in "groups AS g"
	Alias   string
	Created string // columns of the default order
	ID      string
	Unique  bool   // id is unique within the account
	Batch   string // column of the batch that a row belongs to; empty for none
	// widen adds joins, and columns in addition to alias.*. Joins compare the account with a value rather than with
	// another table's column: otherwise the planner considers joining every table with every other by account.
	Widen func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery
}

// Scope is what statements run in: a transaction, and the account that they are about.
type Scope struct {
	Bun    bun.IDB
	Tenant vcd.ID
}

// Narrow adds conditions on the source's table.
type Narrow func(q *bun.SelectQuery) *bun.SelectQuery

// Order is the order of a list: newest first, unless ascending. With lead, an expression, rows are sorted by that
// first, and only numbered pages are supported.
type Order struct {
	Lead      string
	Ascending bool
}

// OrderBy is the order that a client chose, among those that a list knows.
func OrderBy(s vcd.Sort, known map[string]string) Order {
	return Order{Lead: known[s.By], Ascending: s.Ascending}
}

// Having keeps the rows whose column contains the text, ignoring case.
func Having(q *bun.SelectQuery, column string, text *string) *bun.SelectQuery {
	if text == nil {
		return q
	}
	return q.Where(column+" ILIKE ?", Containing(Plain(*text)))
}

// Base selects from the table of a source those of its rows that where keeps.
func (t Scope) Base(s Source, where Narrow) *bun.SelectQuery {
	q := t.Bun.NewSelect().TableExpr(s.Table).Where(s.Alias+".account_id = ?", t.Tenant)
	if s.Batch != "" {
		q = q.Where(Undeleted(s.Alias+"."+s.Batch), t.Tenant)
	}
	return where(q)
}

func (t Scope) widened(s Source, base *bun.SelectQuery) *bun.SelectQuery {
	q := t.Bun.NewSelect().TableExpr("(?) AS "+s.Alias, base).ColumnExpr(s.Alias + ".*")
	return s.Widen(q, t.Tenant)
}

// Fetch reads all rows that where keeps.
func Fetch[R any](ctx context.Context, t Scope, s Source, where Narrow) ([]*R, error) {
	var rows []*R
	err := t.widened(s, t.Base(s, where).ColumnExpr(s.Alias+".*")).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.Table, err)
	}
	return rows, nil
}

// FetchOne reads one row. It returns sql.ErrNoRows when there is none.
func FetchOne[R any](ctx context.Context, t Scope, s Source, where Narrow) (*R, error) {
	rows, err := Fetch[R](ctx, t, s, where)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, sql.ErrNoRows
	}
	return rows[0], nil
}

// FetchPage reads a page of a list, and the total if requested.
func FetchPage[R, V any](
	ctx context.Context, t Scope, s Source, where Narrow, o Order, p vcd.Page, convert func(*R) V,
) (*vcd.List[V], error) {
	from := Start{Skip: max(0, p.Number-1) * p.Size}
	if !p.Total {
		return FetchFrom(ctx, t, s, where, o, p, from, convert)
	}
	total, err := t.Count(ctx, s, where)
	if err != nil {
		return nil, err
	}
	from.Left = total - from.Skip
	list, err := FetchFrom(ctx, t, s, where, o, p, from, convert)
	if err != nil {
		return nil, err
	}
	list.Total = total
	return list, nil
}

// FetchCounted is fetchPage for a list whose counts by day are known: the total is their sum, and whole days before the
// page are skipped.
func FetchCounted[R, V any](
	ctx context.Context, t Scope, s Source, where Narrow, o Order, p vcd.Page, days Tally, convert func(*R) V,
) (*vcd.List[V], error) {
	from := Start{Skip: max(0, p.Number-1) * p.Size}
	from.Left = days.Total() - from.Skip
	if o.Lead == "" && p.Number > 0 {
		from = days.Start(from.Skip, o.Ascending)
	}
	if from.Beyond {
		return &vcd.List[V]{Items: []V{}, HasPrevPage: p.Number > 1, Total: days.Total()}, nil
	}
	list, err := FetchFrom(ctx, t, s, where, o, p, from, convert)
	if err != nil {
		return nil, err
	}
	list.Total = days.Total()
	return list, nil
}

// farSkip is the offset from which the rows of a page are found by the index alone before they are read: scanning an
// index is much faster than scanning its rows, but takes one more join.
const farSkip = 500

// Far reports whether a page is so far into a list that days are to be skipped.
func Far(p vcd.Page) bool { return (p.Number-1)*p.Size > farSkip }

// FetchFrom reads one page. The start applies to numbered pages only. A page in the second half of the list is read
// from the end of the list if that is known.
func FetchFrom[R, V any](
	ctx context.Context, t Scope, s Source, where Narrow, o Order, p vcd.Page, from Start, convert func(*R) V,
) (*vcd.List[V], error) {
	numbered := p.Number > 0 || o.Lead != ""
	backward := p.Backward && !numbered
	base, limit := t.Base(s, where), p.Size+1 // one extra row shows whether the list continues
	if !numbered {
		base = s.between(base, o, p)
	} else if mirrored := from.Left > 0 && from.Left < from.Skip; mirrored {
		limit = min(limit, from.Left)
		backward, from.Skip = true, from.Left-limit
		base = base.Offset(int64(from.Skip))
	} else {
		base = CreatedWithin(base, s.Alias, from.since, from.until).Offset(int64(from.Skip))
	}
	base = s.sort(base, o, backward).Limit(int64(limit))
	if numbered && from.Skip > farSkip && s.Unique {
		base = t.Bun.NewSelect().TableExpr("(?) AS far", base.ColumnExpr(s.Alias+"."+s.ID)).
			Join(LookUp(strings.Fields(s.Table)[0], s.Alias, "o.account_id = ? AND o.id = far.id"), t.Tenant)
	}
	var rows []*R
	if err := s.sort(t.widened(s, base.ColumnExpr(s.Alias+".*")), o, backward).Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("list %s: %w", s.Table, err)
	}
	if numbered && backward {
		slices.Reverse(rows)
	}
	return cut(rows, p, numbered, backward && !numbered, convert), nil
}

// FetchPages reads the same page of many lists with one statement: the lists of the parents, identified by column.
// Every parent gets a list, possibly an empty one.
func FetchPages[R, V any](
	ctx context.Context, t Scope, s Source, parents []vcd.ID, column string, where Narrow, o Order, p vcd.Page,
	parentOf func(*R) vcd.ID, convert func(*R) V,
) (map[vcd.ID]*vcd.List[V], error) {
	numbered := p.Number > 0 || o.Lead != ""
	backward := p.Backward && !numbered
	one := t.Base(s, where).ColumnExpr(s.Alias+".*").Where(s.Alias+".? = parent.id", bun.Safe(column))
	if numbered {
		one = one.Offset(int64(max(0, p.Number-1) * p.Size))
	} else {
		one = s.between(one, o, p)
	}
	one = s.sort(one, o, backward).Limit(int64(p.Size) + 1)
	base := t.Bun.NewSelect().TableExpr("unnest(?::uuid[]) AS parent (id)", Array(parents)).
		Join("CROSS JOIN LATERAL (?) AS "+s.Alias, one).ColumnExpr(s.Alias + ".*")
	var rows []*R
	if err := s.sort(t.widened(s, base), o, backward).Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("list %s of %d parents: %w", s.Table, len(parents), err)
	}
	apart := make(map[vcd.ID][]*R, len(parents))
	for _, row := range rows {
		apart[parentOf(row)] = append(apart[parentOf(row)], row)
	}
	lists := make(map[vcd.ID]*vcd.List[V], len(parents))
	for _, parent := range parents {
		lists[parent] = cut(apart[parent], p, numbered, backward, convert)
	}
	return lists, nil
}

// Count counts the rows of a source that where keeps.
func (t Scope) Count(ctx context.Context, s Source, where Narrow) (int, error) {
	var n int
	if err := t.Base(s, where).ColumnExpr("count(*)").Scan(ctx, &n); err != nil {
		return 0, fmt.Errorf("count %s: %w", s.Table, err)
	}
	return n, nil
}

// between keeps the rows after one cursor and before the other.
func (s Source) between(q *bun.SelectQuery, o Order, p vcd.Page) *bun.SelectQuery {
	behind, ahead := "<", ">"
	if o.Ascending {
		behind, ahead = ahead, behind
	}
	if c := p.After; c != nil {
		q = q.Where(s.position()+" "+behind+" (?, ?)", c.CreatedAt, c.ID)
	}
	if c := p.Before; c != nil {
		q = q.Where(s.position()+" "+ahead+" (?, ?)", c.CreatedAt, c.ID)
	}
	return q
}

func (s Source) position() string {
	return fmt.Sprintf("(%s.%s, %s.%s)", s.Alias, s.Created, s.Alias, s.ID)
}

func (s Source) sort(q *bun.SelectQuery, o Order, backward bool) *bun.SelectQuery {
	direction := " DESC"
	if o.Ascending != backward {
		direction = " ASC"
	}
	if o.Lead != "" {
		q = q.OrderExpr(o.Lead + direction)
	}
	return q.OrderExpr(s.Alias + "." + s.Created + direction).OrderExpr(s.Alias + "." + s.ID + direction)
}

// cut removes the extra row and determines whether there are rows before and after the page.
func cut[R, V any](rows []*R, p vcd.Page, numbered, backward bool, convert func(*R) V) *vcd.List[V] {
	more := len(rows) > p.Size
	if more {
		rows = rows[:p.Size]
	}
	if backward {
		slices.Reverse(rows)
	}
	list := &vcd.List[V]{Items: ConvertAll(rows, convert)}
	switch {
	case numbered:
		list.HasNextPage, list.HasPrevPage = more, p.Number > 1
	case backward:
		list.HasNextPage, list.HasPrevPage = p.Before != nil, more
	default:
		list.HasNextPage, list.HasPrevPage = more || p.Before != nil, p.After != nil
	}
	return list
}

// ConvertAll converts each row.
func ConvertAll[R, V any](rows []*R, convert func(*R) V) []V {
	items := make([]V, len(rows))
	for i, row := range rows {
		items[i] = convert(row)
	}
	return items
}
