package gallery

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"

	"afterimage/vcd"
)

// Limits of a part of a picture.
const (
	maxCropWidth  = 1440
	maxCropHeight = 900
	cropQuality   = 85
)

// Crop is a part of a picture as a JPEG file, as far as it lies in the picture, and at most 1440 × 900 of it. Only the strips
// that it lies in are decoded.
func (h *Handler) Crop(ctx context.Context, img *vcd.Image, part image.Rectangle) ([]byte, error) {
	part = part.Intersect(image.Rect(0, 0, img.Width, img.Height))
	part.Max.X, part.Max.Y = min(part.Max.X, part.Min.X+maxCropWidth), min(part.Max.Y, part.Min.Y+maxCropHeight)
	if part.Empty() {
		return nil, errNoForm
	}
	shown := image.NewRGBA(image.Rect(0, 0, part.Dx(), part.Dy()))
	draw.Draw(shown, shown.Bounds(), image.White, image.Point{}, draw.Src)
	for number := part.Min.Y / StripRows; number*StripRows < part.Max.Y; number++ {
		strip, err := h.decodedStrip(ctx, img, number)
		if err != nil {
			return nil, err
		}
		at := image.Rect(0, number*StripRows-part.Min.Y, shown.Rect.Dx(), (number+1)*StripRows-part.Min.Y)
		draw.Draw(shown, at, strip, image.Pt(part.Min.X, 0), draw.Over)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, shown, &jpeg.Options{Quality: cropQuality}); err != nil {
		return nil, fmt.Errorf("encode a part of a picture: %w", err)
	}
	return out.Bytes(), nil
}

// decodedStrip is one strip of a picture, decoded in a slot: it takes a few megabytes.
func (h *Handler) decodedStrip(ctx context.Context, img *vcd.Image, number int) (image.Image, error) {
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
	strip, err := png.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("decode a strip: %w", err)
	}
	return strip, nil
}
