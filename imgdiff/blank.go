package imgdiff

import (
	"bytes"
	"context"
	"image"

	"afterimage/imgdiff/internal/pngrows"
)

// What still counts as a blank page.
const (
	// blankLevels is how far a channel may lie from the first pixel's:
	// compression or dithering noise, invisible to a person.
	blankLevels = 3
	// blankSpecks is how many pixels may lie further away. Any legible
	// glyph has more.
	blankSpecks = 8
)

// Blank reports whether an encoded image is completely blank: one colour, up to noise of 3 levels per channel and 8
// stray pixels. It decodes only as much as it needs to find that an image is not blank; corruption after that is not
// detected. Errors unwrap to ErrFormat, ErrCorrupt, ErrTooLarge or the error of the context.
func Blank(ctx context.Context, data []byte) (blank bool, err error) {
	defer finish(&err)
	_, blank, err = glance(newEffort(ctx), data, DefaultMaxPixels)
	return blank, err
}

// glance returns the size of an encoded picture and whether it is blank.
func glance(e *effort, data []byte, maxPixels int) (size image.Point, blank bool, err error) {
	if bytes.HasPrefix(data, []byte(pngrows.Signature)) {
		f, err := openPNG(data, maxPixels)
		if err != nil {
			return image.Point{}, false, err
		}
		if f.Common() {
			blank, err := blankFile(e, f)
			return image.Pt(f.Width, f.Height), blank, err
		}
	}
	p, err := decode(e, data, maxPixels)
	if err != nil {
		return image.Point{}, false, err
	}
	defer p.release()
	return image.Pt(p.width, p.height), isBlank(e, p), nil
}

// blankFile inflates a file row by row until it is seen not to be blank.
func blankFile(e *effort, f *pngrows.File) (bool, error) {
	p := newPicture(f.Width, f.Height, f.BytesPerPixel())
	defer p.release()
	r, err := pngrows.NewReader(f, p.buf)
	if err != nil {
		return false, corrupt(err)
	}
	defer r.Close()
	test := newBlankTest(p)
	const ahead = 16 // rows
	for y := range p.height {
		e.check()
		if y%ahead == 0 {
			if _, err := r.Fill((y + ahead) * p.stride); err != nil {
				return false, corrupt(err)
			}
		}
		if err := pngrows.CheckFilter(p.filter(y)); err != nil {
			return false, corrupt(err)
		}
		if !test.add(p.filter(y), p.row(y)) {
			return false, nil
		}
	}
	if err := r.Finish(); err != nil {
		return false, corrupt(err)
	}
	return true, nil
}

// isBlank is Blank for a decoded picture.
func isBlank(e *effort, p *picture) bool {
	test := newBlankTest(p)
	for y := range p.height {
		e.check()
		if !test.add(p.filter(y), p.row(y)) {
			return false
		}
	}
	return true
}

// blankTest looks at one row after the other, with its filter.
type blankTest struct {
	bpp        int
	first      [4]byte // the first pixel
	above, row []byte  // finished
	zeros      []byte
	started    bool
	flat       bool // the row above has one colour
	aboveCount int  // strays in the row above
	strays     int
}

func newBlankTest(p *picture) *blankTest {
	n := p.width * p.bpp
	lines := make([]byte, 3*n)
	return &blankTest{bpp: p.bpp, above: lines[:n:n], row: lines[n : 2*n : 2*n], zeros: lines[2*n:]}
}

// add looks at the next row and tells whether the picture may still be blank.
func (t *blankTest) add(filter byte, pixels []byte) bool {
	pixels = pixels[:len(t.row)]
	// A row of zeros repeats the row above: always with the filter Up, and
	// with Paeth's where that has one colour.
	if t.started && (filter == pngrows.FilterUp || filter == pngrows.FilterPaeth && t.flat) &&
		bytes.Equal(pixels, t.zeros) {
		t.strays += t.aboveCount
		return t.strays <= blankSpecks
	}
	copy(t.row, pixels)
	pngrows.Unfilter(filter, t.row, t.above, t.bpp)
	if !t.started {
		copy(t.first[:t.bpp], t.row)
		t.started = true
	}
	t.flat = bytes.Equal(t.row[t.bpp:], t.row[:len(t.row)-t.bpp])
	t.aboveCount = t.countStrays()
	t.strays += t.aboveCount
	t.above, t.row = t.row, t.above
	return t.strays <= blankSpecks
}

// countStrays counts the pixels of the row that lie too far from the first,
// and stops when there are too many.
func (t *blankTest) countStrays() int {
	if t.flat && bytes.Equal(t.row[:t.bpp], t.first[:t.bpp]) {
		return 0
	}
	n := 0
	for x := 0; x < len(t.row) && n <= blankSpecks; x += t.bpp {
		for i := range t.bpp {
			if d := int(t.row[x+i]) - int(t.first[i]); d > blankLevels || d < -blankLevels {
				n++
				break
			}
		}
	}
	return n
}
