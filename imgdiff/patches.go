package imgdiff

import (
	"context"
	"image"
	"math/bits"
)

// Patch is a cluster of the pixels of a mask: pixels further apart than two cells of 8 × 8 pixels are in different patches.
// Unlike regions, patches are neither merged nor dropped.
type Patch struct {
	Box         image.Rectangle // the smallest box around the pixels
	Pixels      int
	Fingerprint Fingerprint // of their shape
}

// Patches lists the clusters of the mask's pixels, those of most pixels first, at most a given number of them. Omitted and
// OmittedPixels count the others. The time is linear in the size of the mask. The error is that of the context.
func (m *Mask) Patches(ctx context.Context, most int) (found []Patch, omitted, omittedPixels int, err error) {
	defer finish(&err)
	e := newEffort(ctx)
	g := m.grid(e)
	clusters := connect(e, g)
	sortByWeight(clusters)
	for i, k := range clusters {
		if i >= most {
			omitted++
			omittedPixels += k.pixels
			continue
		}
		e.check()
		box := exactBox(k.cells, g, m)
		found = append(found, Patch{Box: box, Pixels: k.pixels, Fingerprint: fingerprint(m, box)})
	}
	return found, omitted, omittedPixels, nil
}

// grid counts the mask's pixels by cell; all of them weigh the same.
func (m *Mask) grid(e *effort) *grid {
	g := newGrid(m.width, m.height)
	for y := range m.height {
		e.check()
		cells := g.pixels[y>>cellShift*g.columns:][:g.columns]
		for i, word := range m.row(y) {
			for word != 0 {
				x := bits.TrailingZeros64(word) &^ (cellSide - 1) // where its first cell with pixels begins
				cell := word & ((1<<cellSide - 1) << x)
				cells[(i<<6+x)>>cellShift] += uint16(bits.OnesCount64(cell))
				word &^= cell
			}
		}
	}
	for i, n := range g.pixels {
		g.delta[i] = float32(n)
	}
	return g
}

// ClearRect removes the pixels inside a box.
func (m *Mask) ClearRect(box image.Rectangle) {
	box = box.Intersect(image.Rect(0, 0, m.width, m.height))
	for y := box.Min.Y; y < box.Max.Y; y++ {
		clearRun(m.row(y), box.Min.X, box.Max.X)
	}
}

// clearRun clears the bits x0 … x1-1 of a row.
func clearRun(row []uint64, x0, x1 int) {
	if x0 >= x1 {
		return
	}
	first, last := x0>>6, (x1-1)>>6
	head, tail := ^uint64(0)<<(x0&63), lastWord(x1)
	if first == last {
		row[first] &^= head & tail
		return
	}
	row[first] &^= head
	clear(row[first+1 : last])
	row[last] &^= tail
}

// RemainingMask returns a copy of the set of changed pixels that still differ between aligned rows, in the after image;
// without rows that moved, of all changed pixels. Inserted and deleted bands are not in it.
func (r *Result) RemainingMask() *Mask {
	m := r.ChangedMask()
	if r.remaining != nil {
		for i := range m.words {
			m.words[i] &= r.remaining.words[i]
		}
	}
	return m
}
