package gallery

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"io"

	"afterimage/imgdiff"
	"afterimage/vcd"
)

// Limits of a part of a picture.
const (
	maxCropWidth  = 1440
	maxCropHeight = 900
	cropQuality   = 85
)

// Crop is a part of a picture as a JPEG file, as far as it lies in the picture, and at most 1440 × 900 of it. Only the strips
// that it lies in are read.
func (h *Handler) Crop(ctx context.Context, img *vcd.Image, part image.Rectangle) ([]byte, error) {
	part = part.Intersect(image.Rect(0, 0, img.Width, img.Height))
	part.Max.X, part.Max.Y = min(part.Max.X, part.Min.X+maxCropWidth), min(part.Max.Y, part.Min.Y+maxCropHeight)
	if part.Empty() {
		return nil, errNoForm
	}
	shown := image.NewRGBA(image.Rect(0, 0, part.Dx(), part.Dy()))
	draw.Draw(shown, shown.Bounds(), image.White, image.Point{}, draw.Src)
	for number := part.Min.Y / StripRows; number*StripRows < part.Max.Y; number++ {
		top := number * StripRows
		piece, err := h.partOfStrip(ctx, img, number, image.Rect(part.Min.X, part.Min.Y-top, part.Max.X, part.Max.Y-top))
		if err != nil {
			return nil, err
		}
		at := image.Pt(0, max(top-part.Min.Y, 0))
		draw.Draw(shown, piece.Rect.Add(at), piece, image.Point{}, draw.Over)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, shown, &jpeg.Options{Quality: cropQuality}); err != nil {
		return nil, fmt.Errorf("encode a part of a picture: %w", err)
	}
	return out.Bytes(), nil
}

// partOfStrip is a part of one strip of a picture, which is read row by row, in a slot: a strip of a very wide picture has as many
// pixels as a page.
func (h *Handler) partOfStrip(ctx context.Context, img *vcd.Image, number int, part image.Rectangle) (*image.NRGBA, error) {
	file, err := h.openStrip(ctx, img, number)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	leave, err := h.enter(ctx, false)
	if err != nil {
		return nil, err
	}
	defer leave()
	strip, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("read a strip: %w", err)
	}
	return imgdiff.Part(ctx, strip, part)
}
