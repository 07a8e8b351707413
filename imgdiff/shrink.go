package imgdiff

import "image"

// shrink scales a part of a picture down; every pixel of the result is the mean
// of the whole pixels that fall into it.
func shrink(e *effort, p *picture, part image.Rectangle, width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	column := columnsOf(part, width)
	const rows = 16
	e.inBands((height+rows-1)/rows, func(band int) {
		sums := make([]pixelSum, width)
		for y := band * rows; y < min((band+1)*rows, height); y++ {
			clear(sums)
			first, end := rowsOf(part, y, height)
			for sy := first; sy < end; sy++ {
				e.check()
				gather(sums, column, p.row(sy)[part.Min.X*p.bpp:], p.bpp)
			}
			mean(img.Pix[y*img.Stride:], sums)
		}
	})
	return img
}

// shrinkScan is shrink for a picture that is read from the top: add gets the rows of the result as RGBA, one after the other, each
// valid until it returns. The result must not be larger than the part.
func shrinkScan(e *effort, s *scan, part image.Rectangle, size image.Point, add func(y int, row []byte)) error {
	if err := s.skip(part.Min.Y); err != nil {
		return err
	}
	column, sums, shrunk := columnsOf(part, size.X), make([]pixelSum, size.X), make([]byte, 4*size.X)
	for y := range size.Y {
		clear(sums)
		first, end := rowsOf(part, y, size.Y)
		for range end - first {
			e.check()
			row, err := s.next()
			if err != nil {
				return err
			}
			gather(sums, column, row[part.Min.X*s.bpp:], s.bpp)
		}
		mean(shrunk, sums)
		add(y, shrunk)
	}
	return nil
}

// columnsOf are the columns of a result into which the pixels of a part's rows fall.
func columnsOf(part image.Rectangle, width int) []int {
	column := make([]int, part.Dx())
	for x := range column {
		column[x] = x * width / part.Dx()
	}
	return column
}

// rowsOf are the rows of a picture that fall into one of a result, as columns do.
func rowsOf(part image.Rectangle, y, height int) (first, end int) {
	above := func(y int) int { return part.Min.Y + (y*part.Dy()+height-1)/height }
	return above(y), above(y + 1)
}

// pixelSum adds up pixels: their red, green, blue, and how many they are.
type pixelSum [4]uint64

// mean writes the means of a row.
func mean(dst []byte, sums []pixelSum) {
	for x, s := range sums {
		for i := range 3 {
			dst[4*x+i] = byte((s[i] + s[3]/2) / s[3])
		}
		dst[4*x+3] = 255
	}
}

// gather adds one row to the sums of its columns.
func gather(sums []pixelSum, column []int, row []byte, bpp int) {
	for x, to := range column {
		px := row[x*bpp : x*bpp+bpp]
		s := &sums[to]
		if bpp == 4 && px[3] != 255 {
			alpha := uint64(px[3])
			for i := range 3 {
				s[i] += (uint64(px[i])*alpha + 255*(255-alpha) + 127) / 255
			}
		} else {
			s[0] += uint64(px[0])
			s[1] += uint64(px[1])
			s[2] += uint64(px[2])
		}
		s[3]++
	}
}
