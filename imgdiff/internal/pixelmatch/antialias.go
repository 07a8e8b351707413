package pixelmatch

import "encoding/binary"

// Neighbourhood is what the anti-aliasing test may look at around one row:
// the two rows above and below in both pictures. Each row holds at
// least one byte more than its pixels, so that three-byte pixels can be read
// as words.
type Neighbourhood struct {
	Before, After [5][]byte
	First, Last   int // the indices of the rows that exist in both pictures
	Y             int // of the middle row
	Width         int
	Bpp           int    // bytes a pixel, 3 or 4
	Mask          uint32 // the bits of a read word that belong to the pixel
}

// Pixel reads pixel x of a row.
func (n *Neighbourhood) Pixel(row []byte, x int) uint32 {
	return binary.LittleEndian.Uint32(row[x*n.Bpp:]) & n.Mask
}

// Antialiased reports whether the pixel at column x of the middle row looks
// like anti-aliasing in either picture, by the test of pixelmatch 7.2.0,
// which follows "Anti-aliased Pixel and Intensity Slope Detector"
// (V. Vysniauskas, 2009).
func (n *Neighbourhood) Antialiased(x int) bool {
	return n.slope(&n.Before, x) || n.slope(&n.After, x)
}

// slope tests one picture: few equal neighbours, a darker and a brighter
// one, and the darkest or the brightest lies in a flat area in both pictures.
func (n *Neighbourhood) slope(rows *[5][]byte, x int) bool {
	var s Steps
	return !n.flat(rows, x, 2) && s.Find(n, rows, x) && (n.flat(&n.Before, s.DownX, s.DownRow) && n.flat(&n.After, s.DownX, s.DownRow) ||
		n.flat(&n.Before, s.UpX, s.UpRow) && n.flat(&n.After, s.UpX, s.UpRow))
}

// Steps are the neighbours of a pixel with the largest step in brightness
// down to the pixel and up to it. Rows are indices into a neighbourhood.
type Steps struct {
	DownX, DownRow int
	UpX, UpRow     int
}

// Brightness in units of 1e-8, so that whole numbers hold it exactly. No two
// differences of colours have the same brightness, as a test shows, so whole
// numbers order steps exactly as pixelmatch's floating point does.
const (
	yR8, yG8, yB8 = 29889531, 58662247, 11448223

	// A neighbour's place among the eight is kept in the low bits of its
	// brightness; the earliest of equally bright neighbours must win.
	placeBits = 3
)

func brightness8(p uint32) int64 {
	return (int64(p&0xff)*yR8 + int64(p>>8&0xff)*yG8 + int64(p>>16&0xff)*yB8) << placeBits
}

// Find finds the steps of a pixel that is not flat. It tells false when the
// pixel cannot be anti-aliasing.
func (s *Steps) Find(n *Neighbourhood, rows *[5][]byte, x int) bool {
	if x > 0 && x < n.Width-1 && n.First < 2 && n.Last > 2 {
		if n.Bpp == 3 {
			return s.inside3(rows, x)
		}
		return s.inside4(n, rows, x)
	}
	return s.anywhere(n, rows, x)
}

// inside3 finds the steps of a pixel that has all eight neighbours, in a
// picture of three bytes a pixel.
func (s *Steps) inside3(rows *[5][]byte, x int) bool {
	const low = 1<<AlphaShift - 1
	at := 3 * (x - 1)
	r1, r2, r3 := (*[10]byte)(rows[1][at:]), (*[10]byte)(rows[2][at:]), (*[10]byte)(rows[3][at:])
	w1, w2, w3 := binary.LittleEndian.Uint64(r1[:]), binary.LittleEndian.Uint64(r2[:]), binary.LittleEndian.Uint64(r3[:])
	centre := uint32(w2>>24) & low
	return s.choose(x, centre, &[8]uint32{
		uint32(w1) & low, uint32(w2) & low, uint32(w3) & low,
		uint32(w1>>24) & low, uint32(w3>>24) & low,
		binary.LittleEndian.Uint32(r1[6:]) & low, binary.LittleEndian.Uint32(r2[6:]) & low,
		binary.LittleEndian.Uint32(r3[6:]) & low,
	})
}

// inside4 is inside3 for four bytes a pixel.
func (s *Steps) inside4(n *Neighbourhood, rows *[5][]byte, x int) bool {
	at := 4 * (x - 1)
	r1, r2, r3 := (*[12]byte)(rows[1][at:]), (*[12]byte)(rows[2][at:]), (*[12]byte)(rows[3][at:])
	read := binary.LittleEndian.Uint32
	centre := read(r2[4:])
	around := [8]uint32{read(r1[:]), read(r2[:]), read(r3[:]), read(r1[4:]), read(r3[4:]), read(r1[8:]), read(r2[8:]), read(r3[8:])}
	all := centre
	for _, p := range around {
		all &= p
	}
	if all < Opaque {
		return s.anywhere(n, rows, x)
	}
	return s.choose(x, centre, &around)
}

// choose finds the steps of an opaque pixel from its eight neighbours, which
// come in the order in which pixelmatch visits them: column by column. It
// tells false when the pixel cannot be anti-aliasing.
func (s *Steps) choose(x int, centre uint32, around *[8]uint32) bool {
	own := brightness8(centre)
	y0, y1, y2, y3 := brightness8(around[0]), brightness8(around[1]), brightness8(around[2]), brightness8(around[3])
	y4, y5, y6, y7 := brightness8(around[4]), brightness8(around[5]), brightness8(around[6]), brightness8(around[7])
	darkest := min(own, y0, y1|1, y2|2, y3|3, y4|4, y5|5, y6|6, y7|7)
	brightest := max(own, y0|7, y1|6, y2|5, y3|4, y4|3, y5|2, y6|1, y7)
	if darkest>>placeBits == own>>placeBits || brightest>>placeBits == own>>placeBits {
		return false
	}
	down, up := aroundOrder[7-brightest&7], aroundOrder[darkest&7]
	s.DownX, s.DownRow = x+int(down.x), int(down.row)
	s.UpX, s.UpRow = x+int(up.x), int(up.row)
	return true
}

// aroundOrder is where the eight neighbours lie, in pixelmatch's order.
var aroundOrder = [8]struct{ x, row int8 }{
	{-1, 1}, {-1, 2}, {-1, 3}, {0, 1}, {0, 3}, {1, 1}, {1, 2}, {1, 3},
}

// anywhere finds the steps of any pixel, at edges and with alpha, just as
// pixelmatch does.
func (s *Steps) anywhere(n *Neighbourhood, rows *[5][]byte, x int) bool {
	x0, x2 := max(x-1, 0), min(x+1, n.Width-1)
	r0, r2 := n.rowRange(2)
	equal := 0
	if x == x0 || x == x2 || r0 == 2 || r2 == 2 {
		equal = 1
	}
	centre := n.Pixel(rows[2], x)
	var down, up float64
	for nx := x0; nx <= x2; nx++ {
		for r := r0; r <= r2; r++ {
			if nx == x && r == 2 {
				continue
			}
			step := n.step(centre, n.Pixel(rows[r], nx), x)
			switch {
			case step == 0:
				equal++
				if equal > 2 {
					return false
				}
			case step < down:
				down, s.DownX, s.DownRow = step, nx, r
			case step > up:
				up, s.UpX, s.UpRow = step, nx, r
			}
		}
	}
	return down != 0 && up != 0
}

// step is the brightness step from a neighbour to the centre pixel at column
// x.
func (n *Neighbourhood) step(centre, neighbour uint32, x int) float64 {
	if centre == neighbour {
		return 0
	}
	if n.Bpp == 4 && centre&neighbour < Opaque {
		return brightnessBlended(centre, neighbour, 4*(n.Y*n.Width+x))
	}
	return brightness(centre, neighbour)
}

// flat reports whether a pixel has at least three neighbours of its own colour,
// the edge of the picture counting as one. r is an index into rows.
func (n *Neighbourhood) flat(rows *[5][]byte, x, r int) bool {
	x0, x2 := max(x-1, 0), min(x+1, n.Width-1)
	r0, r2 := n.rowRange(r)
	centre := n.Pixel(rows[r], x)
	equal := -1 // the centre meets itself
	if x == x0 || x == x2 || r0 == r || r2 == r {
		equal = 0
	}
	for i := r0; i <= r2; i++ {
		for nx := x0; nx <= x2; nx++ {
			if n.Pixel(rows[i], nx) == centre {
				equal++
			}
		}
	}
	return equal > 2
}

// rowRange is the index range of the rows adjacent to row index r that lie
// inside the pictures.
func (n *Neighbourhood) rowRange(r int) (first, last int) {
	return max(r-1, n.First), min(r+1, n.Last)
}

// Encloses reports whether each channel of a colour is within the range of that channel around a column of the middle row.
func (n *Neighbourhood) Encloses(rows *[5][]byte, x int, colour uint32) bool {
	first, last := n.rowRange(2)
	for shift := 0; shift < 32; shift += 8 {
		least, most := uint32(255), uint32(0)
		for i := first; i <= last; i++ {
			for nx := max(x-1, 0); nx <= min(x+1, n.Width-1); nx++ {
				channel := n.Pixel(rows[i], nx) >> shift & 255
				least, most = min(least, channel), max(most, channel)
			}
		}
		if channel := colour >> shift & 255; channel < least || channel > most {
			return false
		}
	}
	return true
}
