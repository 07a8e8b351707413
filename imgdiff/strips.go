package imgdiff

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"runtime"

	"github.com/klauspost/compress/zlib"

	"afterimage/imgdiff/internal/pngrows"
)

// Strips cuts an encoded image into PNG files of so many rows each, the last one with the rest, and calls emit for each
// of them, from the top. So a program that decodes whole files only, as browsers do, can show a part of a very tall page.
// PNG files that are not interlaced keep their form (size of a sample, palette, transparency), and are read and cut in
// memory of a few strips; others are decoded as a whole first. The pixels are the same, at
// eight bits a sample.
//
// Errors unwrap to ErrFormat, ErrCorrupt, ErrTooLarge, ErrOptions or the error of the context, or are those of emit. A
// corrupt picture may be noticed late, after strips were emitted.
func Strips(ctx context.Context, data []byte, rows int, emit func(strip []byte) error) (err error) {
	defer finish(&err)
	e := newEffort(ctx)
	if rows < 1 {
		return fmt.Errorf("%w: a strip of %d rows", ErrOptions, rows)
	}
	source, err := openRows(e, data, rows)
	if err != nil {
		return err
	}
	defer source.release()
	return cutStrips(e, source, rows, emit)
}

// StripCount is how many strips an image of some height has.
func StripCount(height, rows int) int { return (height + rows - 1) / rows }

// HeaderBytes is how much of a file Streamable looks at.
const HeaderBytes = 33

// Streamable tells from the first HeaderBytes of a file whether Strips cuts it without decoding it as a whole.
func Streamable(head []byte) bool {
	f, err := pngrows.ReadHeader(head)
	return err == nil && streamable(&f)
}

func streamable(f *pngrows.File) bool {
	switch {
	case f.Interlaced:
		return false
	case f.Colour == pngGrey, f.Colour == pngPalette:
		return f.Depth == 1 || f.Depth == 2 || f.Depth == 4 || f.Depth == 8
	case f.Colour == pngRGB, f.Colour == pngRGBA, f.Colour == pngGreyAlpha:
		return f.Depth == 8
	}
	return false
}

// rowSource gives the rows of a picture in order, as they stand in a PNG file.
type rowSource struct {
	header          pngHeader
	palette, alphas []byte
	next            func(rows int) ([]byte, error) // whose first has no filter
	finish          func() error
	release         func()
}

// openRows opens a picture for reading its rows.
func openRows(e *effort, data []byte, rows int) (*rowSource, error) {
	if !bytes.HasPrefix(data, []byte(pngrows.Signature)) {
		return decodedRows(e, data)
	}
	f, err := openPNG(data, DefaultMaxPixels)
	if err != nil {
		return nil, err
	}
	if !streamable(f) {
		return decodedRows(e, data)
	}
	return streamedRows(f, rows)
}

// streamedRows reads the rows of a file as they stand in it. Only the first row of each strip loses its filter, because the
// row above is not in the strip; all others are read from rows that are.
func streamedRows(f *pngrows.File, rows int) (*rowSource, error) {
	stream, err := pngrows.NewStream(f, rows)
	if err != nil {
		return nil, corrupt(err)
	}
	s := &rowSource{
		header:  pngHeader{width: f.Width, height: f.Height, depth: f.Depth, colour: f.Colour},
		palette: f.Chunk("PLTE"), alphas: f.Chunk("tRNS"), release: func() {},
	}
	stride := f.Stride()
	above, plain := make([]byte, stride), make([]byte, stride) // the last two rows without filters
	s.next = func(rows int) ([]byte, error) {
		filtered, err := stream.Next(rows)
		if err != nil {
			return nil, corrupt(err)
		}
		strip := bytes.Clone(filtered)
		for at := 0; at < len(strip); at += stride {
			copy(plain, filtered[at:at+stride])
			if err := pngrows.CheckFilter(plain[0]); err != nil {
				return nil, corrupt(err)
			}
			pngrows.Unfilter(plain[0], plain[1:], above[1:], f.FilterUnit())
			plain[0] = pngrows.FilterNone
			if at == 0 {
				copy(strip, plain)
			}
			above, plain = plain, above
		}
		return strip, nil
	}
	s.finish = func() error {
		if err := stream.Finish(); err != nil {
			return corrupt(err)
		}
		return nil
	}
	return s, nil
}

// decodedRows reads a picture of any other form as a whole.
func decodedRows(e *effort, data []byte) (*rowSource, error) {
	p, err := decode(e, data, DefaultMaxPixels)
	if err != nil {
		return nil, err
	}
	p.finishAll(e)
	s := &rowSource{header: pngHeader{width: p.width, height: p.height, depth: 8, colour: pngRGB},
		finish: func() error { return nil }, release: p.release}
	if p.bpp == 4 {
		s.header.colour = pngRGBA
	}
	y, width := 0, p.width*p.bpp
	s.next = func(rows int) ([]byte, error) {
		rows = min(rows, p.height-y)
		strip := make([]byte, 0, rows*(1+width))
		for first := y; y < first+rows; y++ {
			strip = appendUp(strip, p.row(y)[:width], y > first, p.above(y)[:width])
		}
		return strip, nil
	}
	return s, nil
}

// appendUp appends a row as its difference from the row above, which compresses well, or as it is.
func appendUp(out, row []byte, up bool, above []byte) []byte {
	if !up {
		return append(append(out, pngrows.FilterNone), row...)
	}
	out = append(out, pngrows.FilterUp)
	for i, value := range row {
		out = append(out, value-above[i])
	}
	return out
}

// cutStrips reads as many strips as there are cores, encodes these at once and emits them in order.
func cutStrips(e *effort, source *rowSource, rows int, emit func([]byte) error) error {
	count := StripCount(source.header.height, rows)
	batch := runtime.GOMAXPROCS(0)
	for first := 0; first < count; first += batch {
		strips := make([][]byte, min(batch, count-first))
		for i := range strips {
			e.check()
			var err error
			if strips[i], err = source.next(rows); err != nil {
				return err
			}
		}
		if first+len(strips) == count {
			if err := source.finish(); err != nil {
				return err
			}
		}
		e.inBands(len(strips), func(i int) {
			header := source.header
			header.height = min(rows, header.height-(first+i)*rows)
			strips[i] = encodePNG(header, source.palette, source.alphas, nil, deflateQuickly(e, strips[i]))
		})
		for _, strip := range strips {
			if err := emit(strip); err != nil {
				return err
			}
		}
	}
	return nil
}

// deflateQuickly makes a zlib stream of filtered rows, fast rather than small.
func deflateQuickly(e *effort, data []byte) []byte {
	var stream bytes.Buffer
	z, err := zlib.NewWriterLevel(&stream, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a valid one
	}
	for at := 0; at < len(data); at += checkedBytes {
		e.check()
		_, _ = z.Write(data[at:min(at+checkedBytes, len(data))]) // into memory
	}
	_ = z.Close()
	return stream.Bytes()
}
