package imgdiff

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"strconv"
	"strings"

	"afterimage/imgdiff/internal/pngrows"
)

// Overlay writes exactly the image of Result.Compose, at any time after the comparison, from the encoded after image
// and the output of Result.MaskPNG. The mask can thus be stored instead of the image, which is tens of times larger
// and slower to render. Both are read row by row; a JPEG or interlaced image, which cannot be, may have at most 16 million
// pixels. Errors are those of Compare, with the side "mask" if the mask is invalid, corrupt, or smaller than the after image.
func Overlay(ctx context.Context, w io.Writer, after, mask []byte, o ComposeOptions) (err error) {
	defer finish(&err)
	e := newEffort(ctx)
	if err := o.validate(); err != nil {
		return err
	}
	marks, err := openMask(e, mask)
	if err != nil {
		return onSide(err, "mask")
	}
	s, err := openScan(e, after, DefaultMaxPixels, maxWhole)
	if err != nil {
		return onSide(err, "after")
	}
	defer s.release()
	if s.width > marks.size.X || s.height > marks.size.Y {
		return &PictureError{Side: "mask", Kind: ErrCorrupt, Reason: fmt.Sprintf(
			"it is %d × %d pixels and the after picture is %d × %d", marks.size.X, marks.size.Y, s.width, s.height)}
	}
	return compose(e, w, composing{after: s, marks: marks.next, size: marks.size, boxes: marks.boxes}, o)
}

// maskFile is a mask picture that is read from the top, with the boxes in it.
type maskFile struct {
	size  image.Point
	boxes []image.Rectangle
	rows  *plainRows
	left  int // rows that were not read yet
}

// openMask opens a mask picture.
func openMask(e *effort, data []byte) (*maskFile, error) {
	notMask := &PictureError{Kind: ErrFormat, Reason: "it was not made by Result.MaskPNG"}
	if !bytes.HasPrefix(data, []byte(pngrows.Signature)) {
		return nil, notMask
	}
	f, err := openPNG(data, DefaultMaxPixels)
	if err != nil {
		return nil, err
	}
	// Two bits have as many values as the palette has entries, so every pixel has one.
	if f.Depth != 2 || f.Colour != pngPalette || f.Interlaced || !f.Orderly() ||
		!bytes.Equal(f.Chunk("PLTE"), maskPalette) || !bytes.Equal(f.Chunk("tRNS"), maskAlphas) {
		return nil, notMask
	}
	m := &maskFile{size: image.Pt(f.Width, f.Height), left: f.Height}
	if m.boxes, err = parseBoxes(findText(data, boxKeyword), f.Width, f.Height); err != nil {
		return nil, err
	}
	m.rows, err = newPlainRows(e, f)
	return m, err
}

// next gives the entries of the next row, and verifies behind the last that the file is whole.
func (m *maskFile) next(dst []byte) error {
	row, err := m.rows.next()
	if err != nil {
		return err
	}
	for x := range dst {
		dst[x] = row[x/4] >> (6 - 2*(x%4)) & 3
	}
	if m.left--; m.left == 0 {
		return m.rows.finish()
	}
	return nil
}

// findText returns the text that starts with a keyword, without it, or "". The
// file's chunks were walked before and found whole; only those before the
// pixels are looked at.
func findText(data []byte, keyword string) string {
	for at := len(pngrows.Signature); ; {
		start := at + 8
		end := start + int(binary.BigEndian.Uint32(data[at:]))
		switch string(data[at+4 : start]) {
		case "IDAT":
			return ""
		case "tEXt":
			if text, ok := bytes.CutPrefix(data[start:end], []byte(keyword)); ok {
				return string(text)
			}
		}
		at = end + 4
	}
}

// parseBoxes reads what boxText wrote into a picture of some size.
func parseBoxes(text string, width, height int) ([]image.Rectangle, error) {
	if text == "" {
		return nil, nil
	}
	fields := strings.SplitN(text, " ", MaxRegions+1)
	if len(fields) > MaxRegions {
		return nil, &PictureError{Kind: ErrCorrupt, Reason: fmt.Sprintf("it has more than %d boxes", MaxRegions)}
	}
	boxes := make([]image.Rectangle, len(fields))
	for i, field := range fields {
		box, ok := parseBox(field)
		if !ok || box.Empty() || !box.In(image.Rect(0, 0, width, height)) {
			return nil, &PictureError{Kind: ErrCorrupt, Reason: fmt.Sprintf("it contains an invalid box: %.40q", field)}
		}
		boxes[i] = box
	}
	return boxes, nil
}

// parseBox reads "x,y,width,height".
func parseBox(text string) (image.Rectangle, bool) {
	parts := strings.SplitN(text, ",", 5)
	if len(parts) != 4 {
		return image.Rectangle{}, false
	}
	var n [4]int
	for i, part := range parts {
		number, err := strconv.ParseUint(part, 10, 31) // sums of two cannot overflow
		if err != nil || number > maxSide {
			return image.Rectangle{}, false
		}
		n[i] = int(number)
	}
	return image.Rect(n[0], n[1], n[0]+n[2], n[1]+n[3]), true
}
