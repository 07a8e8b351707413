package imgdiff

import (
	"fmt"
	"sync"

	"afterimage/imgdiff/internal/hugepages"
	"afterimage/imgdiff/internal/pixelmatch"
	"afterimage/imgdiff/internal/pngrows"
)

// picture is a decoded picture in PNG's own layout: every row is one filter
// byte followed by width × bpp bytes, non-premultiplied. Rows keep their
// filter until somebody needs their pixels; most rows of two similar
// screenshots never do. A row whose filter was taken off has filter type
// None.
//
// A picture may also borrow the pixels of a decoded image. Its rows then have
// no filter byte, and count as finished.
type picture struct {
	width, height int
	bpp           int    // bytes a pixel: 3 opaque, 4 with alpha
	stride        int    // bytes from row to row
	borrowed      bool   // the pixels belong to an image
	buf           []byte // height × stride bytes and some slack, if not borrowed
	zeros         []byte // stands in for the row above the first
}

// buffers keeps pixel memory between comparisons: touching fresh memory
// costs more than comparing it. The garbage collector empties the pool when
// it is not used.
var buffers sync.Pool

// largePagesFrom is the size from which on large pages are asked for.
const largePagesFrom = 4 << 20

// takeBuffer returns at least n bytes of any content.
func takeBuffer(n int) []byte {
	if b, ok := buffers.Get().(*[]byte); ok && cap(*b) >= n {
		return (*b)[:n]
	}
	b := make([]byte, n, n+n/8)
	if n >= largePagesFrom {
		hugepages.Advise(b)
	}
	return b
}

// newPicture returns a picture of any content whose bounds were checked
// before. Its owner calls release.
func newPicture(width, height, bpp int) *picture {
	stride := 1 + width*bpp
	return &picture{width: width, height: height, bpp: bpp, stride: stride,
		buf: takeBuffer(stride*height + pngrows.BufferSlack)}
}

// release gives the pixel memory back. The picture must not be used
// afterwards.
func (p *picture) release() {
	if p != nil && p.buf != nil && !p.borrowed {
		buf := p.buf
		p.buf = nil
		buffers.Put(&buf)
	}
}

// filter is the filter type of row y.
func (p *picture) filter(y int) byte {
	if p.borrowed {
		return pngrows.FilterNone
	}
	return p.buf[y*p.stride]
}

// stored is row y as it is stored, with its filter byte if it has one.
func (p *picture) stored(y int) []byte {
	if p.borrowed {
		return p.row(y)
	}
	return p.buf[y*p.stride : (y+1)*p.stride]
}

// row is the pixels of row y. Three-byte pixels are followed by one byte more,
// so that they can be read as words.
func (p *picture) row(y int) []byte {
	start, n := y*p.stride, p.width*p.bpp
	if !p.borrowed {
		start++
	}
	if p.bpp == 3 {
		n++
	}
	return p.buf[start : start+n]
}

// finished reports whether the filter of row y was taken off.
func (p *picture) finished(y int) bool { return p.filter(y) == pngrows.FilterNone }

// finish takes the filter off row y, and off as many rows above as that
// needs.
func (p *picture) finish(y int) {
	if p.finished(y) {
		return
	}
	first := y
	for first > 0 && pngrows.NeedsAbove(p.filter(first)) && !p.finished(first-1) {
		first--
	}
	for ; first <= y; first++ {
		p.unfilter(first, p.above(first))
	}
}

// above is the finished row above row y.
func (p *picture) above(y int) []byte {
	if y > 0 {
		return p.row(y - 1)
	}
	if p.zeros == nil {
		p.zeros = make([]byte, p.width*p.bpp)
	}
	return p.zeros
}

// unfilter takes the filter off one row, given the finished row above.
func (p *picture) unfilter(y int, above []byte) {
	pngrows.Unfilter(p.filter(y), p.row(y)[:p.width*p.bpp], above, p.bpp)
	p.markFinished(y)
}

// markFinished notes that row y has no filter.
func (p *picture) markFinished(y int) { p.buf[y*p.stride] = pngrows.FilterNone }

// finishRows takes the filters off some rows.
func (p *picture) finishRows(e *effort, rows span) {
	for y := max(rows.first, 0); y < min(rows.end, p.height); y++ {
		e.check()
		p.finish(y)
	}
}

// finishAll takes the filters off all rows.
func (p *picture) finishAll(e *effort) { p.finishRows(e, span{0, p.height}) }

// mask is the bits of a word read from a row that belong to the pixel.
func (p *picture) mask() uint32 {
	if p.bpp == 3 {
		return 1<<pixelmatch.AlphaShift - 1
	}
	return ^uint32(0)
}

// withAlpha returns the picture with four bytes a pixel and gives up the one
// with three.
func (p *picture) withAlpha(e *effort) *picture {
	if p.bpp == 4 {
		return p
	}
	p.finishAll(e)
	wide := newPicture(p.width, p.height, 4)
	for y := range p.height {
		e.check()
		src, dst := p.row(y), wide.row(y)
		for x := range p.width {
			s, d := src[3*x:3*x+3], dst[4*x:4*x+4]
			d[0], d[1], d[2], d[3] = s[0], s[1], s[2], 255
		}
		wide.markFinished(y)
	}
	p.release()
	return wide
}

// checkSize refuses pictures without pixels or with too many.
func checkSize(width, height, maxPixels int) error {
	switch {
	case width <= 0 || height <= 0:
		return &PictureError{Kind: ErrCorrupt, Reason: fmt.Sprintf("it is %d × %d pixels", width, height)}
	case width > maxSide || height > maxSide:
		return &PictureError{Kind: ErrTooLarge,
			Reason: fmt.Sprintf("it is %d × %d pixels; a side may have %d", width, height, maxSide)}
	case width > maxPixels/height:
		return &PictureError{Kind: ErrTooLarge,
			Reason: fmt.Sprintf("it is %d × %d pixels; the limit is %d pixels", width, height, maxPixels)}
	}
	return nil
}
