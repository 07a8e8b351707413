package imgdiff

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"testing"
)

// encodeFiltered writes an opaque picture with filters of our choice.
func encodeFiltered(t testing.TB, img *image.NRGBA, choose func(y int) byte) []byte {
	t.Helper()
	width, height := img.Rect.Dx(), img.Rect.Dy()
	const bpp = 3
	above, row := make([]byte, bpp*width), make([]byte, bpp*width)
	var rows []byte
	for y := range height {
		for x := range width {
			copy(row[bpp*x:], img.Pix[img.PixOffset(x, y):][:bpp])
		}
		filter := choose(y)
		rows = append(rows, filter)
		for i, value := range row {
			var left, corner int
			if i >= bpp {
				left, corner = int(row[i-bpp]), int(above[i-bpp])
			}
			rows = append(rows, value-predicted(filter, left, int(above[i]), corner))
		}
		above, row = row, above
	}
	return rawPNG(t, pngHeader{width: width, height: height, depth: 8, colour: pngRGB}, rows, 5000)
}

// predicted is what a filter takes from a byte.
func predicted(filter byte, left, up, corner int) byte {
	switch filter {
	case 1:
		return byte(left)
	case 2:
		return byte(up)
	case 3:
		return byte((left + up) / 2)
	case 4:
		p := left + up - corner
		a, b, c := max(p-left, left-p), max(p-up, up-p), max(p-corner, corner-p)
		switch {
		case a <= b && a <= c:
			return byte(left)
		case b <= c:
			return byte(up)
		}
		return byte(corner)
	}
	return 0
}

// TestFiltersDoNotMatter: the same pictures give the same result, whatever
// filters their files were written with.
func TestFiltersDoNotMatter(t *testing.T) {
	r := newRand(12)
	mixed := make([]byte, 4000)
	for i := range mixed {
		mixed[i] = byte(r.IntN(5))
		if i%200 > 60 {
			mixed[i] = 2 + byte(i%3) // long stretches that need the row above
		}
	}
	choices := map[string]func(y int) byte{"mixed": func(y int) byte { return mixed[y] }}
	for filter := range byte(5) {
		choices[fmt.Sprint("only ", filter)] = func(int) byte { return filter }
	}
	for seed := range uint64(6) {
		e := newEdit(newRand(seed))
		before, after := drawPage(e.before), drawPage(e.after)
		tinted := canvas{before}.copy()
		for i := range tinted.Pix {
			if i&3 < 3 {
				tinted.Pix[i] -= tinted.Pix[i] / 3
			}
		}
		dotted := canvas{before}.copy()
		for y := 5; y < dotted.Rect.Dy(); y += 90 {
			dotted.fillBox(image.Rect(20, y, 40, y+4), color.NRGBA{255, 0, 0, 255})
		}
		for version, other := range map[string]*image.NRGBA{"edited": after, "tinted": tinted.NRGBA, "dotted": dotted.NRGBA,
			"same": canvas{before}.copy().NRGBA} {
			want, err := CompareImages(t.Context(), before, other, DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			for name, choose := range choices {
				// A different last byte of text keeps equal pictures from
				// being equal files.
				files := [2][]byte{encodeFiltered(t, before, choose), append(encodeFiltered(t, other, choose), 0)}
				got, err := Compare(t.Context(), files[0], files[1], DefaultOptions())
				if err != nil {
					t.Fatal(err)
				}
				if got.Equal != want.Equal || got.Changed != want.Changed || got.AntiAliased != want.AntiAliased ||
					got.Residual != want.Residual || !slices.Equal(got.Bands, want.Bands) || !slices.Equal(got.Regions, want.Regions) {
					t.Errorf("page %d %s, filters %s: %d changed, %d remain, %+v; want %d, %d, %+v", seed, version, name,
						got.Changed, got.Residual, got.Bands, want.Changed, want.Residual, want.Bands)
				}
			}
		}
	}
}
