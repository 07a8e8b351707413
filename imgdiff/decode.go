package imgdiff

import (
	"bytes"
	"fmt"
	"strings"

	"afterimage/imgdiff/internal/pngrows"
)

// decode reads an encoded picture. PNG files in the form that browsers write
// keep their filters; interlaced ones and other formats go through package image.
func decode(e *effort, data []byte, maxPixels int) (*picture, error) {
	if !bytes.HasPrefix(data, []byte(pngrows.Signature)) {
		return decodeOther(e, data, maxPixels)
	}
	f, err := openPNG(data, maxPixels)
	if err != nil {
		return nil, err
	}
	if !f.Common() {
		return decodeUncommonPNG(e, f, data, maxPixels)
	}
	p := newPicture(f.Width, f.Height, f.BytesPerPixel())
	if err := fillRows(e, f, p); err != nil {
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
			Reason: fmt.Sprintf("it has too little pixel data for %d × %d pixels", f.Width, f.Height)}
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

// checkedBytes is how much is inflated before the context is heard again.
const checkedBytes = 1 << 20

// fillRows inflates all rows and checks their filter types.
func fillRows(e *effort, f *pngrows.File, p *picture) error {
	r, err := pngrows.NewReader(f, p.buf)
	if err != nil {
		return err
	}
	defer r.Close()
	for have := 0; have < p.height*p.stride; {
		e.check()
		if have, err = r.Fill(have + checkedBytes); err != nil {
			return err
		}
	}
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
