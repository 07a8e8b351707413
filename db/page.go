package db

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// source describes where the rows of a concept are read from. A statement reads in two steps: first it selects the
// wanted rows of one table (filtered, ordered and limited), then it joins the related data for those rows only.
type source struct {
	table   string // with its alias, as in "groups AS g"
	alias   string
	created string // columns of the default order
	id      string
	unique  bool   // id is unique within the account
	batch   string // column of the batch that a row belongs to; empty for none
	// widen adds joins, and columns in addition to alias.*. Joins compare the account with a value rather than with
	// another table's column: otherwise the planner considers joining every table with every other by account.
	widen func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery
}

// narrow adds conditions on the source's table.
type narrow func(q *bun.SelectQuery) *bun.SelectQuery

// order is the order of a list: newest first, unless ascending. With lead, an expression, rows are sorted by that
// first, and only numbered pages are supported.
type order struct {
	lead      string
	ascending bool
}

// orderBy is the order that a client chose, among those that a list knows.
func orderBy(s vcd.Sort, known map[string]string) order {
	return order{lead: known[s.By], ascending: s.Ascending}
}

// having keeps the rows whose column contains the text, ignoring case.
func having(q *bun.SelectQuery, column string, text *string) *bun.SelectQuery {
	if text == nil {
		return q
	}
	return q.Where(column+" ILIKE ?", containing(plain(*text)))
}

func (t *tx) base(s source, where narrow) *bun.SelectQuery {
	q := t.bun.NewSelect().TableExpr(s.table).Where(s.alias+".account_id = ?", t.account)
	if s.batch != "" {
		q = q.Where(undeleted(s.alias+"."+s.batch), t.account)
	}
	return where(q)
}

func (t *tx) widened(s source, base *bun.SelectQuery) *bun.SelectQuery {
	q := t.bun.NewSelect().TableExpr("(?) AS "+s.alias, base).ColumnExpr(s.alias + ".*")
	return s.widen(q, t.account)
}

// fetch reads all rows that where keeps.
func fetch[R any](ctx context.Context, t *tx, s source, where narrow) ([]*R, error) {
	var rows []*R
	err := t.widened(s, t.base(s, where).ColumnExpr(s.alias+".*")).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.table, err)
	}
	return rows, nil
}

// fetchOne reads one row. It returns sql.ErrNoRows when there is none.
func fetchOne[R any](ctx context.Context, t *tx, s source, where narrow) (*R, error) {
	rows, err := fetch[R](ctx, t, s, where)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, sql.ErrNoRows
	}
	return rows[0], nil
}

// fetchPage reads a page of a list, and the total if requested.
func fetchPage[R, V any](
	ctx context.Context, t *tx, s source, where narrow, o order, p vcd.Page, convert func(*R) V,
) (*vcd.List[V], error) {
	from := start{skip: max(0, p.Number-1) * p.Size}
	if !p.Total {
		return fetchFrom(ctx, t, s, where, o, p, from, convert)
	}
	total, err := t.count(ctx, s, where)
	if err != nil {
		return nil, err
	}
	from.left = total - from.skip
	list, err := fetchFrom(ctx, t, s, where, o, p, from, convert)
	if err != nil {
		return nil, err
	}
	list.Total = total
	return list, nil
}

// fetchCounted is fetchPage for a list whose counts by day are known: the total is their sum, and whole days before the
// page are skipped.
func fetchCounted[R, V any](
	ctx context.Context, t *tx, s source, where narrow, o order, p vcd.Page, days tally, convert func(*R) V,
) (*vcd.List[V], error) {
	from := start{skip: max(0, p.Number-1) * p.Size}
	from.left = days.total() - from.skip
	if o.lead == "" && p.Number > 0 {
		from = days.start(from.skip, o.ascending)
	}
	if from.beyond {
		return &vcd.List[V]{Items: []V{}, HasPrevPage: p.Number > 1, Total: days.total()}, nil
	}
	list, err := fetchFrom(ctx, t, s, where, o, p, from, convert)
	if err != nil {
		return nil, err
	}
	list.Total = days.total()
	return list, nil
}

// farSkip is the offset from which the rows of a page are found by the index alone before they are read: scanning an
// index is much faster than scanning its rows, but takes one more join.
const farSkip = 500

// far reports whether a page is so far into a list that days are to be skipped.
func far(p vcd.Page) bool { return (p.Number-1)*p.Size > farSkip }

// fetchFrom reads one page. The start applies to numbered pages only. A page in the second half of the list is read
// from the end of the list if that is known.
func fetchFrom[R, V any](
	ctx context.Context, t *tx, s source, where narrow, o order, p vcd.Page, from start, convert func(*R) V,
) (*vcd.List[V], error) {
	numbered := p.Number > 0 || o.lead != ""
	backward := p.Backward && !numbered
	base, limit := t.base(s, where), p.Size+1 // one extra row shows whether the list continues
	if !numbered {
		base = s.between(base, o, p)
	} else if mirrored := from.left > 0 && from.left < from.skip; mirrored {
		limit = min(limit, from.left)
		backward, from.skip = true, from.left-limit
		base = base.Offset(int64(from.skip))
	} else {
		base = createdWithin(base, s.alias, from.since, from.until).Offset(int64(from.skip))
	}
	base = s.sort(base, o, backward).Limit(int64(limit))
	if numbered && from.skip > farSkip && s.unique {
		base = t.bun.NewSelect().TableExpr("(?) AS far", base.ColumnExpr(s.alias+"."+s.id)).
			Join(lookUp(strings.Fields(s.table)[0], s.alias, "o.account_id = ? AND o.id = far.id"), t.account)
	}
	var rows []*R
	if err := s.sort(t.widened(s, base.ColumnExpr(s.alias+".*")), o, backward).Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("list %s: %w", s.table, err)
	}
	if numbered && backward {
		slices.Reverse(rows)
	}
	return cut(rows, p, numbered, backward && !numbered, convert), nil
}

// fetchPages reads the same page of many lists with one statement: the lists of the parents, identified by column.
// Every parent gets a list, possibly an empty one.
func fetchPages[R, V any](
	ctx context.Context, t *tx, s source, parents []vcd.ID, column string, where narrow, o order, p vcd.Page,
	parentOf func(*R) vcd.ID, convert func(*R) V,
) (map[vcd.ID]*vcd.List[V], error) {
	numbered := p.Number > 0 || o.lead != ""
	backward := p.Backward && !numbered
	one := t.base(s, where).ColumnExpr(s.alias+".*").Where(s.alias+".? = parent.id", bun.Safe(column))
	if numbered {
		one = one.Offset(int64(max(0, p.Number-1) * p.Size))
	} else {
		one = s.between(one, o, p)
	}
	one = s.sort(one, o, backward).Limit(int64(p.Size) + 1)
	base := t.bun.NewSelect().TableExpr("unnest(?::uuid[]) AS parent (id)", array(parents)).
		Join("CROSS JOIN LATERAL (?) AS "+s.alias, one).ColumnExpr(s.alias + ".*")
	var rows []*R
	if err := s.sort(t.widened(s, base), o, backward).Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("list %s of %d parents: %w", s.table, len(parents), err)
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

func (t *tx) count(ctx context.Context, s source, where narrow) (int, error) {
	var n int
	if err := t.base(s, where).ColumnExpr("count(*)").Scan(ctx, &n); err != nil {
		return 0, fmt.Errorf("count %s: %w", s.table, err)
	}
	return n, nil
}

// between keeps the rows after one cursor and before the other.
func (s source) between(q *bun.SelectQuery, o order, p vcd.Page) *bun.SelectQuery {
	behind, ahead := "<", ">"
	if o.ascending {
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

func (s source) position() string {
	return fmt.Sprintf("(%s.%s, %s.%s)", s.alias, s.created, s.alias, s.id)
}

func (s source) sort(q *bun.SelectQuery, o order, backward bool) *bun.SelectQuery {
	direction := " DESC"
	if o.ascending != backward {
		direction = " ASC"
	}
	if o.lead != "" {
		q = q.OrderExpr(o.lead + direction)
	}
	return q.OrderExpr(s.alias + "." + s.created + direction).OrderExpr(s.alias + "." + s.id + direction)
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
	list := &vcd.List[V]{Items: convertAll(rows, convert)}
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

func convertAll[R, V any](rows []*R, convert func(*R) V) []V {
	items := make([]V, len(rows))
	for i, row := range rows {
		items[i] = convert(row)
	}
	return items
}
