package imgdiff

import (
	"context"
	"image"
	"math/bits"

	"afterimage/imgdiff/internal/pixelmatch"
)

// Displaced compares parts of both retained images that are at other places in each. It must not be used after the result was
// released, or concurrently.
type Displaced struct {
	a, b   *picture
	limit  float64
	effort *effort
}

// Displaced returns what compares the retained images at other places; nil if they were not retained, see Options.Keep.
func (r *Result) Displaced() *Displaced {
	a, b := r.kept[Before], r.kept[After]
	if a == nil || b == nil || a.bpp != b.bpp {
		return nil
	}
	return &Displaced{a: a, b: b, limit: r.limit, effort: newEffort(context.Background())}
}

// Bind makes the work end when the context does.
func (d *Displaced) Bind(ctx context.Context) { d.effort = newEffort(ctx) }

// Clear removes from a mask those of its pixels within a box of the after image that are as they were before the displacement:
// equal up to the threshold of the comparison, or different as anti-aliasing may be. Pixels that are not in the other mask are left
// alone. It returns how many pixels it looked at. The error is that of the context.
func (d *Displaced) Clear(m, within *Mask, box image.Rectangle, by image.Point) (seen int, err error) {
	defer finish(&err)
	box = box.Intersect(image.Rect(0, 0, min(m.width, d.b.width), min(m.height, d.b.height)))
	columns := image.Rect(max(0, by.X), 0, min(d.b.width, d.a.width+by.X), 1) // of the after image
	for y := box.Min.Y; y < box.Max.Y; y++ {
		was := y - by.Y
		if was < 0 || was >= d.a.height || columns.Empty() {
			continue
		}
		seen += d.row(m, within, y, was, box, columns, by.X)
	}
	return seen, nil
}

// Differs reports whether any pixel of a box of the after image is not as it was before the displacement, or was outside of the before
// image. The error is that of the context.
func (d *Displaced) Differs(box image.Rectangle, by image.Point) (differs bool, err error) {
	defer finish(&err)
	box = box.Intersect(image.Rect(0, 0, d.b.width, d.b.height))
	columns := image.Rect(max(0, by.X), 0, min(d.b.width, d.a.width+by.X), 1) // of the after image
	for y := box.Min.Y; y < box.Max.Y; y++ {
		d.effort.check()
		was := y - by.Y
		if was < 0 || was >= d.a.height || box.Min.X < columns.Min.X || box.Max.X > columns.Max.X {
			return true, nil
		}
		n := d.around(y, was, columns, by.X)
		for x := box.Min.X; x < box.Max.X; x++ {
			if !d.alike(n, x-columns.Min.X) {
				return true, nil
			}
		}
	}
	return false, nil
}

func (d *Displaced) row(m, within *Mask, y, was int, box, columns image.Rectangle, dx int) (seen int) {
	row, other := m.row(y), within.row(y)
	x0, x1 := max(box.Min.X, columns.Min.X), min(box.Max.X, columns.Max.X)
	if countRun(row, x0, x1) == 0 {
		return 0
	}
	d.effort.check()
	n := d.around(y, was, columns, dx)
	for i := x0 >> 6; i <= (x1-1)>>6; i++ {
		for word := row[i] & other[i]; word != 0; word &= word - 1 {
			x := i<<6 + bits.TrailingZeros64(word)
			if x < x0 || x >= x1 {
				continue
			}
			seen++
			if d.alike(n, x-columns.Min.X) {
				row[i] &^= word & -word
			}
		}
	}
	return seen
}

// alike reports whether the pixel at a column of the middle row is as it was.
func (d *Displaced) alike(n *pixelmatch.Neighbourhood, x int) bool {
	was, is := n.Pixel(n.Before[2], x), n.Pixel(n.After[2], x)
	if was == is {
		return true
	}
	if n.Bpp == 4 && was&is < pixelmatch.Opaque {
		return false
	}
	return pixelmatch.Delta(was, is) <= d.limit || n.Antialiased(x)
}

// around gathers the rows around a row of each image, laid over each other with the displacement.
func (d *Displaced) around(y, was int, columns image.Rectangle, dx int) *pixelmatch.Neighbourhood {
	n := &pixelmatch.Neighbourhood{Y: y, Width: columns.Dx(), Bpp: d.a.bpp, Mask: d.a.mask(),
		First: max(0, 2-was, 2-y), Last: min(4, d.a.height+1-was, d.b.height+1-y)}
	for i := n.First; i <= n.Last; i++ {
		d.a.finish(was + i - 2)
		d.b.finish(y + i - 2)
		n.Before[i] = d.a.row(was + i - 2)[(columns.Min.X-dx)*d.a.bpp:]
		n.After[i] = d.b.row(y + i - 2)[columns.Min.X*d.b.bpp:]
	}
	return n
}

// Even reports whether all pixels of a box of an image have one colour. It is false for a box without pixels.
func (d *Displaced) Even(side Side, box image.Rectangle) bool {
	p := [2]*picture{d.a, d.b}[side]
	box = box.Intersect(image.Rect(0, 0, p.width, p.height))
	if box.Empty() {
		return false
	}
	n := &pixelmatch.Neighbourhood{Bpp: p.bpp, Mask: p.mask()}
	p.finish(box.Min.Y)
	colour := n.Pixel(p.row(box.Min.Y), box.Min.X)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		p.finish(y)
		row := p.row(y)
		for x := box.Min.X; x < box.Max.X; x++ {
			if n.Pixel(row, x) != colour {
				return false
			}
		}
	}
	return true
}

// Behind reports whether the pixels of a mask within a box of the after image differ from those before the displacement as far as a colour
// behind them that shines through does: each has changed by a part of the change of that colour, up to rounding.
func (d *Displaced) Behind(m *Mask, box image.Rectangle, by image.Point, was, is [3]uint8) bool {
	box = box.Intersect(image.Rect(0, 0, min(m.width, d.b.width), min(m.height, d.b.height)))
	for y := box.Min.Y; y < box.Max.Y; y++ {
		behind := true
		if y-by.Y < 0 || y-by.Y >= d.a.height {
			return countRun(m.row(y), box.Min.X, box.Max.X) == 0
		}
		d.a.finish(y - by.Y)
		d.b.finish(y)
		before, after := d.a.row(y-by.Y), d.b.row(y)
		m.each(y, func(x int) {
			if x < box.Min.X || x >= box.Max.X || !behind {
				return
			}
			from := x - by.X
			behind = from >= 0 && from < d.a.width && shines(before[from*d.a.bpp:], after[x*d.b.bpp:], was, is)
		})
		if !behind {
			return false
		}
	}
	return true
}

// shinesUpTo is by how much a channel may be off.
const shinesUpTo = 6

// shines reports whether a pixel changed by a part of the change of a colour behind it.
func shines(before, after []byte, was, is [3]uint8) bool {
	along, length := 0.0, 0.0
	for i := range was {
		full := float64(is[i]) - float64(was[i])
		along += full * (float64(after[i]) - float64(before[i]))
		length += full * full
	}
	if length == 0 {
		return false
	}
	part := along / length
	if part < -0.05 || part > 1.05 {
		return false
	}
	for i := range was {
		expected := part * (float64(is[i]) - float64(was[i]))
		if off := float64(after[i]) - float64(before[i]) - expected; off > shinesUpTo || off < -shinesUpTo {
			return false
		}
	}
	return true
}

// Redrawn reports whether the pixels of a mask within a box of the after image differ from those before the displacement only as edges
// do that are drawn anew: each lies, in every channel, within what is around it in the other image.
func (d *Displaced) Redrawn(m *Mask, box image.Rectangle, by image.Point) bool {
	box = box.Intersect(image.Rect(0, 0, min(m.width, d.b.width), min(m.height, d.b.height)))
	columns := image.Rect(max(0, by.X), 0, min(d.b.width, d.a.width+by.X), 1) // of the after image
	for y := box.Min.Y; y < box.Max.Y; y++ {
		was := y - by.Y
		switch {
		case countRun(m.row(y), box.Min.X, box.Max.X) == 0:
			continue
		case was < 0 || was >= d.a.height || columns.Empty():
			return false
		}
		redrawn, n := true, d.around(y, was, columns, by.X)
		m.each(y, func(x int) {
			if x < box.Min.X || x >= box.Max.X || !redrawn {
				return
			}
			column := x - columns.Min.X
			redrawn = column >= 0 && column < n.Width && n.Encloses(&n.Before, column, n.Pixel(n.After[2], column)) &&
				n.Encloses(&n.After, column, n.Pixel(n.Before[2], column))
		})
		if !redrawn {
			return false
		}
	}
	return true
}

// Box is the smallest box around the mask's pixels within a box; empty for none.
func (m *Mask) Box(within image.Rectangle) image.Rectangle {
	within = within.Intersect(image.Rect(0, 0, m.width, m.height))
	var found image.Rectangle
	for y := within.Min.Y; y < within.Max.Y; y++ {
		row := m.row(y)
		first, last := firstIn(row, within.Min.X, within.Max.X), lastIn(row, within.Min.X, within.Max.X)
		if first >= 0 {
			found = found.Union(image.Rect(first, y, last+1, y+1))
		}
	}
	return found
}

// firstIn is the first set bit of x0 … x1-1 of a row, -1 for none.
func firstIn(row []uint64, x0, x1 int) int {
	for i := x0 >> 6; x0 < x1 && i <= (x1-1)>>6; i++ {
		if word := cutWord(row[i], i, x0, x1); word != 0 {
			return i<<6 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

// lastIn is the last set bit of x0 … x1-1 of a row, -1 for none.
func lastIn(row []uint64, x0, x1 int) int {
	for i := (x1 - 1) >> 6; x0 < x1 && i >= x0>>6; i-- {
		if word := cutWord(row[i], i, x0, x1); word != 0 {
			return i<<6 + 63 - bits.LeadingZeros64(word)
		}
	}
	return -1
}

// cutWord is a word of a row without the bits outside of x0 … x1-1.
func cutWord(word uint64, i, x0, x1 int) uint64 {
	if i == x0>>6 {
		word &= ^uint64(0) << (x0 & 63)
	}
	if i == (x1-1)>>6 {
		word &= lastWord(x1)
	}
	return word
}

// Take moves the pixels of a box from the mask to another one of the same size, and returns how many these are.
func (m *Mask) Take(to *Mask, box image.Rectangle) int {
	box = box.Intersect(image.Rect(0, 0, m.width, m.height))
	moved := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		from, into := m.row(y), to.row(y)
		for i := box.Min.X >> 6; i <= (box.Max.X-1)>>6; i++ {
			word := cutWord(from[i], i, box.Min.X, box.Max.X)
			moved += bits.OnesCount64(word)
			into[i] |= word
			from[i] &^= word
		}
	}
	return moved
}

// OutOfOrder is the area of the moved bands as a percentage of the union: rows that are in both images, in another order. Between
// aligned rows they differ by nothing, so AlignedPercent does not count them; both together never exceed Percent.
func (r *Result) OutOfOrder() float64 {
	moved := 0
	for _, b := range r.Bands {
		if b.Kind == BandMoved {
			moved += b.Rows * (b.X1 - b.X0)
		}
	}
	return min(percentOf(moved, r.Width, r.Height), r.Percent-r.AlignedPercent)
}

// CountOutside is the number of pixels of the mask inside a box and outside of all others.
func (m *Mask) CountOutside(box image.Rectangle, others []image.Rectangle) int {
	box = box.Intersect(image.Rect(0, 0, m.width, m.height))
	rows, n := make([]uint64, m.stride), 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		copy(rows, m.row(y))
		for _, other := range others {
			if y >= other.Min.Y && y < other.Max.Y {
				clearRun(rows, max(other.Min.X, 0), min(other.Max.X, m.width))
			}
		}
		n += countRun(rows, box.Min.X, box.Max.X)
	}
	return n
}

// FingerprintIn is equal for equal shapes of the mask's pixels in boxes of equal size.
func (m *Mask) FingerprintIn(box image.Rectangle) Fingerprint { return fingerprint(m, box) }
