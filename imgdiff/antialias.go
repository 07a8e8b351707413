package imgdiff

import "encoding/binary"

// neighbourhood is what the anti-aliasing test may look at around one row:
// the rows y-2 … y+2 of both pictures, nil where outside. Each row holds at
// least one byte more than its pixels, so that three-byte pixels can be read
// as words.
type neighbourhood struct {
	before, after [5][]byte
	y             int
	width, height int
	bpp           int    // bytes a pixel, 3 or 4
	mask          uint32 // the bits of a read word that belong to the pixel
}

// pixel reads pixel x of a row.
func (n *neighbourhood) pixel(row []byte, x int) uint32 {
	return binary.LittleEndian.Uint32(row[x*n.bpp:]) & n.mask
}

// antialiased tells whether the pixel at column x of the middle row looks
// like anti-aliasing in either picture, by the test of pixelmatch 7.2.0,
// which follows "Anti-aliased Pixel and Intensity Slope Detector"
// (V. Vysniauskas, 2009).
func (n *neighbourhood) antialiased(x int) bool {
	return n.slope(&n.before, x) || n.slope(&n.after, x)
}

// slope tests one picture: few equal neighbours, a darker and a brighter
// one, and the darkest or the brightest lies in a flat area in both pictures.
func (n *neighbourhood) slope(rows *[5][]byte, x int) bool {
	x0, x2 := max(x-1, 0), min(x+1, n.width-1)
	r0, r2 := n.rowRange(2)
	equal := 0
	if x == x0 || x == x2 || r0 == 2 || r2 == 2 {
		equal = 1
	}
	centre := n.pixel(rows[2], x)

	// Equal neighbours alone decide most pixels, without any arithmetic.
	alike := equal
	for r := r0; r <= r2; r++ {
		row := rows[r]
		for nx := x0; nx <= x2; nx++ {
			if n.pixel(row, nx) == centre {
				alike++
			}
		}
	}
	if alike-1 > 2 { // the centre met itself
		return false
	}

	var lo, hi float64
	var loX, loR, hiX, hiR int
	for nx := x0; nx <= x2; nx++ {
		for r := r0; r <= r2; r++ {
			if nx == x && r == 2 {
				continue
			}
			d := n.step(centre, n.pixel(rows[r], nx), x)
			switch {
			case d == 0:
				equal++
				if equal > 2 {
					return false
				}
			case d < lo:
				lo, loX, loR = d, nx, r
			case d > hi:
				hi, hiX, hiR = d, nx, r
			}
		}
	}
	if lo == 0 || hi == 0 {
		return false
	}
	return n.flat(&n.before, loX, loR) && n.flat(&n.after, loX, loR) ||
		n.flat(&n.before, hiX, hiR) && n.flat(&n.after, hiX, hiR)
}

// step is the brightness step from the centre pixel at column x to a
// neighbour.
func (n *neighbourhood) step(centre, neighbour uint32, x int) float64 {
	if centre == neighbour {
		return 0
	}
	if n.bpp == 4 && centre&neighbour < opaque {
		return brightnessBlended(centre, neighbour, 4*(n.y*n.width+x))
	}
	return brightness(centre, neighbour)
}

// flat tells whether a pixel has at least three neighbours of its own colour,
// the edge of the picture counting as one. r is an index into rows.
func (n *neighbourhood) flat(rows *[5][]byte, x, r int) bool {
	x0, x2 := max(x-1, 0), min(x+1, n.width-1)
	r0, r2 := n.rowRange(r)
	equal := 0
	if x == x0 || x == x2 || r0 == r || r2 == r {
		equal = 1
	}
	centre := n.pixel(rows[r], x)
	for i := r0; i <= r2; i++ {
		row := rows[i]
		for nx := x0; nx <= x2; nx++ {
			if n.pixel(row, nx) == centre {
				equal++
			}
		}
	}
	return equal-1 > 2 // the centre met itself
}

// rowRange is the index range of the rows adjacent to row index r that lie
// inside the picture.
func (n *neighbourhood) rowRange(r int) (first, last int) {
	first, last = r-1, r+1
	if n.y+first-2 < 0 {
		first = r
	}
	if n.y+last-2 >= n.height {
		last = r
	}
	return first, last
}
