package imgdiff

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"image"
	"math/bits"
)

// Fingerprint identifies the shape of a change: the mask of changed pixels is dilated by one pixel, cropped to its
// box, reduced to a grid of 16 × 16 cells with four density levels each, and hashed. The same change on two pages
// has the same value, so it can be used as a database key.
type Fingerprint uint64

// String returns the fingerprint as 16 hexadecimal digits.
func (f Fingerprint) String() string { return fmt.Sprintf("%016x", uint64(f)) }

// fingerprintSide is the number of fields on each side.
const fingerprintSide = 16

// fingerprint computes the fingerprint of the pixels of m inside box.
func fingerprint(m *Mask, box image.Rectangle) Fingerprint {
	thick := thicken(m, box)
	side := max(thick.width, thick.height)
	var fields [fingerprintSide * fingerprintSide]byte
	for fy := range fingerprintSide {
		y0, y1 := fieldSpan(fy, side)
		for fx := range fingerprintSide {
			x0, x1 := fieldSpan(fx, side)
			n := thick.CountIn(image.Rect(x0, y0, x1, y1))
			fields[fy*fingerprintSide+fx] = density(n, (x1-x0)*(y1-y0))
		}
	}
	sum := sha256.Sum256(fields[:])
	return Fingerprint(binary.BigEndian.Uint64(sum[:]))
}

// fieldSpan is the pixels of one field along a side; small squares share
// pixels between fields, so that none is empty.
func fieldSpan(field, side int) (first, end int) {
	first = field * side / fingerprintSide
	return first, max((field+1)*side/fingerprintSide, first+1)
}

// density sorts a field into four bins: empty, sparse, half, full.
func density(set, area int) byte {
	switch {
	case set == 0:
		return 0
	case 3*set <= area:
		return 1
	case 3*set <= 2*area:
		return 2
	}
	return 3
}

// thicken cuts a box out of a mask and adds every pixel beside a set one.
func thicken(m *Mask, box image.Rectangle) *Mask {
	cut := NewMask(box.Dx()+2, box.Dy()+2)
	for y := range box.Dy() {
		src := m.row(box.Min.Y + y)
		for x := runEnd(src, box.Min.X, box.Max.X, false); x < box.Max.X; {
			end := runEnd(src, x, box.Max.X, true)
			for dy := range 3 {
				setRun(cut.row(y+dy), x-box.Min.X, end-box.Min.X+2)
			}
			x = runEnd(src, end, box.Max.X, false)
		}
	}
	return cut
}

// bitSpan is the lowest and the highest set bit of a byte that is not 0.
func bitSpan(b uint8) (first, last int) {
	return bits.TrailingZeros8(b), 7 - bits.LeadingZeros8(b)
}
