package imgdiff

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync"

	"afterimage/imgdiff/internal/pixelmatch"
)

// A row of pixels is looked at in groups of eight: a whole number of words
// for three bytes a pixel and for four.
const groupPixels = 8

// tolerance decides quickly that the colours of two pixels cannot differ by
// more than the threshold: no channel differs by more than a number of
// levels.
type tolerance struct {
	up uint64 // in each 16-bit lane: 0x8000 and the number of levels
}

// newTolerance finds the largest number of levels by which all channels may
// differ without the metric exceeding its limit. The metric is a convex
// function of the differences, so its largest value on a cube of differences
// lies at a corner. Alpha can add as much again as it differs itself.
func newTolerance(limit float64, bpp int) tolerance {
	worst := 0.0
	for _, g := range []float64{-1, 1} {
		for _, b := range []float64{-1, 1} {
			worst = max(worst, pixelmatch.YIQ(1, g, b))
		}
	}
	levels := math.Sqrt(limit / worst)
	if bpp == 4 {
		levels /= 2
	}
	n := uint64(min(max(levels-1e-6, 0), 255)) // rounding must not lift it over
	return tolerance{up: (0x8000 + n) * 0x0001000100010001}
}

const (
	evenBytes = 0x00ff00ff00ff00ff
	laneTops  = 0x8000800080008000
)

// holds reports whether no byte of two words differs by more than the
// tolerance.
func (t tolerance) holds(a, b uint64) bool {
	ae, be := a&evenBytes, b&evenBytes
	ao, bo := a>>8&evenBytes, b>>8&evenBytes
	return (t.up+ae-be)&(t.up+be-ae)&(t.up+ao-bo)&(t.up+bo-ao)&laneTops == laneTops
}

// similar reports whether two groups of pixels cannot differ by more than the
// threshold.
func (t tolerance) similar(a, b []byte) bool {
	for i := 0; i+8 <= len(a) && i+8 <= len(b); i += 8 {
		x, y := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])
		if x != y && !t.holds(x, y) {
			return false
		}
	}
	return true
}

// sink takes what is found in one row.
type sink struct {
	y           int
	changed, aa []uint64 // a row of each mask
	ignored     []uint64 // nil when nothing is ignored
	grid        *grid    // nil when cells are not wanted
}

// workspace is what one worker needs for a band of rows.
type workspace struct {
	found []uint64  // the pixels of a row that differ by more than the threshold
	delta []float64 // and by how much
	flat  flatMap
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// takeWorkspace prepares for flatBandRows rows from the given one of the after
// picture; those of the before picture lie apart further down. Its taker
// puts it back into workspaces.
func takeWorkspace(c *counter, first, apart int) *workspace {
	w := workspaces.Get().(*workspace)
	if cap(w.delta) < c.width {
		w.delta = make([]float64, c.width)
		w.found = make([]uint64, (c.width+63)/64)
	}
	w.delta, w.found = w.delta[:c.width], w.found[:(c.width+63)/64]
	w.flat.reset(c, first, apart)
	return w
}

// release gives the workspace back without what it was used for.
func (w *workspace) release() {
	w.flat.c = nil
	workspaces.Put(w)
}

// compareRow counts the columns first … end-1 of the middle row of a
// neighbourhood.
func (c *counter) compareRow(w *workspace, n *pixelmatch.Neighbourhood, s sink, first, end int) {
	count := c.findDiffering(w, n, s.ignored, first, end)
	if count == 0 {
		return
	}
	if !c.includeAA {
		c.splitAntiAliased(w, n, s, count)
	}
	for i, word := range w.found {
		s.changed[i] |= word
		for ; s.grid != nil && word != 0; word &= word - 1 {
			x := i<<6 + bits.TrailingZeros64(word)
			s.grid.add(x, s.y, w.delta[x])
		}
	}
}

// findDiffering notes the pixels that differ by more than the threshold and
// are not ignored, and returns how many there are.
func (c *counter) findDiffering(w *workspace, n *pixelmatch.Neighbourhood, ignored []uint64, first, end int) (count int) {
	clear(w.found)
	rowA, rowB := n.Before[2], n.After[2]
	groupBytes := groupPixels * n.Bpp
	for x0 := first; x0 < end; x0 += groupPixels {
		x1 := x0 + groupPixels
		if x1 > end {
			x1 = end
		} else if at := x0 * n.Bpp; c.tolerance.similar(rowA[at:at+groupBytes], rowB[at:at+groupBytes]) {
			continue
		}
		for x := x0; x < x1; x++ {
			a, b := n.Pixel(rowA, x), n.Pixel(rowB, x)
			if a == b {
				continue
			}
			delta := c.delta(a, b, x, n.Y)
			if delta <= c.limit || len(ignored) != 0 && ignored[x>>6]>>(x&63)&1 != 0 {
				continue
			}
			w.found[x>>6] |= 1 << (x & 63)
			w.delta[x] = delta
			count++
		}
	}
	return count
}

// flatWorth is from how many pixels of a row on it pays to find out for the
// whole row which pixels are flat.
const flatWorth = 48

// splitAntiAliased takes the pixels that look like anti-aliasing out of those
// found.
func (c *counter) splitAntiAliased(w *workspace, n *pixelmatch.Neighbourhood, s sink, count int) {
	if count >= flatWorth {
		w.splitAntiAliased(n, s)
		return
	}
	for i, word := range w.found {
		for ; word != 0; word &= word - 1 {
			if n.Antialiased(i<<6 + bits.TrailingZeros64(word)) {
				w.found[i] &^= word & -word
				s.aa[i] |= word & -word
			}
		}
	}
}

// splitAntiAliased does the same with the flat pixels of the row known: a
// pixel that has none near it, or is one itself, need not be looked at.
func (w *workspace) splitAntiAliased(n *pixelmatch.Neighbourhood, s sink) {
	near := w.flat.around(s.y)
	flatBefore, flatAfter := w.flat.in(0, s.y), w.flat.in(1, s.y)
	for i, word := range w.found {
		word &= near[i]
		inBefore, inAfter := word&^flatBefore[i], word&^flatAfter[i]
		for word = inBefore | inAfter; word != 0; word &= word - 1 {
			bit := word & -word
			x := i<<6 + bits.TrailingZeros64(word)
			if inBefore&bit != 0 && w.slope(n, &n.Before, s.y, x) || inAfter&bit != 0 && w.slope(n, &n.After, s.y, x) {
				w.found[i] &^= bit
				s.aa[i] |= bit
			}
		}
	}
}

// slope is the test of neighbourhood.slope for a pixel that is not flat.
func (w *workspace) slope(n *pixelmatch.Neighbourhood, rows *[5][]byte, y, x int) bool {
	var s pixelmatch.Steps
	return s.Find(n, rows, x) && (w.flat.at(s.DownX, y+s.DownRow-2) || w.flat.at(s.UpX, y+s.UpRow-2))
}

// delta is the metric between two pixels at one place.
func (c *counter) delta(a, b uint32, x, y int) float64 {
	if c.bpp == 4 && a&b < pixelmatch.Opaque {
		return pixelmatch.DeltaBlended(a, b, 4*(y*c.width+x))
	}
	return pixelmatch.Delta(a, b)
}
