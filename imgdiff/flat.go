package imgdiff

import "encoding/binary"

// flatBandRows is how many rows one flatMap can answer for.
const flatBandRows = 32

// flatMap tells for the pixels of some rows whether they lie in a flat area:
// whether at least three neighbours have their colour. It finds that for whole rows at once, 64 pixels a step, which pays as soon as
// a few dozen pixels of a row are asked for; and most pixels that changed
// have no flat neighbour at all, which rules anti-aliasing out.
//
// Rows are numbered as in the after picture.
type flatMap struct {
	c     *counter
	apart int // what to add for the row of the before picture
	first int // the row that has index 2 below
	words int // a row
	known [flatBandRows + 4]bool
	sames [flatBandRows + 4][2]sameBits
	ready [flatBandRows + 4]bool
	flat  [flatBandRows + 4][2][]uint64 // by picture
	both  [flatBandRows + 4][]uint64
	near  []uint64
}

// sameBits tells of each pixel of a row whether its neighbours to the right,
// below, below right and below left have its colour.
type sameBits struct{ right, below, belowRight, belowLeft []uint64 }

// reset empties the map for flatBandRows rows from the given one.
func (f *flatMap) reset(c *counter, first, apart int) {
	f.c, f.first, f.apart = c, first, apart
	clear(f.known[:])
	clear(f.ready[:])
	if words := (c.width + 63) / 64; words != f.words {
		f.allot(words)
	}
}

// allot divides the memory.
func (f *flatMap) allot(words int) {
	f.words = words
	rest := make([]uint64, (11*len(f.flat)+1)*words)
	take := func() (part []uint64) {
		part, rest = rest[:words:words], rest[words:]
		return part
	}
	for i := range f.flat {
		f.both[i] = take()
		for p := range f.sames[i] {
			f.flat[i][p] = take()
			f.sames[i][p] = sameBits{take(), take(), take(), take()}
		}
	}
	f.near = take()
}

// around returns which pixels of row y have a flat pixel near them or are
// flat themselves. The result is valid until the next call.
func (f *flatMap) around(y int) []uint64 {
	clear(f.near)
	for r := y - 1; r <= y+1; r++ {
		if f.exists(r) {
			for i, word := range f.row(r) {
				f.near[i] |= word
			}
		}
	}
	var before uint64
	for i, word := range f.near {
		wide := word | word<<1 | word>>1 | before>>63
		if i+1 < len(f.near) {
			wide |= f.near[i+1] << 63
		}
		f.near[i], before = wide, word
	}
	return f.near
}

// at reports whether a pixel is flat in both pictures. Its row has been looked at
// by around.
func (f *flatMap) at(x, y int) bool { return f.both[y-f.first+2][x>>6]>>(x&63)&1 != 0 }

// in returns the flat pixels of row y in one picture. The row has been looked
// at by around.
func (f *flatMap) in(picture, y int) []uint64 { return f.flat[y-f.first+2][picture] }

// exists reports whether both pictures have the row.
func (f *flatMap) exists(y int) bool {
	return y >= 0 && y < f.c.b.height && y+f.apart >= 0 && y+f.apart < f.c.a.height
}

// row is the pixels of row y that are flat in both pictures.
func (f *flatMap) row(y int) []uint64 {
	i := y - f.first + 2
	if f.ready[i] {
		return f.both[i]
	}
	f.ready[i] = true
	edgeRow := !f.exists(y-1) || !f.exists(y+1)
	var here, above [2]sameBits
	for p := range here {
		here[p] = f.same(y, p)
		if f.exists(y - 1) {
			above[p] = f.same(y-1, p)
		}
	}
	last := f.words - 1
	for w := range f.both[i] {
		edge := uint64(0)
		if edgeRow {
			edge = ^edge
		}
		if w == 0 {
			edge |= 1
		}
		if w == last {
			edge |= 1 << ((f.c.width - 1) & 63)
		}
		for p := range here {
			f.flat[i][p][w] = here[p].flat(&above[p], w, edge)
		}
		f.both[i][w] = f.flat[i][0][w] & f.flat[i][1][w]
	}
	return f.both[i]
}

// flat finds the pixels of one word that have at least three neighbours of
// their colour, the edge of the picture counting as one.
func (s *sameBits) flat(above *sameBits, w int, edge uint64) uint64 {
	one, two, three := edge, uint64(0), uint64(0)
	add := func(same uint64) {
		three |= two & same
		two |= one & same
		one |= same
	}
	add(s.right[w])
	add(fromLeft(s.right, w))
	add(s.below[w])
	add(s.belowRight[w])
	add(s.belowLeft[w])
	if above.below != nil {
		add(above.below[w])
		add(fromLeft(above.belowRight, w))
		add(fromRight(above.belowLeft, w))
	}
	return three
}

// fromLeft is the bits of the pixels to the left.
func fromLeft(row []uint64, w int) uint64 {
	bits := row[w] << 1
	if w > 0 {
		bits |= row[w-1] >> 63
	}
	return bits
}

// fromRight is the bits of the pixels to the right.
func fromRight(row []uint64, w int) uint64 {
	bits := row[w] >> 1
	if w+1 < len(row) {
		bits |= row[w+1] << 63
	}
	return bits
}

// same compares the pixels of row y with their neighbours, in the before
// picture (0) or the after picture (1).
func (f *flatMap) same(y, picture int) sameBits {
	i := y - f.first + 2
	if !f.known[i] {
		f.known[i] = true
		for p := range f.sames[i] {
			row := f.pixels(y, p)
			below := row
			if f.exists(y + 1) {
				below = f.pixels(y+1, p)
			}
			f.sames[i][p].compare(row, below, f.c.width, f.c.bpp, f.c.a.mask())
			if !f.exists(y + 1) {
				clear(f.sames[i][p].below)
				clear(f.sames[i][p].belowRight)
				clear(f.sames[i][p].belowLeft)
			}
		}
	}
	return f.sames[i][picture]
}

// pixels is row y of one picture.
func (f *flatMap) pixels(y, picture int) []byte {
	switch {
	case picture == 0:
		return f.c.a.row(y + f.apart)
	case f.apart == 0:
		return f.c.pair.after(y)
	}
	return f.c.b.row(y)
}

// compare fills the bits of one row, given the row below.
func (s *sameBits) compare(row, below []byte, width, bpp int, mask uint32) {
	const none = 1 << 40 // no pixel has this colour
	here, under, left := uint64(readPixel(row, 0)&mask), uint64(readPixel(below, 0)&mask), uint64(none)
	at := bpp // of the next pixel
	for w := range s.right {
		n := min(64, width-64*w)
		var right, down, downRight, downLeft uint64
		for x := 64*w + 1; x <= 64*w+n; x++ {
			next, underNext := uint64(none), uint64(none)
			if x < width {
				next, underNext = uint64(readPixel(row, at)&mask), uint64(readPixel(below, at)&mask)
			}
			at += bpp
			// The difference of equal pixels, less one, has the top bit.
			right = right>>1 | (here^next-1)&(1<<63)
			down = down>>1 | (here^under-1)&(1<<63)
			downRight = downRight>>1 | (here^underNext-1)&(1<<63)
			downLeft = downLeft>>1 | (here^left-1)&(1<<63)
			here, left, under = next, under, underNext
		}
		shift := 64 - n
		s.right[w], s.below[w] = right>>shift, down>>shift
		s.belowRight[w], s.belowLeft[w] = downRight>>shift, downLeft>>shift
	}
}

// readPixel reads the word at a byte of a row.
func readPixel(row []byte, at int) uint32 { return binary.LittleEndian.Uint32(row[at : at+4 : at+4]) }
