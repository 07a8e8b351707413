package db

import (
	"context"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// A list by difference has two parts: the comparisons that differ, and those that do not, which are most of them. The second
// part is sorted by time, like other lists, so that whole days of it can be skipped by their counts. The first one is walked,
// from whichever of its ends is nearer.

// listPart is one of the two.
type listPart struct {
	keeps string // condition of its comparisons
	days  tally
	timed bool // sorted by time
}

// countedPage reads a page of comparisons whose counts by day are known.
func (t *tx) countedPage(ctx context.Context, where narrow, o order, p vcd.Page, days tally) (*vcd.List[*vcd.Comparison], error) {
	show := (*comparisonRead).comparison
	part, from, ok := days.partByDifference(o, p)
	if o.lead != byDifference || !ok {
		return fetchCounted(ctx, t, comparisons, where, o, p, days, show)
	}
	if from.beyond {
		return &vcd.List[*vcd.Comparison]{Items: []*vcd.Comparison{}, HasPrevPage: p.Number > 1, Total: days.total()}, nil
	}
	within := func(q *bun.SelectQuery) *bun.SelectQuery { return where(q).Where(part.keeps) }
	list, err := fetchFrom(ctx, t, comparisons, within, o, p, from, show)
	if err != nil {
		return nil, err
	}
	list.Total = days.total()
	return list, nil
}

// partByDifference finds the part that holds a page, with the item after it, and where in that part the page starts. It
// reports false for a page with items of both parts.
func (c tally) partByDifference(o order, p vcd.Page) (listPart, start, bool) {
	differing, equal := c.byDifference()
	parts := [2]listPart{{"c.difference_percent > 0", differing, false}, {"c.difference_percent = 0", equal, true}}
	if o.ascending {
		parts[0], parts[1] = parts[1], parts[0]
	}
	skip, part := max(0, p.Number-1)*p.Size, parts[0]
	switch first := parts[0].days.total(); {
	case skip >= first:
		skip, part = skip-first, parts[1]
	case skip+p.Size >= first:
		return listPart{}, start{}, false
	}
	from, left := start{skip: skip}, part.days.total()-skip
	if part.timed {
		from = part.days.start(skip, o.ascending)
	}
	from.left, from.beyond = left, left <= 0
	return part, from, true
}

// byDifference splits the counts into those of comparisons that differ and of those that do not.
func (c tally) byDifference() (differing, equal tally) {
	for _, d := range c {
		if d.Differing > 0 {
			differing = append(differing, dayCount{Day: d.Day, Count: d.Differing})
		}
		if rest := d.Count - d.Differing; rest > 0 {
			equal = append(equal, dayCount{Day: d.Day, Count: rest})
		}
	}
	return differing, equal
}
