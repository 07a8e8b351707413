package imgdiff

import (
	"image"
	"image/color"
	"image/draw"
)

// checkImage refuses what is no picture or too large a one.
func checkImage(img image.Image, maxPixels int) error {
	if img == nil {
		return &PictureError{Kind: ErrFormat, Reason: "there is no picture"}
	}
	size := img.Bounds().Size()
	return checkSize(size.X, size.Y, maxPixels)
}

// fromImage copies a decoded image.
func fromImage(e *effort, img image.Image, maxPixels int) (*picture, error) {
	if err := checkImage(img, maxPixels); err != nil {
		return nil, err
	}
	bounds := img.Bounds()
	p := newPicture(bounds.Dx(), bounds.Dy(), 4)
	line := image.NewNRGBA(image.Rect(0, 0, p.width, 1))
	palette := paletteOf(img)
	wide, wideOpaque := img.(*image.RGBA64)
	wideOpaque = wideOpaque && wide.Opaque()
	for y := range p.height {
		e.check()
		at := image.Pt(bounds.Min.X, bounds.Min.Y+y)
		switch src := img.(type) {
		case *image.NRGBA:
			copy(p.row(y), src.Pix[src.PixOffset(at.X, at.Y):][:4*p.width])
		case *image.NRGBA64:
			narrow(p.row(y), src.Pix[src.PixOffset(at.X, at.Y):][:8*p.width])
		case *image.Gray16:
			spreadGrey16(p.row(y), src.Pix[src.PixOffset(at.X, at.Y):][:2*p.width])
		case *image.Paletted:
			spreadPalette(p.row(y), src.Pix[src.PixOffset(at.X, at.Y):][:p.width], palette)
		default:
			if wideOpaque { // nothing is premultiplied
				narrow(p.row(y), wide.Pix[wide.PixOffset(at.X, at.Y):][:8*p.width])
				break
			}
			draw.Draw(line, line.Rect, img, at, draw.Src)
			copy(p.row(y), line.Pix)
		}
		p.markFinished(y)
	}
	return p, nil
}

// paletteOf is the palette of a picture that has one, without premultiplying and dividing again, which would round twice. Numbers
// beyond its end are transparent.
func paletteOf(img image.Image) *[256][4]byte {
	colours := new([256][4]byte)
	if paletted, ok := img.(*image.Paletted); ok {
		for i, entry := range paletted.Palette[:min(len(paletted.Palette), len(colours))] {
			c, _ := color.NRGBAModel.Convert(entry).(color.NRGBA)
			colours[i] = [4]byte{c.R, c.G, c.B, c.A}
		}
	}
	return colours
}

// spreadPalette looks up the colours of a row.
func spreadPalette(dst, src []byte, colours *[256][4]byte) {
	for x, entry := range src {
		copy(dst[4*x:4*x+4], colours[entry][:])
	}
}

// spreadGrey16 makes opaque pixels of greys of 16 bits.
func spreadGrey16(dst, src []byte) {
	for x := range len(src) / 2 {
		grey := narrowed(src[2*x], src[2*x+1])
		dst[4*x], dst[4*x+1], dst[4*x+2], dst[4*x+3] = grey, grey, grey, 255
	}
}

// borrow makes a picture of the pixels of an image without copying them,
// where the image holds four bytes a pixel. Premultiplied pixels are
// borrowed too: they may be used where they are opaque.
func borrow(img image.Image) (p *picture, premultiplied, ok bool) {
	size := img.Bounds().Size()
	p = &picture{width: size.X, height: size.Y, bpp: 4, borrowed: true}
	switch src := img.(type) {
	case *image.NRGBA:
		p.buf, p.stride = src.Pix[src.PixOffset(src.Rect.Min.X, src.Rect.Min.Y):], src.Stride
	case *image.RGBA:
		p.buf, p.stride = src.Pix[src.PixOffset(src.Rect.Min.X, src.Rect.Min.Y):], src.Stride
		premultiplied = true
	default:
		return nil, false, false
	}
	return p, premultiplied, true
}

// borrowPair borrows the pixels of two images and compares their rows. It
// fails where pixels would have to be converted: with other kinds of images,
// and with premultiplied pixels that are not opaque in rows that differ or
// near them.
func borrowPair(e *effort, before, after image.Image) (*pair, bool) {
	a, premultipliedA, okA := borrow(before)
	b, premultipliedB, okB := borrow(after)
	if !okA || !okB {
		return nil, false
	}
	p := newPair(e, a, b)
	if !premultipliedA && !premultipliedB {
		return p, true
	}
	need := neededRows(p.alike)
	for y := range max(a.height, b.height) {
		e.check()
		if y < p.height && !need[y] {
			continue
		}
		for _, picture := range []*picture{a, b} {
			if y < picture.height && !opaqueRow(picture.row(y)) {
				return nil, false
			}
		}
	}
	return p, true
}

// opaqueRow reports whether all pixels of four bytes are opaque.
func opaqueRow(row []byte) bool {
	all := byte(255)
	for i := 3; i < len(row); i += 4 {
		all &= row[i]
	}
	return all == 255
}

// narrow rounds samples of 16 bits to 8.
func narrow(dst, src []byte) {
	for i := 0; i+1 < len(src); i += 2 {
		dst[i/2] = narrowed(src[i], src[i+1])
	}
}

// narrowed rounds a sample of 16 bits to 8.
func narrowed(high, low byte) byte {
	return byte((uint32(high)<<8*255 + uint32(low)*255 + 32767) / 65535)
}
