package pngrows

import (
	"encoding/binary"
	"fmt"
)

// Filter types of a row (PNG specification, 9.2).
const (
	FilterNone    = 0
	FilterSub     = 1
	FilterUp      = 2
	FilterAverage = 3
	FilterPaeth   = 4
)

// NeedsAbove reports whether a row with this filter is read from the row above
// it. Unknown filters do not.
func NeedsAbove(filter byte) bool { return filter >= FilterUp && filter <= FilterPaeth }

// CheckFilter refuses a filter type that does not exist.
func CheckFilter(filter byte) error {
	if filter > FilterPaeth {
		return fmt.Errorf("%w: a row has filter type %d", ErrCorrupt, filter)
	}
	return nil
}

// Unfilter takes the filter off a row in place. above is the finished row
// above it, all zeros for the first row; both have the same length. bpp is
// the bytes a pixel, or 1 where a byte holds several.
func Unfilter(filter byte, row, above []byte, bpp int) {
	above = above[:len(row)]
	switch filter {
	case FilterSub, FilterPaeth:
		if bpp != 3 && bpp != 4 {
			unfilterPlainly(filter, row, above, bpp)
			return
		}
	}
	switch filter {
	case FilterSub:
		unfilterSub(row, bpp)
	case FilterUp:
		AddUp(row, above)
	case FilterAverage:
		unfilterAverage(row, above, bpp)
	case FilterPaeth:
		unfilterPaeth(row, above, bpp)
	}
}

// lowBits masks all but the top bit of eight bytes. It is a variable so that
// it stays in a register; the compiler would load a constant again for every
// word.
var lowBits uint64 = 0x7f7f7f7f7f7f7f7f

// addBytes adds eight bytes each, without carries between them.
func addBytes(x, y, low uint64) uint64 {
	return (x&low + y&low) ^ (x^y)&^low
}

// AddUp adds the bytes of another row of the same length.
func AddUp(row, above []byte) {
	low := lowBits
	i := 0
	for ; i+32 <= len(row); i += 32 {
		r, a := (*[32]byte)(row[i:]), (*[32]byte)(above[i:])
		r0, r1 := binary.LittleEndian.Uint64(r[0:]), binary.LittleEndian.Uint64(r[8:])
		r2, r3 := binary.LittleEndian.Uint64(r[16:]), binary.LittleEndian.Uint64(r[24:])
		if r0|r1|r2|r3 == 0 {
			*r = *a
			continue
		}
		binary.LittleEndian.PutUint64(r[0:], addBytes(r0, binary.LittleEndian.Uint64(a[0:]), low))
		binary.LittleEndian.PutUint64(r[8:], addBytes(r1, binary.LittleEndian.Uint64(a[8:]), low))
		binary.LittleEndian.PutUint64(r[16:], addBytes(r2, binary.LittleEndian.Uint64(a[16:]), low))
		binary.LittleEndian.PutUint64(r[24:], addBytes(r3, binary.LittleEndian.Uint64(a[24:]), low))
	}
	for ; i < len(row); i++ {
		row[i] += above[i]
	}
}

// unfilterSub adds the pixel to the left.
func unfilterSub(row []byte, bpp int) {
	if bpp == 4 {
		var left uint64
		for i := 0; i+4 <= len(row); i += 4 {
			left = addBytes(left, uint64(binary.LittleEndian.Uint32(row[i:])), lowBits)
			binary.LittleEndian.PutUint32(row[i:], uint32(left))
		}
		return
	}
	var r, g, b byte
	for i := 0; i+3 <= len(row); i += 3 {
		p := (*[3]byte)(row[i:])
		r += p[0]
		g += p[1]
		b += p[2]
		p[0], p[1], p[2] = r, g, b
	}
}

// unfilterAverage adds the mean of the pixels to the left and above.
func unfilterAverage(row, above []byte, bpp int) {
	for i := range min(bpp, len(row)) {
		row[i] += above[i] / 2
	}
	for i := bpp; i < len(row); i++ {
		row[i] += byte((int(row[i-bpp]) + int(above[i])) / 2)
	}
}

// unfilterPaeth adds the one of the pixels to the left, above and above left
// that is closest to their linear prediction (A. Paeth, 1991).
//
// Where the pixel to the left equals the one above left, the prediction is
// the pixel above. So once a pixel equals the one above it, zeros repeat the
// row above, whatever that is: flat areas are copied.
func unfilterPaeth(row, above []byte, bpp int) {
	for i := range min(bpp, len(row)) {
		row[i] += above[i]
	}
	for i := bpp; i+bpp <= len(row); {
		if i+8 <= len(row) && binary.LittleEndian.Uint64(row[i:]) == 0 && same(row, above, i-bpp, bpp) {
			i = copyZeros(row, above, i, bpp)
			continue
		}
		if bpp == 3 {
			i = paeth3(row, above, i)
		} else {
			i = paeth4(row, above, i)
		}
	}
}

// same reports whether the pixel at byte i of two rows is equal.
func same(row, above []byte, i, bpp int) bool {
	if bpp == 3 {
		return row[i] == above[i] && row[i+1] == above[i+1] && row[i+2] == above[i+2]
	}
	return binary.LittleEndian.Uint32(row[i:]) == binary.LittleEndian.Uint32(above[i:])
}

// copyZeros copies from the row above for as long as the filtered row is
// zero, and returns the first byte of the pixel where it stopped.
func copyZeros(row, above []byte, i, bpp int) int {
	start := i
	for i+8 <= len(row) && binary.LittleEndian.Uint64(row[i:]) == 0 {
		i += 8
	}
	i = start + (i-start)/bpp*bpp
	copy(row[start:i], above[start:i])
	return i
}

// paethRun is how many bytes are predicted before looking for zeros again.
const paethRun = 96

// paeth3 reads a run of pixels of three bytes from byte i and returns where
// it stopped.
func paeth3(row, above []byte, i int) int {
	end := min(i+paethRun, len(row))
	l, c := (*[3]byte)(row[i-3:]), (*[3]byte)(above[i-3:])
	l0, l1, l2 := int32(l[0]), int32(l[1]), int32(l[2])
	c0, c1, c2 := int32(c[0]), int32(c[1]), int32(c[2])
	for ; i+3 <= end; i += 3 {
		p, u := (*[3]byte)(row[i:]), (*[3]byte)(above[i:])
		u0, u1, u2 := int32(u[0]), int32(u[1]), int32(u[2])
		l0 = (predict(l0, u0, c0) + int32(p[0])) & 0xff
		l1 = (predict(l1, u1, c1) + int32(p[1])) & 0xff
		l2 = (predict(l2, u2, c2) + int32(p[2])) & 0xff
		p[0], p[1], p[2] = byte(l0), byte(l1), byte(l2)
		c0, c1, c2 = u0, u1, u2
	}
	return i
}

// paeth4 is paeth3 for pixels of four bytes.
func paeth4(row, above []byte, i int) int {
	end := min(i+paethRun, len(row))
	l, c := (*[4]byte)(row[i-4:]), (*[4]byte)(above[i-4:])
	l0, l1, l2, l3 := int32(l[0]), int32(l[1]), int32(l[2]), int32(l[3])
	c0, c1, c2, c3 := int32(c[0]), int32(c[1]), int32(c[2]), int32(c[3])
	for ; i+4 <= end; i += 4 {
		p, u := (*[4]byte)(row[i:]), (*[4]byte)(above[i:])
		u0, u1, u2, u3 := int32(u[0]), int32(u[1]), int32(u[2]), int32(u[3])
		l0 = (predict(l0, u0, c0) + int32(p[0])) & 0xff
		l1 = (predict(l1, u1, c1) + int32(p[1])) & 0xff
		l2 = (predict(l2, u2, c2) + int32(p[2])) & 0xff
		l3 = (predict(l3, u3, c3) + int32(p[3])) & 0xff
		p[0], p[1], p[2], p[3] = byte(l0), byte(l1), byte(l2), byte(l3)
		c0, c1, c2, c3 = u0, u1, u2, u3
	}
	return i
}

// predict is Paeth's choice between left, up and corner, in the form found by
// F. Giesen (stb_image), which needs no absolute values: the corner lies
// between the others, or one of them is the choice. The compiler makes it
// free of branches.
func predict(left, up, corner int32) int32 {
	bound := 3*corner - up - left
	low, high := min(left, up), max(left, up)
	if high <= bound {
		corner = low
	}
	if bound <= low {
		corner = high
	}
	return corner
}

// unfilterPlainly adds the prediction of Sub or Paeth in pixels of any size, as the specification writes it.
func unfilterPlainly(filter byte, row, above []byte, bpp int) {
	for i := range row {
		var left, corner int32
		if i >= bpp {
			left, corner = int32(row[i-bpp]), int32(above[i-bpp])
		}
		if filter == FilterPaeth {
			left = predict(left, int32(above[i]), corner)
		}
		row[i] += byte(left)
	}
}
