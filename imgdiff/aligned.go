package imgdiff

import (
	"bytes"
	"cmp"
	"image"
	"slices"
)

// joinChanged: changed bands with fewer equal rows between them are told as
// one.
const joinChanged = 24

// alignedCount counts what remains between aligned rows.
type alignedCount struct {
	*aligner
	counter *counter
	layout  layout
	runs    []run // equal rows
	plain   bool  // the plain difference was counted before
	// rest gathers what remains between aligned rows, where the plain
	// difference was counted before and rows are not where they were.
	rest *counter
	// leftOut is the number of clusters that are missing in Result.Remaining.
	leftOut int
}

// apply fills the aligned figures of the result.
func (ac *alignedCount) apply() {
	ac.absorb()
	r := ac.counter.result
	r.Aligned = true
	if ac.plain && ac.displaced() {
		ac.rest = ac.counter.anew()
	}
	r.Residual = ac.residual()
	shown := r.Residual
	for _, i := range ac.layout.inserted {
		shown += ac.area(i, !ac.plain)
	}
	for _, d := range ac.layout.deleted {
		shown += ac.area(d, false)
	}
	shown = min(shown, r.Width*r.Height)
	if ac.plain && shown > r.Changed {
		// Rows that correspond by their content may still leave more than
		// rows in place do.
		r.Residual, r.AlignedPercent = r.Changed, r.Percent
		return
	}
	r.AlignedPercent = percentOf(shown, r.Width, r.Height)
	r.Bands = ac.bands()
	if ac.rest != nil {
		ac.rest.partner = ac.partners()
		r.Remaining, ac.leftOut = findRegions(ac.rest)
		r.Remaining = append([]Region{}, r.Remaining...) // not nil
		r.remaining = ac.rest.changed
	}
	if !ac.plain {
		ac.counter.fill() // the masks
		ac.counter.partner = ac.partners()
		r.AlignedOnly = true
		r.Changed, r.Percent = shown, r.AlignedPercent
	}
}

// displaced reports whether any row corresponds to one at another place.
func (ac *alignedCount) displaced() bool {
	return ac.layout.shifts() || slices.ContainsFunc(ac.runs, func(r run) bool { return r.rows > 0 && r.shift() != 0 })
}

// explains reports whether rows moved and at least half of all rows are found
// again: only then can it be clear without the plain difference that aligned
// rows leave less.
func (ac *alignedCount) explains() bool {
	found := 0
	for _, r := range ac.runs {
		found += r.rows
	}
	for _, s := range ac.layout.moved {
		found += s.rows
	}
	return ac.layout.shifts() && 2*found >= max(ac.a.height, ac.b.height)
}

// residual counts the changed pixels between corresponding rows, and cuts
// from the stretches the rows at either end where none counts.
func (ac *alignedCount) residual() int {
	total := 0
	var kept []stretch
	for _, s := range ac.layout.changed {
		counts := ac.countRows(s)
		first, last, sum := 0, -1, 0
		for i, n := range counts {
			if n > 0 {
				if sum == 0 {
					first = i
				}
				last = i
			}
			sum += n
		}
		if sum > 0 {
			kept = append(kept, stretch{run{s.before + first, s.after + first, last + 1 - first}, s.x0, s.x1})
		}
		total += sum
	}
	ac.layout.changed = kept
	return total
}

// countRows counts the changed pixels of each row of a stretch.
func (ac *alignedCount) countRows(s stretch) []int {
	if !ac.plain || s.before != s.after {
		ac.finishBoth(gap{span{s.before - 2, s.before + s.rows + 2}, span{s.after - 2, s.after + s.rows + 2}})
		return ac.compare(s)
	}
	counts := make([]int, s.rows)
	for i := range counts {
		ac.effort.check()
		counts[i] = countRun(ac.counter.changed.row(s.after+i), s.x0, s.x1)
		if ac.rest != nil {
			ac.rest.copyRow(ac.counter, s.after+i, s.x0, s.x1)
		}
	}
	return counts
}

// compare counts corresponding rows, into the result where that is wanted,
// and returns how many pixels changed in each.
func (ac *alignedCount) compare(rows stretch) []int {
	c := ac.counter
	first := rows.after &^ (flatBandRows - 1) // bands hold whole cells
	bands := (rows.after + rows.rows - first + flatBandRows - 1) / flatBandRows
	counts := make([]int, rows.rows)
	c.effort.inBands(bands, func(band int) {
		start := first + band*flatBandRows
		scratch := make([]uint64, 2*c.changed.stride)
		w := takeWorkspace(c, start, rows.before-rows.after)
		defer w.release()
		for y := max(start, rows.after); y < min(start+flatBandRows, rows.after+rows.rows); y++ {
			c.effort.check()
			to := c.sinkAt(y)
			if ac.rest != nil {
				to = ac.rest.sinkAt(y)
			} else if ac.plain {
				clear(scratch)
				to.changed, to.aa, to.grid = scratch[:c.changed.stride], scratch[c.changed.stride:], nil
			}
			c.compareRow(w, c.neighboursApart(rows.before+y-rows.after, y), to, rows.x0, rows.x1)
			counts[y-rows.after] = countRun(to.changed, rows.x0, rows.x1)
		}
	})
	return counts
}

// partners finds the row of the before picture for each row of the after
// picture.
func (ac *alignedCount) partners() []int {
	partner := make([]int, ac.b.height)
	for y := range partner {
		partner[y] = -1
	}
	runs := slices.Clone(ac.runs)
	for _, s := range slices.Concat(ac.layout.moved, ac.layout.changed) {
		runs = append(runs, s.run)
	}
	for _, r := range runs {
		for i := range r.rows {
			partner[r.after+i] = r.before + i
		}
	}
	return partner
}

// area is the number of pixels of some rows that are not ignored. It marks
// them in the result where that is wanted.
func (ac *alignedCount) area(s surplus, mark bool) int {
	c := ac.counter
	n := 0
	for y := s.rows.first; y < s.rows.end; y++ {
		c.effort.check()
		n += s.x1 - s.x0
		if ignored := c.ignored.rowOrNil(y); ignored != nil {
			n -= countRun(ignored, s.x0, s.x1)
		}
		if mark {
			c.markRow(y, s.x0, s.x1)
		}
	}
	return n
}

// absorb leaves out inserted and deleted bands of one or two rows that only
// repeat the row beside them: the layout was rounded differently.
func (ac *alignedCount) absorb() {
	ac.layout.inserted = slices.DeleteFunc(ac.layout.inserted, func(s surplus) bool { return ac.repeats(ac.b, s.rows) })
	ac.layout.deleted = slices.DeleteFunc(ac.layout.deleted, func(s surplus) bool { return ac.repeats(ac.a, s.rows) })
}

// repeats reports whether few rows only repeat the row above or below them.
func (ac *alignedCount) repeats(p *picture, rows span) bool {
	if rows.len() > absorbRows {
		return false
	}
	p.finishRows(ac.effort, span{rows.first - 1, rows.end + 1})
	for y := rows.first; y < rows.end; y++ {
		above := rows.first > 0 && ac.similarRows(p, y, rows.first-1)
		below := rows.end < p.height && ac.similarRows(p, y, rows.end)
		if !above && !below {
			return false
		}
	}
	return true
}

// similarRows reports whether two rows of one picture cannot differ by more
// than the threshold.
func (ac *alignedCount) similarRows(p *picture, y, other int) bool {
	n := p.width * p.bpp
	a, b := p.row(y)[:n], p.row(other)[:n]
	return ac.tolerance.similar(a, b) && bytes.Equal(a[n&^7:], b[n&^7:])
}

// bands lists what happened, from top to bottom.
func (ac *alignedCount) bands() []Band {
	var bands []Band
	for _, s := range ac.layout.changed {
		bands = append(bands, Band{Kind: BandChanged, YBefore: s.before, YAfter: s.after, Rows: s.rows, X0: s.x0, X1: s.x1})
	}
	for _, d := range ac.layout.deleted {
		bands = append(bands, Band{
			Kind: BandDeleted, YBefore: d.rows.first, YAfter: d.at, Rows: d.rows.len(), X0: d.x0, X1: d.x1,
			Surface: ac.counter.surface(image.Rect(d.x0, d.rows.first, d.x1, d.rows.end), ac.a, ac.counter.anyBefore),
		})
	}
	for _, s := range ac.layout.moved {
		bands = append(bands, Band{Kind: BandMoved, YBefore: s.before, YAfter: s.after, Rows: s.rows, X0: s.x0, X1: s.x1})
	}
	for _, i := range ac.layout.inserted {
		bands = append(bands, Band{
			Kind: BandInserted, YBefore: i.at, YAfter: i.rows.first, Rows: i.rows.len(), X0: i.x0, X1: i.x1,
			Surface: ac.counter.surface(image.Rect(i.x0, i.rows.first, i.x1, i.rows.end), ac.b, ac.counter.anyAfter),
		})
	}
	slices.SortStableFunc(bands, func(a, b Band) int {
		return cmp.Or(cmp.Compare(a.YAfter, b.YAfter), cmp.Compare(a.X0, b.X0), cmp.Compare(a.YBefore, b.YBefore))
	})
	return joinBands(bands)
}

// joinBands joins changed bands that nearly follow each other.
func joinBands(bands []Band) []Band {
	var joined []Band
	for _, b := range bands {
		if n := len(joined); n > 0 {
			last := &joined[n-1]
			between := b.YAfter - last.YAfter - last.Rows
			if last.Kind == BandChanged && b.Kind == BandChanged && between < joinChanged &&
				b.X0 == last.X0 && b.X1 == last.X1 &&
				b.YBefore-last.YBefore == b.YAfter-last.YAfter {
				last.Rows = b.YAfter + b.Rows - last.YAfter
				continue
			}
		}
		joined = append(joined, b)
	}
	return joined
}
