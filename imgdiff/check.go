package imgdiff

import (
	"bytes"
	"context"
	"fmt"

	"afterimage/imgdiff/internal/pngrows"
)

// CheckPNG reads a PNG file to its end, with all its checksums, and returns its size. It holds a few rows at a time, never the
// picture. Interlaced files, which would have to be decoded as a whole, and those of more than 8 bits per sample are refused with
// ErrFormat, like other formats. 0 means DefaultMaxPixels.
//
// Errors unwrap to ErrFormat, ErrCorrupt, ErrTooLarge or the error of the context.
func CheckPNG(ctx context.Context, data []byte, maxPixels int) (width, height int, err error) {
	defer finish(&err)
	e := newEffort(ctx)
	if !bytes.HasPrefix(data, []byte(pngrows.Signature)) {
		return 0, 0, &PictureError{Kind: ErrFormat, Reason: "it is not a PNG file"}
	}
	f, err := openPNG(data, Options{MaxPixels: maxPixels}.maxPixels())
	if err != nil {
		return 0, 0, err
	}
	if !keepsForm(f) {
		return 0, 0, &PictureError{Kind: ErrFormat, Reason: otherForm(f)}
	}
	if _, err := newSamples(f); err != nil {
		return 0, 0, err
	}
	return f.Width, f.Height, checkRows(e, f)
}

// otherForm says what keeps a file from being read row by row, see keepsForm.
func otherForm(f *pngrows.File) string {
	deep := fmt.Sprintf("has %d bits per sample", f.Depth)
	switch {
	case !f.Interlaced:
		return "it " + deep
	case f.Depth <= 8:
		return "it is interlaced"
	}
	return "it is interlaced and " + deep
}

// checkRows inflates all rows and forgets them.
func checkRows(e *effort, f *pngrows.File) error {
	atOnce := rowsAtOnce(f)
	stream, err := pngrows.NewStream(f, atOnce)
	if err != nil {
		return corrupt(err)
	}
	stride := f.Stride()
	for left := f.Height; left > 0; left -= atOnce {
		e.check()
		rows, err := stream.Next(atOnce)
		if err != nil {
			return corrupt(err)
		}
		for at := 0; at < len(rows); at += stride {
			if err := pngrows.CheckFilter(rows[at]); err != nil {
				return corrupt(err)
			}
		}
	}
	if err := stream.Finish(); err != nil {
		return corrupt(err)
	}
	return nil
}
