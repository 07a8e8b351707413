package imgdiff

import (
	"cmp"
	"slices"
)

// changedRows is a stretch of gap whose rows correspond one by one although
// their pixels differ.
type changedRows run

// layout is an alignment resolved into bands.
type layout struct {
	changed  []changedRows
	inserted []surplus // rows of the after picture
	deleted  []surplus // rows of the before picture
}

// surplus is rows that only one picture has, and the row of the other above
// which they would stand.
type surplus struct {
	rows span
	at   int
}

// resolve decides for every gap which rows correspond, which were inserted
// and which were deleted.
func (al *aligner) resolve(found *alignment) layout {
	var l layout
	for _, g := range found.gaps {
		before, after := withoutMoved(g, found.moved)
		if len(before) == 1 && len(after) == 1 {
			al.pairUp(&l, before[0], after[0])
			continue
		}
		for _, rows := range before {
			l.deleted = append(l.deleted, surplus{rows, g.after.first})
		}
		for _, rows := range after {
			l.inserted = append(l.inserted, surplus{rows, g.before.first})
		}
	}
	return l
}

// withoutMoved is what a gap leaves in each picture when moved blocks are
// taken out.
func withoutMoved(g gap, moved []run) (before, after []span) {
	var takenBefore, takenAfter []span
	for _, r := range moved {
		takenBefore = append(takenBefore, span{r.before, r.before + r.rows})
		takenAfter = append(takenAfter, span{r.after, r.after + r.rows})
	}
	return subtract(g.before, takenBefore), subtract(g.after, takenAfter)
}

// subtract is what is left of a span, in order.
func subtract(from span, taken []span) []span {
	slices.SortFunc(taken, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	var left []span
	for _, t := range taken {
		if t.end <= from.first || t.first >= from.end {
			continue
		}
		if t.first > from.first {
			left = append(left, span{from.first, t.first})
		}
		from.first = t.end
	}
	if from.len() > 0 {
		left = append(left, from)
	}
	return left
}

// pairUp resolves rows that differ in both pictures. When there are more of
// them in one picture, one block of the surplus was inserted or deleted at
// the place that leaves the least difference.
func (al *aligner) pairUp(l *layout, before, after span) {
	common := min(before.len(), after.len())
	top := al.bestSplit(before, after, common)
	al.addChanged(l, run{before.first, after.first, top})
	al.addChanged(l, run{before.end - (common - top), after.end - (common - top), common - top})
	if rows := (span{before.first + top, before.end - (common - top)}); rows.len() > 0 {
		l.deleted = append(l.deleted, surplus{rows, after.first + top})
	}
	if rows := (span{after.first + top, after.end - (common - top)}); rows.len() > 0 {
		l.inserted = append(l.inserted, surplus{rows, before.first + top})
	}
}

// addChanged adds corresponding rows without equal ones at either end.
func (al *aligner) addChanged(l *layout, r run) {
	for r.rows > 0 && al.rowsEqual(r.before, r.after, false) {
		r = run{r.before + 1, r.after + 1, r.rows - 1}
	}
	for r.rows > 0 && al.rowsEqual(r.before+r.rows-1, r.after+r.rows-1, false) {
		r.rows--
	}
	if r.rows > 0 {
		l.changed = append(l.changed, changedRows(r))
	}
}

// bestSplit is how many of the common rows lie above the surplus.
func (al *aligner) bestSplit(before, after span, common int) int {
	if before.len() == after.len() {
		return common
	}
	// costBelow is the difference of the rows below the surplus; one row
	// after the other moves above it.
	costAbove, costBelow := 0, 0
	for i := range common {
		costBelow += al.difference(before.end-common+i, after.end-common+i)
	}
	best, split := costBelow, 0
	for i := range common {
		costAbove += al.difference(before.first+i, after.first+i)
		costBelow -= al.difference(before.end-common+i, after.end-common+i)
		if costAbove+costBelow <= best {
			best, split = costAbove+costBelow, i+1
		}
	}
	return split
}

// difference is the number of groups of pixels in which two rows differ by
// more than the threshold may allow.
func (al *aligner) difference(before, after int) int {
	al.a.finish(before)
	al.b.finish(after)
	a, b := al.a.row(before), al.b.row(after)
	size := groupPixels * al.a.bpp
	n := 0
	for at := 0; at < al.width*al.a.bpp; at += size {
		end := min(at+size, al.width*al.a.bpp)
		if !al.tolerance.similar(a[at:end], b[at:end]) {
			n++
		}
	}
	return n
}
