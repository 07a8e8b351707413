package imgdiff

import (
	"bytes"
	"io"

	"afterimage/imgdiff/internal/pngrows"
)

const (
	// scannedBytes is how much of a file's rows is inflated at once.
	scannedBytes = 512 << 10
	// maxWhole is the size limit of a picture that has to be decoded as a whole where only its rows are wanted, from the top.
	maxWhole = 16_000_000
)

// scan gives the rows of a picture from the top, each once, in memory of a few rows.
type scan struct {
	width, height int
	bpp           int                    // bytes a pixel: 3 opaque, 4 with alpha
	next          func() ([]byte, error) // the pixels of the next row, valid until the next call
	skip          func(rows int) error   // passes rows over
	finish        func() error           // verifies, behind the last row, that the file is whole
	release       func()
}

// openScan opens a picture for reading its rows. Files that are interlaced, and of other formats than PNG, are decoded as a
// whole; they may have at most whole pixels.
func openScan(e *effort, data []byte, maxPixels, whole int) (*scan, error) {
	if bytes.HasPrefix(data, []byte(pngrows.Signature)) {
		f, err := openPNG(data, maxPixels)
		if err != nil {
			return nil, err
		}
		if !f.Interlaced {
			return scanFile(e, f)
		}
	}
	p, err := decode(e, data, min(whole, maxPixels))
	if err != nil {
		return nil, err
	}
	p.finishAll(e)
	return p.scan(), nil
}

// scanFile streams the rows of a file that is not interlaced.
func scanFile(e *effort, f *pngrows.File) (*scan, error) {
	form, err := newSamples(f)
	if err != nil {
		return nil, err
	}
	rows, err := newPlainRows(e, f)
	if err != nil {
		return nil, err
	}
	s := &scan{width: f.Width, height: f.Height, bpp: form.bpp, next: rows.next, finish: rows.finish, release: func() {}}
	s.skip = func(n int) (err error) {
		for ; n > 0 && err == nil; n-- {
			_, err = rows.next()
		}
		return err
	}
	if form.convert != nil {
		pixels := make([]byte, f.Width*form.bpp)
		s.next = func() ([]byte, error) {
			row, err := rows.next()
			if err == nil {
				form.convert(pixels, row)
			}
			return pixels, err
		}
	}
	return s, nil
}

// scan reads the rows of a decoded picture, all of which are finished.
func (p *picture) scan() *scan {
	y := 0
	return &scan{
		width: p.width, height: p.height, bpp: p.bpp, finish: func() error { return nil }, release: p.release,
		skip: func(rows int) error { y += rows; return nil },
		next: func() ([]byte, error) {
			y++
			return p.row(y - 1)[:p.width*p.bpp], nil
		},
	}
}

// plainRows streams the rows of a file as they stand in it, without their filters.
type plainRows struct {
	effort     *effort
	file       *pngrows.File
	stream     *pngrows.Stream
	atOnce     int    // rows that are inflated at once
	filtered   []byte // those that were inflated and not given out yet
	stored     []byte // the last row with its filter, valid until the next call
	row, above []byte
}

// rowsAtOnce is how many rows of a file are inflated at once.
func rowsAtOnce(f *pngrows.File) int { return max(1, scannedBytes/f.Stride()) }

func newPlainRows(e *effort, f *pngrows.File) (*plainRows, error) {
	r := &plainRows{effort: e, file: f, atOnce: rowsAtOnce(f), row: make([]byte, f.Stride()-1), above: make([]byte, f.Stride()-1)}
	var err error
	if r.stream, err = pngrows.NewStream(f, r.atOnce); err != nil {
		return nil, corrupt(err)
	}
	return r, nil
}

// next returns the next row, which is valid until the next call.
func (r *plainRows) next() (row []byte, err error) {
	if len(r.filtered) == 0 {
		r.effort.check()
		if r.filtered, err = r.stream.Next(r.atOnce); err != nil {
			return nil, corrupt(err)
		}
		if len(r.filtered) == 0 {
			return nil, corrupt(io.ErrUnexpectedEOF) // only if the caller asks for more rows than there are
		}
	}
	r.row, r.above = r.above, r.row
	filter := r.filtered[0]
	if err := pngrows.CheckFilter(filter); err != nil {
		return nil, corrupt(err)
	}
	r.stored, r.filtered = r.filtered[:r.file.Stride()], r.filtered[r.file.Stride():]
	copy(r.row, r.stored[1:])
	pngrows.Unfilter(filter, r.row, r.above, r.file.FilterUnit())
	return r.row, nil
}

func (r *plainRows) finish() error {
	if err := r.stream.Finish(); err != nil {
		return corrupt(err)
	}
	return nil
}
