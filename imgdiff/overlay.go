package imgdiff

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"
	"strconv"
	"strings"

	"afterimage/imgdiff/internal/pngrows"
)

// Overlay writes exactly the image of Result.Compose, at any time after the comparison, from the encoded after image
// and the output of Result.MaskPNG. The mask can thus be stored instead of the image, which is tens of times larger
// and slower to render. Errors are those of Compare, with the side "mask" if the mask is invalid, corrupt, or
// smaller than the after image.
func Overlay(ctx context.Context, w io.Writer, after, mask []byte, o ComposeOptions) (err error) {
	defer finish(&err)
	e := newEffort(ctx)
	if err := o.validate(); err != nil {
		return err
	}
	marks, boxes, err := readMask(e, mask)
	if err != nil {
		return onSide(err, "mask")
	}
	p, err := decode(e, after, DefaultMaxPixels)
	if err != nil {
		return onSide(err, "after")
	}
	defer p.release()
	if size := marks.Rect.Size(); p.width > size.X || p.height > size.Y {
		return &PictureError{Side: "mask", Kind: ErrCorrupt, Reason: fmt.Sprintf(
			"it is %d × %d pixels and the after picture is %d × %d", size.X, size.Y, p.width, p.height)}
	}
	return compose(e, w, p, marks, boxes, o)
}

// maskColours is the palette of a mask as image/png reads it.
var maskColours = color.Palette{
	maskNothing: color.Transparent, maskChanged: color.NRGBA{255, 0, 0, 255}, maskAntiAliased: color.NRGBA{255, 255, 0, 255},
	maskInserted: color.NRGBA{0, 160, 70, maskInsertedAlpha},
}

// readMask decodes a mask picture with the boxes in it.
func readMask(e *effort, data []byte) (*image.Paletted, []image.Rectangle, error) {
	notMask := &PictureError{Kind: ErrFormat, Reason: "it is no picture that Result.MaskPNG made"}
	if !bytes.HasPrefix(data, []byte(pngrows.Signature)) {
		return nil, nil, notMask
	}
	f, err := openPNG(data, DefaultMaxPixels)
	if err != nil {
		return nil, nil, err
	}
	if f.Depth != 2 || f.Colour != pngPalette || f.Interlaced {
		return nil, nil, notMask
	}
	boxes, err := parseBoxes(findText(data, boxKeyword), f.Width, f.Height)
	if err != nil {
		return nil, nil, err
	}
	img, err := foreign(e, data, png.Decode)
	if err != nil {
		return nil, nil, corrupt(err)
	}
	// image/png lengthens the palette where a pixel has no entry in it, so an
	// equal palette means that all pixels have one.
	marks, ok := img.(*image.Paletted)
	if !ok || !slices.EqualFunc(marks.Palette, maskColours, sameColour) {
		return nil, nil, notMask
	}
	return marks, boxes, nil
}

func sameColour(a, b color.Color) bool {
	return color.RGBA64Model.Convert(a) == color.RGBA64Model.Convert(b)
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
			return nil, &PictureError{Kind: ErrCorrupt, Reason: fmt.Sprintf("%.40q is no box in it", field)}
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
