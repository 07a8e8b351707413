package imgdiff

import (
	"image"
	"math/bits"
)

// Mask is a set of pixels: one bit per pixel, rows padded to whole words. The zero value is empty.
type Mask struct {
	width, height int
	stride        int // words a row
	words         []uint64
}

// NewMask returns an empty mask of the given size in pixels.
func NewMask(width, height int) *Mask {
	width, height = max(width, 0), max(height, 0)
	stride := (width + 63) / 64
	return &Mask{width: width, height: height, stride: stride, words: make([]uint64, stride*height)}
}

// Width is the mask's width in pixels.
func (m *Mask) Width() int { return m.width }

// Height is the mask's height in pixels.
func (m *Mask) Height() int { return m.height }

// At reports whether the pixel is in the mask; pixels outside are not.
func (m *Mask) At(x, y int) bool {
	if m == nil || x < 0 || y < 0 || x >= m.width || y >= m.height {
		return false
	}
	return m.words[y*m.stride+x>>6]>>(x&63)&1 != 0
}

// Set adds one pixel; pixels outside are ignored.
func (m *Mask) Set(x, y int) {
	if x < 0 || y < 0 || x >= m.width || y >= m.height {
		return
	}
	m.words[y*m.stride+x>>6] |= 1 << (x & 63)
}

// SetRect adds the part of a box that is inside.
func (m *Mask) SetRect(box image.Rectangle) {
	box = box.Intersect(image.Rect(0, 0, m.width, m.height))
	for y := box.Min.Y; y < box.Max.Y; y++ {
		setRun(m.row(y), box.Min.X, box.Max.X)
	}
}

// Union adds the pixels of another mask; those outside are ignored.
func (m *Mask) Union(other *Mask) {
	if other == nil {
		return
	}
	for y := range min(m.height, other.height) {
		dst, src := m.row(y), other.row(y)
		n := min(len(dst), len(src))
		for i := range n {
			dst[i] |= src[i]
		}
		if n > 0 && n == len(dst) {
			dst[n-1] &= lastWord(m.width)
		}
	}
}

// Clone returns a copy.
func (m *Mask) Clone() *Mask {
	c := *m
	c.words = append([]uint64(nil), m.words...)
	return &c
}

// Count is the number of pixels in the mask.
func (m *Mask) Count() int {
	n := 0
	for _, w := range m.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// CountIn is the number of pixels of the mask inside a box.
func (m *Mask) CountIn(box image.Rectangle) int {
	box = box.Intersect(image.Rect(0, 0, m.width, m.height))
	n := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		n += countRun(m.row(y), box.Min.X, box.Max.X)
	}
	return n
}

// row is the words of one row.
func (m *Mask) row(y int) []uint64 { return m.words[y*m.stride : (y+1)*m.stride] }

// lastWord is the bits of the last word of a row that belong to pixels.
func lastWord(width int) uint64 {
	if r := width & 63; r != 0 {
		return 1<<r - 1
	}
	return ^uint64(0)
}

// setRun sets the bits x0 … x1-1 of a row.
func setRun(row []uint64, x0, x1 int) {
	if x0 >= x1 {
		return
	}
	first, last := x0>>6, (x1-1)>>6
	head, tail := ^uint64(0)<<(x0&63), lastWord(x1)
	if first == last {
		row[first] |= head & tail
		return
	}
	row[first] |= head
	for i := first + 1; i < last; i++ {
		row[i] = ^uint64(0)
	}
	row[last] |= tail
}

// countRun counts the set bits x0 … x1-1 of a row.
func countRun(row []uint64, x0, x1 int) int {
	if x0 >= x1 {
		return 0
	}
	first, last := x0>>6, (x1-1)>>6
	head, tail := ^uint64(0)<<(x0&63), lastWord(x1)
	if first == last {
		return bits.OnesCount64(row[first] & head & tail)
	}
	n := bits.OnesCount64(row[first]&head) + bits.OnesCount64(row[last]&tail)
	for i := first + 1; i < last; i++ {
		n += bits.OnesCount64(row[i])
	}
	return n
}

// each calls f with every set column of a row, from left to right.
func (m *Mask) each(y int, f func(x int)) {
	for i, word := range m.row(y) {
		for ; word != 0; word &= word - 1 {
			f(i<<6 + bits.TrailingZeros64(word))
		}
	}
}
