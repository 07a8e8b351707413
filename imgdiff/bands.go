package imgdiff

import (
	"cmp"
	"slices"
)

// stretch is rows that correspond one by one, in some columns.
type stretch struct {
	run
	x0, x1 int
}

// surplus is rows that only one picture has, in some columns, and the row of
// the other picture above which they would stand.
type surplus struct {
	rows   span
	at     int
	x0, x1 int
}

// layout is an alignment resolved into what happened.
type layout struct {
	changed  []stretch // pixels differ
	moved    []stretch // pixels are equal, out of order
	inserted []surplus // rows of the after picture
	deleted  []surplus // rows of the before picture
}

// shifts reports whether any row is not where it was.
func (l *layout) shifts() bool { return len(l.inserted)+len(l.deleted)+len(l.moved) > 0 }

// add joins another layout into this one.
func (l *layout) add(other layout) {
	l.changed = append(l.changed, other.changed...)
	l.moved = append(l.moved, other.moved...)
	l.inserted = append(l.inserted, other.inserted...)
	l.deleted = append(l.deleted, other.deleted...)
}

// resolve decides for every gap which rows correspond, which were inserted
// and which were deleted.
func (al *aligner) resolve(found *alignment) layout {
	var l layout
	taken := takenBy(found.moved)
	for _, r := range found.moved {
		l.moved = append(l.moved, stretch{r, al.x0, al.x1})
	}
	for _, g := range found.gaps {
		before, after := withoutMoved(g, taken)
		if len(before) == 1 && len(after) == 1 {
			l.add(al.pairUp(before[0], after[0]))
			continue
		}
		for _, rows := range before {
			l.deleted = append(l.deleted, surplus{rows, g.after.first, al.x0, al.x1})
		}
		for _, rows := range after {
			l.inserted = append(l.inserted, surplus{rows, g.before.first, al.x0, al.x1})
		}
	}
	return l
}

// takenBy are the rows of moved blocks, which do not overlap, by picture and in
// order.
func takenBy(moved []run) (taken [2][]span) {
	for _, r := range moved {
		taken[0] = append(taken[0], span{r.before, r.before + r.rows})
		taken[1] = append(taken[1], span{r.after, r.after + r.rows})
	}
	for _, spans := range taken {
		slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	}
	return taken
}

// withoutMoved is what a gap leaves in each picture when moved blocks are
// taken out.
func withoutMoved(g gap, taken [2][]span) (before, after []span) {
	return subtract(g.before, taken[0]), subtract(g.after, taken[1])
}

// subtract is what is left of a span, in order.
func subtract(from span, taken []span) []span {
	var left []span
	first, _ := slices.BinarySearchFunc(taken, from.first+1, func(t span, row int) int { return cmp.Compare(t.end, row) })
	for _, t := range taken[first:] {
		if t.first >= from.end {
			break
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

// pairUp resolves rows that differ in both pictures: column by column where
// columns moved by themselves, otherwise as whole rows, and without a look at
// them when the bound on the work is reached.
func (al *aligner) pairUp(before, after span) layout {
	best := al.pairBlindly(before, after)
	al.effort.within(func() { best = al.pairRows(before, after) })
	if al.cropped || min(before.len(), after.len()) < columnRows {
		return best
	}
	al.effort.within(func() {
		columns, ok := al.byColumns(gap{before, after})
		if ok && float64(al.cost(&columns)) < columnGain*float64(al.cost(&best)) {
			best = columns
		}
	})
	return best
}

// pairBlindly lets rows correspond in order, with the surplus at the end.
func (al *aligner) pairBlindly(before, after span) (l layout) {
	common := min(before.len(), after.len())
	l.changed = []stretch{{run{before.first, after.first, common}, al.x0, al.x1}}
	end := gap{span{before.first + common, before.end}, span{after.first + common, after.end}}
	if end.before.len() > 0 {
		l.deleted = []surplus{{end.before, after.end, al.x0, al.x1}}
	}
	if end.after.len() > 0 {
		l.inserted = []surplus{{end.after, before.end, al.x0, al.x1}}
	}
	return l
}

// pairRows lets rows correspond in order. When one picture has more of them,
// one block of the surplus was inserted or deleted at the place that leaves
// the least difference.
func (al *aligner) pairRows(before, after span) layout {
	var l layout
	common := min(before.len(), after.len())
	top := al.bestSplit(before, after, common)
	below := common - top
	al.addChanged(&l, run{before.first, after.first, top})
	al.addChanged(&l, run{before.end - below, after.end - below, below})
	if rows := (span{before.first + top, before.end - below}); rows.len() > 0 {
		l.deleted = append(l.deleted, surplus{rows, after.first + top, al.x0, al.x1})
	}
	if rows := (span{after.first + top, after.end - below}); rows.len() > 0 {
		l.inserted = append(l.inserted, surplus{rows, before.first + top, al.x0, al.x1})
	}
	return l
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
		l.changed = append(l.changed, stretch{r, al.x0, al.x1})
	}
}

// bestSplit is how many of the common rows lie above the surplus.
func (al *aligner) bestSplit(before, after span, common int) int {
	if before.len() == after.len() {
		return common
	}
	// At first all common rows lie below the surplus; one after the other
	// moves above it.
	below := make([]int, common)
	cost := 0
	for i := range common {
		below[i] = al.difference(before.end-common+i, after.end-common+i, al.x0, al.x1)
		cost += below[i]
	}
	best, split := cost, 0
	for i := range common {
		cost += al.difference(before.first+i, after.first+i, al.x0, al.x1) - below[i]
		if cost <= best {
			best, split = cost, i+1
		}
	}
	return split
}

// difference is the number of groups of pixels in which two rows may differ
// by more than the threshold.
func (al *aligner) difference(before, after, x0, x1 int) int {
	al.effort.spend(2 * (x1 - x0))
	al.a.finish(before)
	al.b.finish(after)
	bpp := al.a.bpp
	a, b := al.a.row(before)[x0*bpp:x1*bpp], al.b.row(after)[x0*bpp:x1*bpp]
	size := groupPixels * bpp
	n := 0
	for at := 0; at < len(a); at += size {
		end := min(at+size, len(a))
		if !al.tolerance.similar(a[at:end], b[at:end]) {
			n++
		}
	}
	return n
}

// cost is how much a layout leaves unexplained, in groups of pixels.
func (al *aligner) cost(l *layout) int {
	total := 0
	for _, s := range l.changed {
		for i := range s.rows {
			total += al.difference(s.before+i, s.after+i, s.x0, s.x1)
		}
	}
	for _, list := range [][]surplus{l.inserted, l.deleted} {
		for _, s := range list {
			total += s.rows.len() * (s.x1 - s.x0) / groupPixels
		}
	}
	return total
}
