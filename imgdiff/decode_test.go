package imgdiff

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"afterimage/imgdiff/internal/pngrows"
)

// rawPNG builds a file from filtered rows, one IDAT chunk for every piece of
// the given size.
func rawPNG(t testing.TB, h pngHeader, rows []byte, piece int) []byte {
	t.Helper()
	var stream bytes.Buffer
	w := zlib.NewWriter(&stream)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	whole := encodePNG(h, nil, nil, nil, nil)
	out := append([]byte(nil), whole[:len(pngrows.Signature)+25]...)
	for data := stream.Bytes(); len(data) > 0; {
		n := min(piece, len(data))
		out = appendChunk(out, "IDAT", data[:n])
		data = data[n:]
	}
	return appendChunk(out, "IEND", nil)
}

// randomRows is rows of every filter type, noisy here and flat there.
func randomRows(r *rand.Rand, width, height, bpp int) []byte {
	var rows []byte
	for range height {
		rows = append(rows, byte(r.IntN(5)))
		for x := 0; x < width*bpp; {
			run, value, noisy := 1+r.IntN(40), byte(r.IntN(3)), r.IntN(2) == 0
			for ; run > 0 && x < width*bpp; run-- {
				if noisy {
					value = byte(r.Uint32())
				}
				rows = append(rows, value)
				x++
			}
		}
	}
	return rows
}

// checkLikeStandard holds decoding of one file to image/png's.
func checkLikeStandard(t *testing.T, data []byte) {
	t.Helper()
	const limit = 1 << 20
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err == nil && config.Width > limit/config.Height {
		return
	}
	want, wantErr := png.Decode(bytes.NewReader(data))
	got, err := decode(newEffort(t.Context()), data, limit)
	switch {
	case wantErr == nil && err != nil:
		t.Fatalf("refused with %v what image/png accepts", err)
	case wantErr != nil && err == nil && !strings.Contains(wantErr.Error(), "too much pixel data"):
		t.Fatalf("accepted what image/png refuses with %v", wantErr)
	case wantErr != nil || err != nil:
		var pe *PictureError
		if err != nil && !errors.As(err, &pe) {
			t.Fatalf("error %v is no *PictureError", err)
		}
		return
	}
	defer got.release()
	got.finishAll(newEffort(t.Context()))
	expected, err := fromImage(newEffort(t.Context()), want, limit)
	if err != nil {
		t.Fatal(err)
	}
	got = got.withAlpha(newEffort(t.Context()))
	for y := range expected.height {
		if !bytes.Equal(got.row(y)[:4*got.width], expected.row(y)[:4*got.width]) {
			t.Fatalf("row %d differs from image/png's", y)
		}
	}
}

func TestDecodesLikeStandardLibrary(t *testing.T) {
	for seed := range uint64(120) {
		r := newRand(seed)
		width, height := 1+r.IntN(80), 1+r.IntN(20)
		for bpp, colour := range map[int]byte{3: pngRGB, 4: pngRGBA} {
			h := pngHeader{width: width, height: height, depth: 8, colour: colour}
			checkLikeStandard(t, rawPNG(t, h, randomRows(r, width, height, bpp), 1+r.IntN(2000)))
		}
	}
}

// uncommonPNGs are files of the forms that the own reader leaves out.
func uncommonPNGs(t testing.TB) map[string][]byte {
	r := newRand(9)
	box := image.Rect(0, 0, 9, 7)
	grey, grey16 := image.NewGray(box), image.NewGray16(box)
	rgba64, nrgba64 := image.NewRGBA64(box), image.NewNRGBA64(box)
	paletted := image.NewPaletted(box, color.Palette{color.White, color.Black, color.NRGBA{9, 8, 7, 100}})
	for _, pix := range [][]byte{grey.Pix, grey16.Pix, rgba64.Pix, nrgba64.Pix, paletted.Pix} {
		for i := range pix {
			pix[i] = byte(r.Uint32())
		}
	}
	for i := range paletted.Pix {
		paletted.Pix[i] %= 3
	}
	for i := 6; i < len(rgba64.Pix); i += 8 {
		rgba64.Pix[i], rgba64.Pix[i+1] = 255, 255
	}
	return map[string][]byte{"grey": encode(t, grey), "grey16": encode(t, grey16), "rgb16": encode(t, rgba64),
		"rgba16": encode(t, nrgba64), "palette": encode(t, paletted)}
}

func TestDecodesUncommonForms(t *testing.T) {
	for name, data := range uncommonPNGs(t) {
		t.Run(name, func(t *testing.T) { checkLikeStandard(t, data) })
	}
}

func TestDecodesJPEG(t *testing.T) {
	img := newCanvas(30, 20, color.NRGBA{200, 100, 50, 255})
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img.NRGBA, nil); err != nil {
		t.Fatal(err)
	}
	result, err := Compare(t.Context(), out.Bytes(), encode(t, img.NRGBA), DefaultOptions())
	if err != nil || result.Changed != 0 {
		t.Errorf("a flat JPEG against its PNG: %+v, error %v", result, err)
	}
}

// badFiles are refused, each for its own reason.
func badFiles(t testing.TB) map[string]struct {
	data []byte
	kind error
} {
	type bad = struct {
		data []byte
		kind error
	}
	good := encode(t, newCanvas(60, 50, color.NRGBA{200, 100, 50, 255}).NRGBA)
	damaged := bytes.Clone(good)
	damaged[len(damaged)-20] ^= 1
	sized := func(width, height uint32) []byte {
		data := bytes.Clone(good)
		binary.BigEndian.PutUint32(data[16:], width)
		binary.BigEndian.PutUint32(data[20:], height)
		binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
		return data
	}
	// A whole stream of too few rows: only inflating it tells.
	rows := make([]byte, 100*(1+3*1000))
	short := rawPNG(t, pngHeader{width: 1000, height: 4000, depth: 8, colour: pngRGB}, rows, 1<<20)
	filter := make([]byte, 4)
	filter[0] = 5
	wrongSum := rawPNG(t, pngHeader{width: 1, height: 1, depth: 8, colour: pngRGB}, make([]byte, 4), 1<<20)
	at := bytes.Index(wrongSum, []byte("IEND")) - 9
	wrongSum[at]++
	chunk := bytes.Index(wrongSum, []byte("IDAT"))
	binary.BigEndian.PutUint32(wrongSum[at+1:], crc32.ChecksumIEEE(wrongSum[chunk:at+1]))
	return map[string]bad{
		"empty":           {nil, ErrFormat},
		"text":            {[]byte("<html>not a picture</html>"), ErrFormat},
		"WebP":            {[]byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00"), ErrFormat},
		"signature only":  {good[:8], ErrCorrupt},
		"cut in header":   {good[:20], ErrCorrupt},
		"cut in pixels":   {good[:len(good)-30], ErrCorrupt},
		"cut before end":  {good[:len(good)-12], ErrCorrupt},
		"flipped bit":     {damaged, ErrCorrupt},
		"no width":        {sized(0, 50), ErrCorrupt},
		"no height":       {sized(60, 0), ErrCorrupt},
		"negative":        {sized(1<<31, 50), ErrCorrupt},
		"bomb":            {sized(60_000, 60_000), ErrTooLarge},
		"very wide":       {sized(1<<24, 1), ErrTooLarge},
		"too little data": {sized(9_000, 9_000), ErrCorrupt},
		"short stream":    {short, ErrCorrupt},
		"wrong filter":    {rawPNG(t, pngHeader{width: 1, height: 1, depth: 8, colour: pngRGB}, filter, 9), ErrCorrupt},
		"wrong Adler-32":  {wrongSum, ErrCorrupt},
	}
}

func TestRefusesBadFiles(t *testing.T) {
	good := encode(t, newCanvas(60, 50, color.NRGBA{1, 2, 3, 255}).NRGBA)
	for name, bad := range badFiles(t) {
		t.Run(name, func(t *testing.T) {
			var pe *PictureError
			if _, err := Compare(t.Context(), good, bad.data, DefaultOptions()); !errors.Is(err, bad.kind) ||
				!errors.As(err, &pe) || pe.Side != "after" {
				t.Errorf("as after: error %v, want %v", err, bad.kind)
			}
			if _, err := Compare(t.Context(), bad.data, good, DefaultOptions()); !errors.Is(err, bad.kind) ||
				!errors.As(err, &pe) || pe.Side != "before" {
				t.Errorf("as before: error %v, want %v", err, bad.kind)
			}
			if _, err := Preview(t.Context(), bad.data, 80); !errors.Is(err, bad.kind) {
				t.Errorf("preview: error %v, want %v", err, bad.kind)
			}
			if _, err := Blank(t.Context(), bad.data); !errors.Is(err, bad.kind) {
				t.Errorf("blank: error %v, want %v", err, bad.kind)
			}
		})
	}
}

// TestSkipsLargeAncillaryChunks: what zTXt, iCCP and APNG frames would
// inflate to is never inflated.
func TestSkipsLargeAncillaryChunks(t *testing.T) {
	var zeros bytes.Buffer
	w := zlib.NewWriter(&zeros)
	if _, err := w.Write(make([]byte, 64<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	img := newCanvas(60, 50, color.NRGBA{1, 2, 3, 255}).NRGBA
	plain := encode(t, img)
	head := len(pngrows.Signature) + 25
	data := bytes.Clone(plain[:head])
	for _, name := range []string{"zTXt", "iCCP", "acTL", "fdAT"} {
		data = appendChunk(data, name, append([]byte("name\x00\x00"), zeros.Bytes()...))
	}
	data = append(data, plain[head:]...)
	result, err := Compare(t.Context(), plain, data, DefaultOptions())
	if err != nil || !result.Equal {
		t.Errorf("result %+v, error %v", result, err)
	}
}

// FuzzDecode holds the reader to image/png: the same files accepted, with the
// same pixels.
func FuzzDecode(f *testing.F) {
	r := newRand(1)
	for i := range 4 {
		f.Add(rawPNG(f, pngHeader{width: 7 + i, height: 5, depth: 8, colour: pngRGB}, randomRows(r, 7+i, 5, 3), 40))
		f.Add(rawPNG(f, pngHeader{width: 7 + i, height: 5, depth: 8, colour: pngRGBA}, randomRows(r, 7+i, 5, 4), 40))
	}
	for _, data := range uncommonPNGs(f) {
		f.Add(data)
	}
	for _, bad := range badFiles(f) {
		if len(bad.data) < 10_000 {
			f.Add(bad.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// Checksums would stop nearly every changed file; mend them.
		if !bytes.HasPrefix(data, []byte(pngrows.Signature)) {
			return
		}
		checkLikeStandard(t, mendChecksums(data))
		checkLikeStandard(t, data)
	})
}

// mendChecksums gives every chunk its right CRC.
func mendChecksums(data []byte) []byte {
	data = bytes.Clone(data)
	for at := len(pngrows.Signature); len(data)-at >= 12; {
		length := binary.BigEndian.Uint32(data[at:])
		if uint64(length) > uint64(len(data)-at-12) {
			break
		}
		end := at + 8 + int(length)
		binary.BigEndian.PutUint32(data[end:], crc32.ChecksumIEEE(data[at+4:end]))
		at = end + 4
	}
	return data
}
