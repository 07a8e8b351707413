package review

import (
	"context"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// A list by difference has two parts: the comparisons that differ, and those that do not, which are most of them. The second
// part is sorted by time, like other lists, so that whole days of it can be skipped by their counts. The first one is walked,
// from whichever of its ends is nearer.

// listPart is one of the two.
type listPart struct {
	keeps string // condition of its comparisons
	days  query.Tally
	timed bool // sorted by time
}

// countedPage reads a page of comparisons whose counts by day are known.
func (t *Tx) countedPage(
	ctx context.Context, where query.Narrow, o query.Order, p vcd.Page, days query.Tally,
) (*vcd.List[*vcd.Comparison], error) {
	show := (*comparisonRead).comparison
	part, from, ok := partByDifference(days, o, p)
	if o.Lead != byDifference || !ok {
		return query.FetchCounted(ctx, t.Scope, comparisons, where, o, p, days, show)
	}
	if from.Beyond {
		return &vcd.List[*vcd.Comparison]{Items: []*vcd.Comparison{}, HasPrevPage: p.Number > 1, Total: days.Total()}, nil
	}
	within := func(q *bun.SelectQuery) *bun.SelectQuery { return where(q).Where(part.keeps) }
	list, err := query.FetchFrom(ctx, t.Scope, comparisons, within, o, p, from, show)
	if err != nil {
		return nil, err
	}
	list.Total = days.Total()
	return list, nil
}

// partByDifference finds the part that holds a page, with the item after it, and where in that part the page starts. It
// reports false for a page with items of both parts.
func partByDifference(c query.Tally, o query.Order, p vcd.Page) (listPart, query.Start, bool) {
	differing, equal := splitByDifference(c)
	parts := [2]listPart{{"c.difference_percent > 0", differing, false}, {"c.difference_percent = 0", equal, true}}
	if o.Ascending {
		parts[0], parts[1] = parts[1], parts[0]
	}
	skip, part := max(0, p.Number-1)*p.Size, parts[0]
	switch first := parts[0].days.Total(); {
	case skip >= first:
		skip, part = skip-first, parts[1]
	case skip+p.Size >= first:
		return listPart{}, query.Start{}, false
	}
	from, left := query.Start{Skip: skip}, part.days.Total()-skip
	if part.timed {
		from = part.days.Start(skip, o.Ascending)
	}
	from.Left, from.Beyond = left, left <= 0
	return part, from, true
}

// splitByDifference splits the counts into those of comparisons that differ and of those that do not.
func splitByDifference(c query.Tally) (differing, equal query.Tally) {
	for _, d := range c {
		if d.Differing > 0 {
			differing = append(differing, query.DayCount{Day: d.Day, Count: d.Differing})
		}
		if rest := d.Count - d.Differing; rest > 0 {
			equal = append(equal, query.DayCount{Day: d.Day, Count: rest})
		}
	}
	return differing, equal
}
