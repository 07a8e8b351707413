package capture

import (
	"bytes"
	"image"
	"image/color"
	"slices"
	"testing"

	"afterimage/internal/page"
)

// patterned plays a page on which every row of pixels differs from its neighbours.
func patterned(height string) *fakeTab {
	tab := newFakeTab(eventResponse, eventCommit, eventWorld, eventParsed, eventLoad)
	tab.answers["still"] = `{"width":7,"height":` + height + `,"title":"t"}`
	tab.paint = func(part *image.Gray) {
		for y := part.Rect.Min.Y; y < part.Rect.Max.Y; y++ {
			for x := range part.Rect.Dx() {
				part.SetGray(x, y, color.Gray{Y: uint8(x*x + 7*y + y>>8)})
			}
		}
	}
	return tab
}

func TestSlicesMakeTheSamePicture(t *testing.T) {
	capturePixels := func(height string, step int) (*Shot, *image.RGBA) {
		req := example
		req.SliceHeight = step
		shot, err := Page(t.Context(), patterned(height), req)
		if err != nil {
			t.Fatal(err)
		}
		pixels, err := decode(shot.PNG)
		if err != nil || pixels.Rect.Size() != image.Pt(shot.Width, shot.Height) {
			t.Fatalf("the picture is %v, the shot %d × %d, %v", pixels.Rect, shot.Width, shot.Height, err)
		}
		return shot, pixels
	}
	whole, want := capturePixels("1500", 0)
	if whole.Truncated {
		t.Error("a page of 1,500 pixels was cut")
	}
	var files [][]byte
	for _, step := range []int{1, 64, 499, 500, 750, 1499, 1500, 20_000} {
		shot, got := capturePixels("1500", step)
		if shot.Truncated || !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("slices of %d: truncated %v, equal pixels %v", step, shot.Truncated, bytes.Equal(got.Pix, want.Pix))
		}
		if step < 1500 {
			files = append(files, shot.PNG)
		} else if !bytes.Equal(shot.PNG, whole.PNG) {
			t.Errorf("slices of %d: one slice is not the browser's own file", step)
		}
	}
	for _, file := range files[1:] {
		if !bytes.Equal(file, files[0]) {
			t.Error("equal pixels from other slices are another file")
		}
	}
	for height, truncated := range map[string]bool{"16001": false, "100000": false, "100001": true} {
		if shot, _ := capturePixels(height, 0); shot.Truncated != truncated || shot.Height > MaxHeight {
			t.Errorf("of %s rows %d were captured, truncated %v", height, shot.Height, shot.Truncated)
		}
	}
}

// Chromium blurs what is behind a backdrop-filter at a lower resolution, so the result depends on where the painted part begins: it
// is the same at all multiples of a power of two.
func TestSlicesBeginWhereBlursAreTheSame(t *testing.T) {
	p := picture{step: maxPainted, margin: sliceMargin}
	for slice := range MaxHeight/maxPainted + 1 {
		if top := p.top(slice); top%128 != 0 || slice > 0 && slice*maxPainted-top < 3*40 {
			t.Errorf("slice %d is painted from row %d", slice, top)
		}
	}
}

// A difference below the first slice is found where it is, also when the page has become higher than one slice meanwhile.
func TestDifferencesInSlices(t *testing.T) {
	rows := func(height, step, dark int) picture {
		p := picture{width: 20, height: height, step: step}
		for top := 0; top < height; top += step {
			part := image.NewGray(image.Rect(0, top, 20, min(top+step, height)))
			part.SetGray(3, dark, color.Gray{Y: 99})
			p.slices = append(p.slices, encode(part))
		}
		return p
	}
	low := []page.Box{{Y: 288, Width: 16, Height: 16}}
	for name, test := range map[string]struct {
		before, after picture
		want          []page.Box
	}{
		"equal":         {rows(300, 100, 290), rows(300, 100, 290), []page.Box{}},
		"last row":      {rows(300, 100, -1), rows(300, 100, 299), []page.Box{{Y: 288, Width: 16, Height: 12}}},
		"other slices":  {rows(304, 304, -1), rows(304, 100, 290), low},
		"other height":  {rows(304, 304, -1), rows(320, 100, -1), []page.Box{{Y: 304, Width: 20, Height: 16}}},
		"none is equal": {rows(304, 100, 290), rows(304, 70, -1), low},
	} {
		var d difference
		if err := d.add(test.before, test.after); err != nil {
			t.Fatal(err)
		}
		if boxes := d.boxes(); !slices.Equal(boxes, test.want) {
			t.Errorf("%s: boxes %v, want %v", name, boxes, test.want)
		}
	}
}

// A picture that does not compress is cut where it would take too many bytes.
func TestAPictureOfTooManyBytesIsCut(t *testing.T) {
	tab := patterned("300")
	tab.padding = 50 << 20
	req := example
	req.SliceHeight = 100
	shot, err := Page(t.Context(), tab, req)
	if err != nil || !shot.Truncated || shot.Height != 200 {
		t.Errorf("%+v, %v", shot, err)
	}
}
