package imgdiff

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"

	"pgregory.net/rapid"

	"afterimage/imgdiff/internal/pngrows"
	"afterimage/imgdiff/internal/subsampled"
)

// pngForm is one of the forms that a PNG file may have.
type pngForm struct {
	pngHeader
	interlaced      bool
	palette, alphas []byte
}

// pngForms are all combinations of depth and colour type that the specification allows.
var pngForms = []pngHeader{
	{depth: 1, colour: pngGrey}, {depth: 2, colour: pngGrey}, {depth: 4, colour: pngGrey}, {depth: 8, colour: pngGrey},
	{depth: 16, colour: pngGrey}, {depth: 8, colour: pngGreyAlpha}, {depth: 16, colour: pngGreyAlpha},
	{depth: 8, colour: pngRGB}, {depth: 16, colour: pngRGB}, {depth: 8, colour: pngRGBA}, {depth: 16, colour: pngRGBA},
	{depth: 1, colour: pngPalette}, {depth: 2, colour: pngPalette}, {depth: 4, colour: pngPalette}, {depth: 8, colour: pngPalette},
}

func (f pngForm) String() string {
	return fmt.Sprintf("%d × %d, colour type %d, %d bits, interlaced %v, palette of %d, %d alphas",
		f.width, f.height, f.colour, f.depth, f.interlaced, len(f.palette)/3, len(f.alphas))
}

// drawForm chooses a form, with a palette and transparency where they are allowed.
func drawForm(t *rapid.T) pngForm {
	f := pngForm{pngHeader: rapid.SampledFrom(pngForms).Draw(t, "form"), interlaced: rapid.Bool().Draw(t, "interlaced")}
	f.width, f.height = rapid.IntRange(1, 70).Draw(t, "width"), rapid.IntRange(1, 40).Draw(t, "height")
	bytesOf := func(n int, name string) []byte { return rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, name) }
	transparent := rapid.Bool().Draw(t, "transparent")
	switch f.colour {
	case pngPalette:
		f.palette = bytesOf(3*rapid.IntRange(1, 1<<f.depth).Draw(t, "entries"), "palette")
		if transparent {
			f.alphas = bytesOf(rapid.IntRange(1, len(f.palette)/3).Draw(t, "alphas"), "alpha")
		}
	case pngGrey:
		if transparent {
			f.alphas = []byte{0, byte(rapid.IntRange(0, 1<<min(f.depth, 8)-1).Draw(t, "key"))}
		}
	case pngRGB:
		if transparent {
			f.alphas = []byte{0, 1, 0, 2, 0, 3}
		}
	}
	return f
}

// bits is how many a pixel has.
func (f pngForm) bits() int { return int(f.depth) * samplesPerPixel(f.colour) }

// adam7 are the passes of an interlaced file: where each begins, and how far its pixels lie apart (PNG specification, 8.2).
var adam7 = [][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}

// rows are filtered rows of any content, of each pass if the file is interlaced. Few values make transparent colours likely.
func (f pngForm) rows(t *rapid.T) []byte {
	passes := [][4]int{{0, 0, 1, 1}}
	if f.interlaced {
		passes = adam7
	}
	length := 0
	starts := map[int]bool{}
	for _, p := range passes {
		width, height := (f.width-p[0]+p[2]-1)/p[2], (f.height-p[1]+p[3]-1)/p[3]
		if width <= 0 || height <= 0 {
			continue
		}
		for range height {
			starts[length] = true
			length += 1 + (width*f.bits()+7)/8
		}
	}
	few := rapid.Bool().Draw(t, "few values")
	seed := newRand(rapid.Uint64().Draw(t, "seed"))
	rows := make([]byte, length)
	for i := range rows {
		switch {
		case starts[i]:
			rows[i] = byte(seed.IntN(5))
			if few {
				rows[i] = pngrows.FilterNone
			}
		case few:
			rows[i] = byte(seed.IntN(4))
		default:
			rows[i] = byte(seed.Uint32())
		}
	}
	return rows
}

// encode makes a file of a form.
func (f pngForm) encode(t rapid.TB, rows []byte) []byte {
	t.Helper()
	var stream bytes.Buffer
	w := zlib.NewWriter(&stream)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return f.wrap(stream.Bytes())
}

// wrap makes a file of a zlib stream.
func (f pngForm) wrap(stream []byte) []byte {
	file := encodePNG(f.pngHeader, f.palette, f.alphas, nil, stream)
	if f.interlaced {
		header := len(pngrows.Signature) + 8
		file[header+12] = 1
		copy(file[header-8:], appendChunk(nil, "IHDR", bytes.Clone(file[header:header+13])))
	}
	return file
}

// standard is the file's pixels as image/png reads them, at eight bits per sample.
func standard(t *rapid.T, file []byte) *image.NRGBA {
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatalf("image/png: %v", err)
	}
	out := image.NewNRGBA(img.Bounds())
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.SetNRGBA(x, y, eightBits(img, x, y))
		}
	}
	return out
}

// eightBits is a pixel of an image, without the loss of premultiplying it first.
func eightBits(img image.Image, x, y int) color.NRGBA {
	round := func(v uint16) uint8 { return uint8((uint32(v)*255 + 32767) / 65535) }
	switch src := img.(type) {
	case *image.Gray16:
		grey := round(src.Gray16At(x, y).Y)
		return color.NRGBA{grey, grey, grey, 255}
	case *image.RGBA64: // opaque
		c := src.RGBA64At(x, y)
		return color.NRGBA{round(c.R), round(c.G), round(c.B), 255}
	case *image.NRGBA64:
		c := src.NRGBA64At(x, y)
		return color.NRGBA{round(c.R), round(c.G), round(c.B), round(c.A)}
	}
	return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
}

// TestEveryFormReadsAsByTheStandardLibrary: whatever the form of a file, what is read of it row by row is what image/png reads of
// the whole.
func TestEveryFormReadsAsByTheStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawForm(t)
		file := f.encode(t, f.rows(t))
		want := standard(t, file)
		if got := Streamable(file[:HeaderBytes]); got == f.interlaced {
			t.Fatalf("%v: streamable %v", f, got)
		}
		box := image.Rect(rapid.IntRange(0, f.width-1).Draw(t, "left"), rapid.IntRange(0, f.height-1).Draw(t, "top"),
			rapid.IntRange(1, 99).Draw(t, "right"), rapid.IntRange(1, 99).Draw(t, "bottom"))
		part := box.Intersect(want.Rect)
		if part.Empty() {
			return
		}
		ctx := t.Context()
		got, err := Part(ctx, file, box)
		if err != nil {
			t.Fatalf("%v: %v", f, err)
		}
		samePixels(t, fmt.Sprint(f, ", part ", part), got, want.SubImage(part).(*image.NRGBA))
		e := newEffort(ctx)
		whole, err := fromImage(e, want, DefaultMaxPixels)
		if err != nil {
			t.Fatal(err)
		}
		maxWidth := rapid.IntRange(1, 80).Draw(t, "shown width")
		expected, err := cropPicture(e, whole, box, maxWidth, 90)
		if err != nil {
			t.Fatal(err)
		}
		if small, err := Crop(ctx, file, box, maxWidth, 90); err != nil || !bytes.Equal(small, expected) {
			t.Fatalf("%v: the crop %v differs: %v", f, box, err)
		}
		if expected, err = encodeSmall(e, halved(e, whole), 90); err != nil {
			t.Fatal(err)
		}
		if small, err := Preview(ctx, file, 90); err != nil || !bytes.Equal(small, expected) {
			t.Fatalf("%v: the preview differs: %v", f, err)
		}
		checkFormStrips(t, f, file, want)
	})
}

// halved is half of a picture whose pixels are all there, with one colour for four of its pixels.
func halved(e *effort, p *picture) *image.YCbCr {
	size := previewSize(p.width, p.height)
	rows := shrink(e, p, image.Rect(0, 0, p.width, p.height), size.X, size.Y)
	img := subsampled.New(size)
	for y := range size.Y {
		img.Add(y, rows.Pix[y*rows.Stride:])
	}
	return img.Done()
}

// checkFormStrips puts the strips of a file together.
func checkFormStrips(t *rapid.T, f pngForm, file []byte, want *image.NRGBA) {
	rows, y := rapid.IntRange(1, 50).Draw(t, "rows"), 0
	err := Strips(t.Context(), file, rows, func(strip []byte) error {
		got := standard(t, strip)
		samePixels(t, fmt.Sprint(f, ", strip at row ", y), got,
			want.SubImage(image.Rect(0, y, f.width, y+got.Rect.Dy())).(*image.NRGBA))
		y += got.Rect.Dy()
		return nil
	})
	if err != nil || y != f.height {
		t.Fatalf("%v: %d rows in strips, %v", f, y, err)
	}
}

func samePixels(t *rapid.T, what string, got, want *image.NRGBA) {
	if got.Rect.Size() != want.Rect.Size() {
		t.Fatalf("%s: %v instead of %v", what, got.Rect, want.Rect)
	}
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			a := got.NRGBAAt(got.Rect.Min.X+x, got.Rect.Min.Y+y)
			b := want.NRGBAAt(want.Rect.Min.X+x, want.Rect.Min.Y+y)
			if a != b {
				t.Fatalf("%s: pixel %d, %d is %v instead of %v", what, x, y, a, b)
			}
		}
	}
}

// TestMisplacedChunksAreRefused: what image/png refuses for its palette or transparency is refused here as well.
func TestMisplacedChunksAreRefused(t *testing.T) {
	palette, alphas := []byte{1, 2, 3, 4, 5, 6}, []byte{0, 9}
	whole := func(depth, colour byte, chunks ...any) []byte {
		f := pngForm{pngHeader: pngHeader{width: 3, height: 2, depth: depth, colour: colour}}
		file := f.encode(t, make([]byte, 2*(1+(3*f.bits()+7)/8)))
		at := bytes.Index(file, []byte("IDAT")) - 4
		head := bytes.Clone(file[:at])
		for i := 0; i < len(chunks); i += 2 {
			head = appendChunk(head, chunks[i].(string), chunks[i+1].([]byte))
		}
		return append(head, file[at:]...)
	}
	method := whole(8, pngGrey)
	method[len(pngrows.Signature)+8+10] = 1
	for name, file := range map[string][]byte{
		"palette without entries":      whole(8, pngPalette),
		"entries in part":              whole(8, pngPalette, "PLTE", palette[:5]),
		"more entries than numbers":    whole(1, pngPalette, "PLTE", append(palette, palette...)),
		"alphas before the palette":    whole(8, pngPalette, "tRNS", alphas, "PLTE", palette),
		"two palettes":                 whole(8, pngPalette, "PLTE", palette, "PLTE", palette),
		"palette of greys":             whole(8, pngGrey, "PLTE", palette),
		"key of greys, one byte":       whole(8, pngGrey, "tRNS", alphas[:1]),
		"key of colours, two bytes":    whole(8, pngRGB, "tRNS", alphas),
		"key of colours, too late":     whole(16, pngRGB, "tRNS", []byte("abcdef"), "PLTE", palette),
		"key where alphas are":         whole(8, pngRGBA, "tRNS", []byte("abcdef")),
		"three bits":                   whole(3, pngGrey),
		"palette of 16 bits":           whole(16, pngPalette, "PLTE", palette),
		"a colour type of its own":     whole(8, 5),
		"unknown compression":          mendChecksums(method),
		"palette behind the pixels":    behindPixels(whole(8, pngRGB), "PLTE", palette),
		"transparency behind the same": behindPixels(whole(8, pngGrey), "tRNS", alphas),
	} {
		t.Run(name, func(t *testing.T) {
			checkLikeStandard(t, file)
			if _, err := png.Decode(bytes.NewReader(file)); err == nil {
				t.Fatal("image/png accepts it")
			}
			if _, err := Preview(t.Context(), file, 80); err == nil {
				t.Error("it has a preview")
			}
			if _, _, err := CheckPNG(t.Context(), file, 0); err == nil {
				t.Error("it may be uploaded")
			}
			if err := Strips(t.Context(), file, 1, func([]byte) error { return nil }); err == nil {
				t.Error("it has strips")
			}
		})
	}
}

// behindPixels puts a chunk in front of the end of a file.
func behindPixels(file []byte, name string, data []byte) []byte {
	end := len(file) - 12
	if binary.BigEndian.Uint32(file[end:]) != 0 {
		panic("the end is no empty chunk")
	}
	return append(appendChunk(bytes.Clone(file[:end]), name, data), file[end:]...)
}
