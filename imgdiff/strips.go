package imgdiff

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"runtime"

	"github.com/klauspost/compress/zlib"
	"golang.org/x/sync/semaphore"

	"afterimage/imgdiff/internal/pngrows"
)

// Strips cuts an encoded image into PNG files of so many rows each, the last one with the rest, and calls emit for each
// of them, from the top. So a program that decodes whole files only, as browsers do, can show a part of a very tall page.
// PNG files that are not interlaced are read and cut in memory of two strips, and where strips are large, of some rows and the
// encoded strip. Those of up to eight bits per sample keep their form (size of a sample, palette, transparency). JPEG and
// interlaced images are decoded as a whole first, and may have at most 16 million pixels. The pixels are the same, at eight bits a
// sample. However many calls there are at the same time in a process, the strips that they encode take 64 MB: the others wait.
//
// Errors unwrap to ErrFormat, ErrCorrupt, ErrTooLarge, ErrOptions or the error of the context, or are those of emit. A
// corrupt picture may be noticed late, after strips were emitted.
func Strips(ctx context.Context, data []byte, rows int, emit func(strip []byte) error) (err error) {
	defer finish(&err)
	e := newEffort(ctx)
	if rows < 1 {
		return fmt.Errorf("%w: a strip of %d rows", ErrOptions, rows)
	}
	source, err := openRows(e, data)
	if err != nil {
		return err
	}
	defer source.release()
	if rows > largeStrip/source.stride {
		return cutLarge(e, source, rows, emit)
	}
	return cutStrips(e, source, rows, emit)
}

// largeStrip is how many bytes of rows a strip may have to be kept as a whole until it is encoded.
const largeStrip = 16 << 20

// StripCount is how many strips an image of some height has.
func StripCount(height, rows int) int { return (height + rows - 1) / rows }

// HeaderBytes is how much of a file Streamable looks at.
const HeaderBytes = 33

// Streamable tells from the first HeaderBytes of a file whether Strips, Preview, Crop, Part and Overlay read it without decoding it
// as a whole.
func Streamable(head []byte) bool {
	f, err := pngrows.ReadHeader(head)
	return err == nil && !f.Interlaced
}

// keepsForm reports whether the rows of a file stand in its strips as they stand in it.
func keepsForm(f *pngrows.File) bool { return !f.Interlaced && f.Depth <= 8 }

// rowSource gives the rows of a picture in order, as they stand in a PNG file.
type rowSource struct {
	header          pngHeader
	palette, alphas []byte
	stride          int // bytes of a row, with its filter
	// next appends the next row; the first of a strip has no filter, because the row above is not in the strip.
	next    func(strip []byte, first bool) ([]byte, error)
	finish  func() error
	release func()
}

// openRows opens a picture for reading its rows.
func openRows(e *effort, data []byte) (*rowSource, error) {
	if bytes.HasPrefix(data, []byte(pngrows.Signature)) {
		f, err := openPNG(data, DefaultMaxPixels)
		if err != nil {
			return nil, err
		}
		if keepsForm(f) {
			return rowsInForm(e, f)
		}
	}
	s, err := openScan(e, data, DefaultMaxPixels, maxWhole)
	if err != nil {
		return nil, err
	}
	return rowsOfPixels(s), nil
}

// rowsInForm reads the rows of a file as they stand in it, and changes none but the first of each strip.
func rowsInForm(e *effort, f *pngrows.File) (*rowSource, error) {
	if _, err := newSamples(f); err != nil { // nothing else looks at the pixels
		return nil, err
	}
	rows, err := newPlainRows(e, f)
	if err != nil {
		return nil, err
	}
	return &rowSource{
		header:  pngHeader{width: f.Width, height: f.Height, depth: f.Depth, colour: f.Colour},
		palette: f.Chunk("PLTE"), alphas: f.Chunk("tRNS"), stride: f.Stride(), finish: rows.finish, release: func() {},
		next: func(strip []byte, first bool) ([]byte, error) {
			plain, err := rows.next()
			switch {
			case err != nil:
				return nil, err
			case first:
				return append(append(strip, pngrows.FilterNone), plain...), nil
			}
			return append(strip, rows.stored...), nil
		},
	}, nil
}

// rowsOfPixels reads a picture of any other form, and filters its rows.
func rowsOfPixels(s *scan) *rowSource {
	source := &rowSource{header: pngHeader{width: s.width, height: s.height, depth: 8, colour: pngRGB}, stride: 1 + s.width*s.bpp,
		finish: s.finish, release: s.release}
	if s.bpp == 4 {
		source.header.colour = pngRGBA
	}
	above := make([]byte, s.width*s.bpp)
	source.next = func(strip []byte, first bool) ([]byte, error) {
		row, err := s.next()
		if err == nil {
			strip = appendUp(strip, row, !first, above)
			copy(above, row)
		}
		return strip, err
	}
	return source
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

// cutStrips reads a few strips, encodes these at once and emits them in order.
func cutStrips(e *effort, source *rowSource, rows int, emit func([]byte) error) error {
	count := StripCount(source.header.height, rows)
	for first := 0; first < count; {
		strips, err := cutSome(e, source, rows, first, min(stripsAtOnce, runtime.GOMAXPROCS(0), count-first))
		if err != nil {
			return err
		}
		first += len(strips)
		if first == count {
			if err := source.finish(); err != nil {
				return err
			}
		}
		for _, strip := range strips {
			if err := emit(strip); err != nil {
				return err
			}
		}
	}
	return nil
}

// stripsAtOnce is how many strips of a picture are encoded at once: reading, which is done in order, takes as long as encoding them.
const stripsAtOnce = 2

// maxCut limits the rows of strips that wait in memory to be encoded, in bytes, of all pictures that are cut in this process.
const maxCut = 2 * stripsAtOnce * largeStrip

// cut is what these rows take. All that some strips need is taken at once and nothing is waited for while it is held, so cuttings
// never wait for each other in a circle.
var cut = semaphore.NewWeighted(maxCut)

// cutSome reads the next strips and encodes them, once there is memory for their rows.
func cutSome(e *effort, source *rowSource, rows, first, count int) ([][]byte, error) {
	size := int64(min(count*rows, source.header.height-first*rows)) * int64(source.stride)
	if err := cut.Acquire(e.ctx, size); err != nil {
		return nil, fmt.Errorf("imgdiff: %w", err)
	}
	defer cut.Release(size)
	strips := make([][]byte, count)
	for i := range strips {
		height := source.stripHeight(first+i, rows)
		strips[i] = make([]byte, 0, height*source.stride)
		for y := range height {
			var err error
			if strips[i], err = source.next(strips[i], y == 0); err != nil {
				return nil, err
			}
		}
	}
	e.inBands(count, func(i int) {
		strips[i] = source.encode(source.stripHeight(first+i, rows), deflateQuickly(e, strips[i]))
	})
	return strips, nil
}

// cutLarge encodes one strip after the other, row by row.
func cutLarge(e *effort, source *rowSource, rows int, emit func([]byte) error) error {
	count := StripCount(source.header.height, rows)
	var line []byte
	for number := range count {
		var stream bytes.Buffer
		z := quickDeflater(&stream)
		height := source.stripHeight(number, rows)
		for y := range height {
			e.check()
			var err error
			if line, err = source.next(line[:0], y == 0); err != nil {
				return err
			}
			_, _ = z.Write(line) // into memory
		}
		_ = z.Close()
		if number == count-1 {
			if err := source.finish(); err != nil {
				return err
			}
		}
		if err := emit(source.encode(height, stream.Bytes())); err != nil {
			return err
		}
	}
	return nil
}

// stripHeight is how many rows a strip has.
func (s *rowSource) stripHeight(number, rows int) int { return min(rows, s.header.height-number*rows) }

// encode makes the file of a strip.
func (s *rowSource) encode(height int, stream []byte) []byte {
	header := s.header
	header.height = height
	return encodePNG(header, s.palette, s.alphas, nil, stream)
}

// quickDeflater makes a zlib stream, fast rather than small.
func quickDeflater(to *bytes.Buffer) *zlib.Writer {
	z, err := zlib.NewWriterLevel(to, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a valid one
	}
	return z
}

// deflateQuickly makes a zlib stream of filtered rows, fast rather than small.
func deflateQuickly(e *effort, data []byte) []byte {
	var stream bytes.Buffer
	z := quickDeflater(&stream)
	for at := 0; at < len(data); at += checkedBytes {
		e.check()
		_, _ = z.Write(data[at:min(at+checkedBytes, len(data))]) // into memory
	}
	_ = z.Close()
	return stream.Bytes()
}
