package imgdiff

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"

	"afterimage/imgdiff/internal/deflate"
	"afterimage/imgdiff/internal/pngrows"
)

// The palette of a mask picture: nothing is transparent, changed pixels are
// red, anti-aliased ones yellow, as in pixelmatch's output. Inserted rows are
// covered with a thin green.
const (
	maskNothing = iota
	maskChanged
	maskAntiAliased
	maskInserted
)

var (
	maskPalette = []byte{0, 0, 0, 255, 0, 0, 255, 255, 0, 0, 160, 70}
	maskAlphas  = []byte{0, 255, 255, maskInsertedAlpha}
)

// maskInsertedAlpha lets the inserted rows of the after picture show through.
const maskInsertedAlpha = 70

// MaskPNG returns the pixels that Compose marks as a transparent PNG of two bits per pixel, the size of the union, to
// overlay on the after image: changed ones are red, anti-aliased ones yellow, inserted rows green. It contains the boxes of
// the changes for Overlay, as a text chunk "x,y,width,height x,y,width,height …" with the keyword Regions.
func (r *Result) MaskPNG(ctx context.Context) (mask []byte, err error) {
	defer finish(&err)
	e := newEffort(ctx)
	stride := 1 + (r.Width+3)/4
	line := make([]byte, (r.Width+63)/64*16+1)
	d := deflate.New(32 << 10)
	empty := 0
	seen := r.marks()
	for y := range r.Height {
		e.check()
		if !packMaskRow(line[1:], seen.changed.rowOrNil(y), seen.aa.rowOrNil(y), seen.inserted.rowOrNil(y)) {
			empty++
			continue
		}
		d.Zeros(empty * stride)
		empty = 0
		d.Write(line[:stride])
	}
	d.Zeros(empty * stride)
	header := pngHeader{width: r.Width, height: r.Height, depth: 2, colour: pngPalette}
	return encodePNG(header, maskPalette, maskAlphas, boxText(r.outlined()), d.Close()), nil
}

// boxKeyword names the text that holds the regions' boxes.
const boxKeyword = "Regions\x00"

// boxText is the content of the text chunk; nil for no boxes.
func boxText(boxes []image.Rectangle) []byte {
	if len(boxes) == 0 {
		return nil
	}
	text := []byte(boxKeyword)
	for i, box := range boxes {
		if i > 0 {
			text = append(text, ' ')
		}
		text = fmt.Appendf(text, "%d,%d,%d,%d", box.Min.X, box.Min.Y, box.Dx(), box.Dy())
	}
	return text
}

// packMaskRow writes one row at two bits a pixel and tells whether any pixel
// is set.
func packMaskRow(line []byte, changed, aa, inserted []uint64) bool {
	words := max(len(changed), len(aa), len(inserted))
	var any uint64
	for i := range words {
		var c, s uint64
		if changed != nil {
			c = changed[i]
		}
		if aa != nil {
			s = aa[i]
		}
		if inserted != nil { // its entry has both bits
			c |= inserted[i]
			s |= inserted[i]
		}
		any |= c | s
		for j := range 16 { // four pixels a byte, the leftmost in the high bits
			line[16*i+j] = spread4[c>>(4*j)&15] | spread4[s>>(4*j)&15]<<1
		}
	}
	return any != 0
}

// spread4 moves four bits, lowest first, to the even bits of a byte, highest
// first.
var spread4 = func() (table [16]byte) {
	for n := range table {
		for bit := range 4 {
			table[n] |= byte(n>>bit&1) << (6 - 2*bit)
		}
	}
	return table
}()

// rowOrNil is the words of a row, nil for no mask.
func (m *Mask) rowOrNil(y int) []uint64 {
	if m == nil {
		return nil
	}
	return m.row(y)
}

// Colour types of PNG.
const (
	pngGrey      = 0
	pngRGB       = 2
	pngPalette   = 3
	pngGreyAlpha = 4
	pngRGBA      = 6
)

// pngHeader is the part of IHDR that varies.
type pngHeader struct {
	width, height int
	depth         byte // bits per sample
	colour        byte
}

// encodePNG wraps a finished zlib stream. Palette, alphas and text may be nil.
func encodePNG(h pngHeader, palette, alphas, text, stream []byte) []byte {
	out := make([]byte, 0, len(stream)+len(palette)+len(alphas)+len(text)+128)
	out = append(out, pngrows.Signature...)
	ihdr := binary.BigEndian.AppendUint32(nil, uint32(h.width))
	ihdr = binary.BigEndian.AppendUint32(ihdr, uint32(h.height))
	ihdr = append(ihdr, h.depth, h.colour, 0, 0, 0)
	out = appendChunk(out, "IHDR", ihdr)
	if len(palette) > 0 {
		out = appendChunk(out, "PLTE", palette)
	}
	if len(alphas) > 0 {
		out = appendChunk(out, "tRNS", alphas)
	}
	if len(text) > 0 {
		out = appendChunk(out, "tEXt", text)
	}
	out = appendChunk(out, "IDAT", stream)
	return appendChunk(out, "IEND", nil)
}

// appendChunk appends one chunk with its length and checksum.
func appendChunk(out []byte, name string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	start := len(out)
	out = append(out, name...)
	out = append(out, data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
}
