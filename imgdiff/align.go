package imgdiff

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"math"
	"slices"

	"afterimage/imgdiff/internal/pngrows"
)

// The constants of alignment, in rows.
const (
	// bridgeRows joins places that differ into one zone when fewer rows
	// between them are equal in place: within a zone rows may have moved by
	// about as much.
	bridgeRows = 256
	// weakRows: fewer corresponding rows than this between two differences,
	// none of them unique, correspond by chance, such as blank lines.
	weakRows = 8
	// moveRows is the least height of a moved band.
	moveRows = 8
	// absorbRows is the largest height of an inserted or deleted band that
	// counts as a rounding of the layout, if its rows only repeat a
	// neighbour.
	absorbRows = 2
	// pixelRows is the least height of a gap in which rows are matched again
	// by their pixels.
	pixelRows = 24
	// maxFiltersApart is how far, of 2, the shares of the types of filters
	// of two files from one encoder may be apart.
	maxFiltersApart = 0.5
)

// gap is a place between two runs, where rows do not correspond.
type gap struct{ before, after span }

// alignment is how the rows of two pictures of equal width correspond.
type alignment struct {
	runs  []run // equal rows, in order
	gaps  []gap // what lies around them
	moved []run // equal rows, out of order
}

// aligner finds the alignment of a pair before the filters of its rows are
// taken off: equal content that moved has equal filtered rows, but for the
// first.
type aligner struct {
	*pair
	x0, x1    int  // the columns that are aligned
	cropped   bool // they are a column of the page, which is not divided again
	tolerance tolerance
	hashes    [2][]uint64 // of filtered rows, by picture; 0 where not needed; columns use them one after the other
	free      [2][]bool   // rows that are neither in a run nor moved, while moved ones are looked for
	seed      maphash.Seed

	encodersDiffer bool // the files were filtered in different ways
}

// newAligner prepares to align a pair whose filtered rows were compared.
func newAligner(p *pair, t tolerance) *aligner {
	al := &aligner{pair: p, x1: p.width, tolerance: t, seed: maphash.MakeSeed()}
	for i, height := range []int{p.a.height, p.b.height} {
		al.hashes[i], al.free[i] = make([]uint64, height), make([]bool, height)
	}
	return al
}

// column prepares to align a column of the page, whose own rows correspond by
// now.
func (al *aligner) column(x0, x1 int) *aligner {
	column := *al
	column.x0, column.x1, column.cropped = x0, x1, true
	return &column
}

// look counts pairs of rows whose pixels are looked at.
func (al *aligner) look(rows int) { al.effort.spend(2 * rows * (al.x1 - al.x0)) }

// align finds the alignment.
func (al *aligner) align() *alignment {
	al.encodersDiffer = al.filtersDiffer()
	var found alignment
	done := rowPair{}
	for _, zone := range al.zones() {
		found.runs = append(found.runs, run{done.before, done.after, zone.before.first - done.before})
		al.hash(zone)
		found.runs = append(found.runs, al.matchZone(zone)...)
		done = rowPair{zone.before.end, zone.after.end}
	}
	found.runs = append(found.runs, run{done.before, done.after, al.a.height - done.before})
	whole := gap{span{0, al.a.height}, span{0, al.b.height}}
	found.runs = al.dropWeak(joinRuns(found.runs), whole)
	found.runs = al.extended(al.verified(found.runs))
	found.gaps = gapsBetween(found.runs, whole)
	found.moved = al.findMoved(found.gaps)
	return &found
}

// alignGap aligns the columns in one gap between full rows that are equal.
func (al *aligner) alignGap(g gap) *alignment {
	al.rehash(g)
	found := alignment{runs: al.matchRows(g)}
	found.runs = al.verified(al.dropWeak(found.runs, g))
	found.gaps = gapsBetween(found.runs, g)
	found.moved = al.findMoved(found.gaps)
	return &found
}

// zones are where the pictures differ. With equal heights they are looked
// for in place; otherwise everything below the common beginning is one zone.
func (al *aligner) zones() []gap {
	h := al.height
	first := 0
	for first < h && al.alike[first] {
		first++
	}
	if al.a.height != al.b.height {
		return []gap{{span{first, al.a.height}, span{first, al.b.height}}}
	}
	var zones []gap
	for y := first; y < h; {
		end, quiet := y+1, 0
		for i := end; i < h && quiet < bridgeRows; i++ {
			if al.alike[i] {
				quiet++
			} else {
				end, quiet = i+1, 0
			}
		}
		zones = append(zones, gap{span{y, end}, span{y, end}})
		for y = end; y < h && al.alike[y]; {
			y++
		}
	}
	return zones
}

// hash computes the hashes of the rows of a zone as they stand in the files.
func (al *aligner) hash(zone gap) {
	al.hashRows(0, al.a, zone.before, func(int) bool { return false })
	al.hashRows(1, al.b, zone.after, func(y int) bool {
		// Rows that are alike in place need hashing once.
		if y >= al.height || !al.alike[y] || y < zone.before.first || y >= zone.before.end {
			return false
		}
		al.hashes[1][y] = al.hashes[0][y]
		return true
	})
}

// hashRows computes the hashes of some rows of one picture, but for those
// that known takes care of.
func (al *aligner) hashRows(picture int, p *picture, rows span, known func(y int) bool) {
	al.effort.inBands((rows.len()+bandRows-1)/bandRows, func(band int) {
		first := rows.first + band*bandRows
		for y := first; y < min(first+bandRows, rows.end); y++ {
			if !known(y) {
				al.effort.spend(al.x1 - al.x0)
				al.hashes[picture][y] = maphash.Bytes(al.seed, al.compared(p, y))
			}
		}
	})
}

// compared is the bytes of a row that are compared: the whole row as it
// stands, or the pixels of some columns of a finished row.
func (al *aligner) compared(p *picture, y int) []byte {
	if al.cropped {
		return p.row(y)[al.x0*p.bpp : al.x1*p.bpp]
	}
	return p.stored(y)
}

// rehash computes the hashes of the rows of a zone from their pixels.
func (al *aligner) rehash(zone gap) {
	al.finishBoth(zone)
	for i, p := range []*picture{al.a, al.b} {
		al.hashRows(i, p, []span{zone.before, zone.after}[i], func(int) bool { return false })
	}
}

// finishBoth takes the filters off some rows of both pictures.
func (al *aligner) finishBoth(rows gap) {
	al.effort.inBands(2, func(picture int) {
		if picture == 0 {
			al.a.finishRows(al.effort, rows.before)
		} else {
			al.b.finishRows(al.effort, rows.after)
		}
	})
}

// matchZone matches the rows of a zone by their filtered bytes and then, where
// that leaves gaps that pixels may close, by their pixels.
func (al *aligner) matchZone(zone gap) []run {
	runs := al.matchRows(zone)
	gaps := gapsBetween(runs, zone)
	if !slices.ContainsFunc(gaps, al.pixelsMayMatch) {
		return runs
	}
	// All gaps, so that hashes of blocks that moved from one into another
	// are of one kind.
	for _, g := range gaps {
		al.rehash(g)
		runs = append(runs, al.matchRows(g)...)
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(a.before, b.before) })
	return joinRuns(runs)
}

// pixelsMayMatch reports whether rows of a gap may be equal although their
// filtered bytes are not: something moved in it, or different encoders wrote
// the files.
func (al *aligner) pixelsMayMatch(g gap) bool {
	return min(g.before.len(), g.after.len()) >= pixelRows && (g.before.len() != g.after.len() || al.encodersDiffer)
}

// filtersDiffer reports whether the two files were clearly filtered in
// different ways: one encoder chooses the types of filters in about the same
// proportion for two versions of a page.
func (al *aligner) filtersDiffer() bool {
	var share [2][pngrows.FilterPaeth + 1]float64
	for i, p := range []*picture{al.a, al.b} {
		for y := range p.height {
			share[i][p.filter(y)] += 1 / float64(p.height)
		}
	}
	apart := 0.0
	for filter, part := range share[0] {
		apart += math.Abs(part - share[1][filter])
	}
	return apart > maxFiltersApart
}

// rowsEqual reports whether the pixels of two rows are equal. aboveEqual tells
// that those of the rows above are.
func (al *aligner) rowsEqual(before, after int, aboveEqual bool) bool {
	al.look(1)
	aboveEqual = aboveEqual || before == 0 && after == 0
	if !al.cropped {
		// What was found of the files holds even if filters are off by now.
		if before == after && al.alike[before] && (aboveEqual || al.anew[before]) {
			return true
		}
		if (aboveEqual || !pngrows.NeedsAbove(al.a.filter(before))) && bytes.Equal(al.a.stored(before), al.b.stored(after)) {
			return true
		}
	}
	al.a.finish(before)
	al.b.finish(after)
	bpp := al.a.bpp
	return bytes.Equal(al.a.row(before)[al.x0*bpp:al.x1*bpp], al.b.row(after)[al.x0*bpp:al.x1*bpp])
}

// verified keeps of the runs the rows that are indeed equal.
func (al *aligner) verified(runs []run) []run {
	// The first row of a run is compared by its pixels; finishing these
	// rows is most of the work, so each picture has a core.
	al.effort.inBands(2, func(picture int) {
		for _, r := range runs {
			if r.before == 0 && r.after == 0 {
				continue
			}
			al.effort.check()
			if picture == 0 {
				al.a.finish(r.before)
			} else {
				al.b.finish(r.after)
			}
		}
	})
	var kept []run
	for _, r := range runs {
		equal := false
		start := 0
		for i := range r.rows + 1 {
			was := equal
			equal = i < r.rows && al.rowsEqual(r.before+i, r.after+i, equal)
			switch {
			case equal && !was:
				start = i
			case was && !equal:
				kept = append(kept, run{r.before + start, r.after + start, i - start})
			}
		}
	}
	return kept
}

// dropWeak leaves out short runs between two differences that correspond by
// chance: their rows occur more often, as blank lines do, or what is above
// and below agrees that nothing moved in between. The runs lie within a gap.
func (al *aligner) dropWeak(runs []run, within gap) []run {
	counts := [2]map[uint64]int{{}, {}}
	al.effort.spend(tableWork * (within.before.len() + within.after.len()))
	for i, rows := range []span{within.before, within.after} {
		for _, h := range al.hashes[i][rows.first:rows.end] {
			counts[i][h]++
		}
	}
	kept := runs[:0]
	for i, r := range runs {
		if r.rows < weakRows && i > 0 && i < len(runs)-1 {
			above := 0
			if len(kept) > 0 {
				above = kept[len(kept)-1].shift()
			}
			strays := above == runs[i+1].shift() && above != r.shift()
			if strays || !al.hasUnique(r, counts) {
				continue
			}
		}
		kept = append(kept, r)
	}
	return kept
}

// hasUnique reports whether a run has a row that occurs once in each picture.
func (al *aligner) hasUnique(r run, counts [2]map[uint64]int) bool {
	for y := r.before; y < r.before+r.rows; y++ {
		h := al.hashes[0][y]
		if counts[0][h] == 1 && counts[1][h] == 1 {
			return true
		}
	}
	return false
}

// extended lengthens every run upwards and then downwards as far as rows are
// equal. Downwards a run also takes over from the next one where nothing but
// an inserted or deleted band lies between them, so that such a band begins
// at the first row that differs.
func (al *aligner) extended(runs []run) []run {
	floor := rowPair{}
	for i := range runs {
		r := &runs[i]
		for r.before > floor.before && r.after > floor.after && al.rowsEqual(r.before-1, r.after-1, false) {
			*r = run{r.before - 1, r.after - 1, r.rows + 1}
		}
		floor = rowPair{r.before + r.rows, r.after + r.rows}
	}
	runs = joinRuns(runs)
	for i := range runs {
		al.lower(runs, i)
	}
	return joinRuns(runs)
}

// lower lengthens run i downwards.
func (al *aligner) lower(runs []run, i int) {
	r := &runs[i]
	next := i + 1
	for r.rows > 0 {
		before, after := r.before+r.rows, r.after+r.rows
		for next < len(runs) && runs[next].rows == 0 {
			next++
		}
		end := rowPair{al.a.height, al.b.height}
		if next < len(runs) {
			end = rowPair{runs[next].before, runs[next].after}
		}
		free := before < end.before && after < end.after
		slide := next < len(runs) && (before == end.before) != (after == end.after)
		if !free && !slide || !al.rowsEqual(before, after, true) {
			return
		}
		r.rows++
		if slide {
			runs[next] = run{runs[next].before + 1, runs[next].after + 1, runs[next].rows - 1}
		}
	}
}

// gapsBetween are the places within a range that no run covers.
func gapsBetween(runs []run, within gap) []gap {
	var gaps []gap
	at := rowPair{within.before.first, within.after.first}
	for _, r := range append(runs, run{before: within.before.end, after: within.after.end}) {
		if r.before > at.before || r.after > at.after {
			gaps = append(gaps, gap{span{at.before, r.before}, span{at.after, r.after}})
		}
		at = rowPair{r.before + r.rows, r.after + r.rows}
	}
	return gaps
}
