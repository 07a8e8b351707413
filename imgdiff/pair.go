package imgdiff

import (
	"bytes"

	"afterimage/imgdiff/internal/pngrows"
)

// pair is two pictures laid over each other at their top left corners.
//
// Its rows are compared before their filters are taken off: where a filtered
// row and the row above are equal in both pictures, the pixels are equal.
// Equal rows exist once; the after picture borrows them from the before
// picture, which matters because the filters of later rows may need them.
type pair struct {
	effort        *effort
	a, b          *picture
	width, height int  // the overlap
	shared        bool // rows are equally long, so equal ones can be borrowed

	alike []bool // the filtered rows are equal
	anew  []bool // the rows need no row above in either file
	equal []bool // the pixels of the overlap are equal
	// segments are where rows begin that need no row above in either
	// picture; the work on one segment is independent of the others.
	segments []int
}

// segmentRows is the least height of a segment.
const segmentRows = 64

// bandRows is how many rows are handled at a time.
const bandRows = 64

// newPair lays two pictures over each other, which have equally many bytes a
// pixel, and compares their rows as they stand in the files.
func newPair(e *effort, a, b *picture) *pair {
	p := &pair{effort: e, a: a, b: b, width: min(a.width, b.width), height: min(a.height, b.height), shared: a.width == b.width}
	flags := make([]bool, 3*p.height)
	p.alike, p.anew, p.equal = flags[:p.height], flags[p.height:2*p.height], flags[2*p.height:]
	p.compareFiltered()
	return p
}

// before is a finished row of the before picture.
func (p *pair) before(y int) []byte { return p.a.row(y) }

// after is a finished row of the after picture.
func (p *pair) after(y int) []byte {
	if p.shared && p.equal[y] {
		return p.a.row(y)
	}
	return p.b.row(y)
}

// compareRows finds the equal rows, and finishes every row that a changed
// row's neighbourhood needs.
func (p *pair) compareRows() {
	p.findSegments()
	if len(p.segments) == 2 && p.mostDiffer() {
		p.settleWhole()
		return
	}
	p.inSegments(p.settle)
	need := neededRows(p.equal)
	p.inSegments(func(first, end int) {
		for y := first; y < end; y++ {
			p.effort.check()
			if need[y] {
				p.a.finish(y)
				p.finishAfter(y)
			}
		}
	})
}

// compareFiltered compares the rows as they stand in the files.
func (p *pair) compareFiltered() {
	bands := (p.height + bandRows - 1) / bandRows
	p.effort.inBands(bands, func(band int) {
		for y := band * bandRows; y < min((band+1)*bandRows, p.height); y++ {
			p.alike[y] = p.shared && bytes.Equal(p.a.stored(y), p.b.stored(y))
			p.anew[y] = !pngrows.NeedsAbove(p.a.filter(y)) && !pngrows.NeedsAbove(p.b.filter(y))
		}
	})
}

// findSegments divides the rows where both pictures can be read anew.
func (p *pair) findSegments() {
	p.segments = append(p.segments[:0], 0)
	for y := segmentRows; y < p.height; y++ {
		if p.anew[y] {
			p.segments = append(p.segments, y)
			y += segmentRows - 1
		}
	}
	p.segments = append(p.segments, p.height)
}

// inSegments works on all segments, on all cores.
func (p *pair) inSegments(work func(first, end int)) {
	p.effort.inBands(len(p.segments)-1, func(i int) { work(p.segments[i], p.segments[i+1]) })
}

// mostDiffer reports whether most filtered rows differ.
func (p *pair) mostDiffer() bool {
	alike := 0
	for _, same := range p.alike {
		if same {
			alike++
		}
	}
	return 2*alike < p.height
}

// settleWhole finishes all rows, each picture on a core of its own, and
// decides for all rows whether they are equal. It is for files whose every
// row needs the row above, such as those that Chromium writes in a hurry.
func (p *pair) settleWhole() {
	p.effort.inBands(2, func(i int) { []*picture{p.a, p.b}[i].finishRows(p.effort, span{0, p.height}) })
	n := p.width * p.a.bpp
	p.effort.inBands((p.height+bandRows-1)/bandRows, func(band int) {
		for y := band * bandRows; y < min((band+1)*bandRows, p.height); y++ {
			p.equal[y] = bytes.Equal(p.a.row(y)[:n], p.b.row(y)[:n])
		}
	})
}

// settle decides for the rows of one segment whether they are equal.
func (p *pair) settle(first, end int) {
	n := p.width * p.a.bpp
	for y := first; y < end; y++ {
		p.effort.check()
		if p.alike[y] && (p.anew[y] || y == 0 || p.equal[y-1]) {
			p.equal[y] = true
			continue
		}
		p.a.finish(y)
		p.finishAfter(y)
		p.equal[y] = bytes.Equal(p.a.row(y)[:n], p.b.row(y)[:n])
	}
}

// finishAfter takes the filter off row y of the after picture. Where rows
// above are equal it starts from the before picture's.
func (p *pair) finishAfter(y int) {
	if !p.shared {
		p.b.finish(y)
		return
	}
	if p.equal[y] || p.b.finished(y) {
		return
	}
	first := y
	for first > 0 && pngrows.NeedsAbove(p.b.filter(first)) && !p.equal[first-1] && !p.b.finished(first-1) {
		first--
	}
	for ; first <= y; first++ {
		above := p.b.above(first)
		// Rows that need none above may begin a segment: the row above
		// belongs to somebody else then.
		if first > 0 && pngrows.NeedsAbove(p.b.filter(first)) && p.equal[first-1] {
			p.a.finish(first - 1)
			above = p.a.row(first - 1)
		}
		p.b.unfilter(first, above)
	}
}

// neededRows marks the rows whose pixels are looked at when only some are
// equal: those that the anti-aliasing test of a changed row looks at, and all
// rows of its cells.
func neededRows(equal []bool) []bool {
	need := make([]bool, len(equal))
	for y, same := range equal {
		if same {
			continue
		}
		first, last := min(y-2, y&^(cellSide-1)), max(y+2, y|(cellSide-1))
		for i := max(first, 0); i <= min(last, len(equal)-1); i++ {
			need[i] = true
		}
	}
	return need
}
