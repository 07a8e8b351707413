package imgdiff

import (
	"bytes"
	"fmt"

	"afterimage/imgdiff/internal/pngrows"
)

// samples turns rows of a PNG file, without their filters, into pixels of eight bits per sample: of three bytes where the form of
// the file has opaque pixels only, of four otherwise. The pixels are those that image/png reads; samples of 16 bits are rounded.
type samples struct {
	bpp     int
	convert func(dst, src []byte) // nil if the pixels are those of the file
}

// newSamples returns what reads the rows of a walked file that is not interlaced.
func newSamples(f *pngrows.File) (samples, error) {
	if !f.Known() {
		return samples{}, &PictureError{Kind: ErrCorrupt, Reason: "it is written by a compression or filter method that does not exist"}
	}
	if !f.Orderly() {
		return samples{}, &PictureError{Kind: ErrCorrupt, Reason: "the chunks that describe its pixels are missing or out of order"}
	}
	palette, alphas := f.Chunk("PLTE"), f.Chunk("tRNS")
	if badPalette(f, palette) {
		return samples{}, &PictureError{Kind: ErrCorrupt, Reason: "it has an invalid palette"}
	}
	if badAlphas(f.Colour, alphas) {
		return samples{}, &PictureError{Kind: ErrCorrupt, Reason: "it has invalid transparency"}
	}
	if narrowDepth(f.Depth) {
		switch f.Colour {
		case pngPalette:
			return paletteSamples(f.Depth, palette, alphas), nil
		case pngGrey:
			return greySamples(f.Depth, alphas), nil
		}
	}
	switch (form{f.Colour, f.Depth}) {
	case form{pngGrey, 16}:
		return keyedSamples(1, 2, alphas), nil
	case form{pngRGB, 16}:
		return keyedSamples(3, 2, alphas), nil
	case form{pngRGB, 8}:
		return keyedSamples(3, 1, alphas), nil
	case form{pngGreyAlpha, 8}:
		return samples{4, spreadGreyAlpha}, nil
	case form{pngGreyAlpha, 16}:
		return samples{4, spreadGreyAlpha16}, nil
	case form{pngRGBA, 8}:
		return samples{bpp: 4}, nil
	case form{pngRGBA, 16}:
		return samples{4, narrow}, nil
	}
	return samples{}, &PictureError{Kind: ErrCorrupt, Reason: fmt.Sprintf("no PNG file has %d bits per sample and colour type %d",
		f.Depth, f.Colour)}
}

// form is a colour type with a number of bits per sample.
type form struct{ colour, depth uint8 }

// badPalette reports whether a file has a palette that its form does not allow.
func badPalette(f *pngrows.File, palette []byte) bool {
	if palette == nil {
		return false
	}
	n := len(palette) / 3
	return f.Colour == pngGrey || f.Colour == pngGreyAlpha || len(palette)%3 != 0 || n == 0 || n > 256 || n > 1<<f.Depth
}

// narrowDepth reports whether a byte holds one or several samples.
func narrowDepth(depth uint8) bool { return depth == 1 || depth == 2 || depth == 4 || depth == 8 }

// badAlphas reports whether a tRNS chunk has a length that its colour type does not allow.
func badAlphas(colour uint8, alphas []byte) bool {
	switch {
	case alphas == nil:
		return false
	case colour == pngGrey:
		return len(alphas) != 2
	case colour == pngRGB:
		return len(alphas) != 6
	case colour == pngPalette:
		return len(alphas) > 256
	}
	return true
}

// paletteSamples reads entries of a palette. What lies beyond its end is black, as in libpng.
func paletteSamples(depth uint8, palette, alphas []byte) samples {
	t := entries{depth: int(depth), bpp: 3}
	for i := range t.colours {
		t.colours[i][3] = 255
	}
	for i := range len(palette) / 3 {
		copy(t.colours[i][:3], palette[3*i:])
	}
	if alphas != nil {
		t.bpp = 4
	}
	for i, alpha := range alphas {
		t.colours[i][3] = alpha
	}
	return samples{t.bpp, t.spread}
}

// greySamples reads greys of up to eight bits, of which one may be transparent.
func greySamples(depth uint8, alphas []byte) samples {
	t := entries{depth: int(depth), bpp: 3}
	levels := 1 << depth
	for i := range levels {
		grey := byte(i * 255 / (levels - 1))
		t.colours[i] = [4]byte{grey, grey, grey, 255}
	}
	if alphas != nil {
		t.bpp = 4
		if key := int(alphas[1]); key < levels {
			t.colours[key][3] = 0
		}
	}
	return samples{t.bpp, t.spread}
}

// entries are the colours of a file whose pixels are numbers of up to eight bits.
type entries struct {
	depth, bpp int
	colours    [256][4]byte
}

// spread looks up the colours of a row.
func (t *entries) spread(dst, src []byte) {
	each := 8 / t.depth
	last := byte(1<<t.depth - 1)
	for x := range len(dst) / t.bpp {
		shift := 8 - t.depth*(x%each+1)
		copy(dst[x*t.bpp:(x+1)*t.bpp], t.colours[src[x/each]>>shift&last][:])
	}
}

// keyedSamples reads greys or colours of one or two bytes a sample. alphas is the value of the transparent pixels, in two bytes
// a sample; nil for none.
func keyedSamples(channels, size int, alphas []byte) samples {
	if alphas == nil && channels == 3 && size == 1 {
		return samples{bpp: 3}
	}
	var key []byte // in the form of a pixel
	for i := 0; i < len(alphas); i += 2 {
		key = append(key, alphas[i+2-size:i+2]...)
	}
	bpp := 3
	if key != nil {
		bpp = 4
	}
	return samples{bpp, func(dst, src []byte) {
		length := channels * size
		for x := range len(dst) / bpp {
			from, to := src[x*length:(x+1)*length], dst[x*bpp:(x+1)*bpp]
			for i := range 3 {
				to[i] = sampleOf(from[min(i, channels-1)*size:], size)
			}
			if bpp == 4 {
				to[3] = 255
				if bytes.Equal(from, key) {
					to[3] = 0
				}
			}
		}
	}}
}

// sampleOf is a sample of one or two bytes in eight bits.
func sampleOf(from []byte, size int) byte {
	if size == 1 {
		return from[0]
	}
	return narrowed(from[0], from[1])
}

func spreadGreyAlpha(dst, src []byte) {
	for x := range len(dst) / 4 {
		grey := src[2*x]
		dst[4*x], dst[4*x+1], dst[4*x+2], dst[4*x+3] = grey, grey, grey, src[2*x+1]
	}
}

func spreadGreyAlpha16(dst, src []byte) {
	for x := range len(dst) / 4 {
		grey := narrowed(src[4*x], src[4*x+1])
		dst[4*x], dst[4*x+1], dst[4*x+2], dst[4*x+3] = grey, grey, grey, narrowed(src[4*x+2], src[4*x+3])
	}
}
