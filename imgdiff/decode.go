package imgdiff

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // JPEG pictures are accepted
	"image/png"
	"strings"

	"afterimage/imgdiff/internal/pngrows"
)

// decode reads an encoded picture. PNG files in the form that browsers write
// keep their filters; all others go through package image.
func decode(data []byte, maxPixels int) (*picture, error) {
	if !bytes.HasPrefix(data, []byte(pngrows.Signature)) {
		return decodeOther(data, maxPixels)
	}
	f, err := openPNG(data, maxPixels)
	if err != nil {
		return nil, err
	}
	if !f.Common() {
		return decodeUncommonPNG(f, data, maxPixels)
	}
	p := newPicture(f.Width, f.Height, f.BytesPerPixel())
	if err := fillRows(f, p); err != nil {
		p.release()
		return nil, corrupt(err)
	}
	return p, nil
}

// openPNG reads the header, applies the limits and walks the chunks, all
// before any pixel memory is allocated.
func openPNG(data []byte, maxPixels int) (*pngrows.File, error) {
	f, err := pngrows.ReadHeader(data)
	if err != nil {
		return nil, corrupt(err)
	}
	if err := checkSize(f.Width, f.Height, maxPixels); err != nil {
		return nil, err
	}
	if err := f.Walk(); err != nil {
		return nil, corrupt(err)
	}
	if !f.Plausible(int(f.Depth) * samplesPerPixel(f.Colour)) {
		return nil, &PictureError{Kind: ErrCorrupt,
			Reason: fmt.Sprintf("its pixel data is too little for %d × %d pixels", f.Width, f.Height)}
	}
	return &f, nil
}

// samplesPerPixel is the least number of samples a pixel has.
func samplesPerPixel(colour uint8) int {
	switch colour {
	case pngRGB:
		return 3
	case pngRGBA:
		return 4
	case pngGreyAlpha:
		return 2
	}
	return 1
}

// fillRows inflates all rows and checks their filter types.
func fillRows(f *pngrows.File, p *picture) error {
	r, err := pngrows.NewReader(f, p.buf)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.Finish(); err != nil {
		return err
	}
	for y := range p.height {
		if err := pngrows.CheckFilter(p.filter(y)); err != nil {
			return err
		}
	}
	return nil
}

// corrupt wraps a reader's error for callers.
func corrupt(err error) error {
	return &PictureError{Kind: ErrCorrupt, Reason: strings.TrimPrefix(err.Error(), pngrows.ErrCorrupt.Error()+": ")}
}

// decodeUncommonPNG leaves palettes, grey, 16 bits, interlacing and
// transparent colours to image/png.
func decodeUncommonPNG(f *pngrows.File, data []byte, maxPixels int) (*picture, error) {
	if f.Depth == 16 {
		// image/png holds such pictures in eight bytes a pixel.
		if err := checkSize(f.Width, f.Height, maxPixels/2); err != nil {
			return nil, err
		}
	}
	img, err := guarded(func() (image.Image, error) { return png.Decode(bytes.NewReader(data)) })
	if err != nil {
		return nil, corrupt(err)
	}
	return fromImage(img, maxPixels)
}

// decodeOther leaves other formats to the decoders registered with package
// image: JPEG always, more if the program imports them.
func decodeOther(data []byte, maxPixels int) (*picture, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if errors.Is(err, image.ErrFormat) {
		return nil, &PictureError{Kind: ErrFormat, Reason: "it is neither PNG nor JPEG nor another format built into this program"}
	}
	if err != nil {
		return nil, corrupt(err)
	}
	if err := checkSize(config.Width, config.Height, maxPixels); err != nil {
		return nil, err
	}
	img, err := guarded(func() (image.Image, error) {
		decoded, _, err := image.Decode(bytes.NewReader(data))
		return decoded, err
	})
	if err != nil {
		return nil, corrupt(err)
	}
	return fromImage(img, maxPixels)
}

// guarded runs a decoder that is not ours and reports its panic as an error:
// pictures come from outside.
func guarded(decode func() (image.Image, error)) (img image.Image, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("its decoder failed: %v", cause)
		}
	}()
	return decode()
}
