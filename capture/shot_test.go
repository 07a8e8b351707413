package capture

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"afterimage/internal/page"
)

// painting plays a page whose pixel at (17, 40) is as bright as the numbers, one for each picture, the last for all others.
func painting(numbers ...uint8) (*fakeTab, *int) {
	tab := newFakeTab(eventResponse, eventCommit, eventWorld, eventParsed, eventLoad)
	tab.answers["still"] = `{"width":30,"height":50,"title":"t"}`
	tab.answers["maybeMoving"] = "true"
	taken := 0
	tab.paint = func(page *image.Gray) {
		page.SetGray(17, 40, color.Gray{Y: numbers[min(taken, len(numbers)-1)]})
		taken++
	}
	return tab, &taken
}

func TestShotsUntilTwoAgree(t *testing.T) {
	everywhere := []page.Box{{X: 16, Y: 32, Width: 14, Height: 16}} // the tile of the pixel within the picture
	for name, test := range map[string]struct {
		bright   []uint8
		taken    int
		unstable []page.Box
	}{
		"still at once": {[]uint8{1}, 2, []page.Box{}},
		"still later":   {[]uint8{1, 2, 3}, 4, []page.Box{}},
		"for ever":      {[]uint8{1, 2, 3, 4}, 4, everywhere},
		"to and fro":    {[]uint8{1, 2, 1, 2}, 4, everywhere},
	} {
		tab, taken := painting(test.bright...)
		shot, err := Page(t.Context(), tab, example)
		if err != nil {
			t.Fatal(err)
		}
		if *taken != test.taken || !slices.Equal(shot.Manifest.Unstable, test.unstable) || !slices.Equal(shot.Manifest.Unstable,
			test.unstable) {
			t.Errorf("%s: %d pictures, unstable %v, want %d and %v", name, *taken, shot.Manifest.Unstable, test.taken, test.unstable)
		}
		if unsteady := slices.Contains(shot.Manifest.TimedOut, "stability"); unsteady != (len(test.unstable) > 0) {
			t.Errorf("%s: timed out %q", name, shot.Manifest.TimedOut)
		}
	}
	tab, taken := painting(1, 2)
	tab.answers["maybeMoving"] = "false"
	if _, err := Page(t.Context(), tab, example); err != nil || *taken != 1 {
		t.Errorf("a page that cannot have moved: %d pictures (%v)", *taken, err)
	}
}

func whole(t *testing.T, file []byte) picture {
	t.Helper()
	p, err := wholePicture(file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDifferenceIsBounded(t *testing.T) {
	paint := func(width, height int, bright func(x, y int) bool) picture {
		page := image.NewGray(image.Rect(0, 0, width, height))
		for y := range height {
			for x := range width {
				if bright(x, y) {
					page.SetGray(x, y, color.Gray{Y: 255})
				}
			}
		}
		return whole(t, encode(page))
	}
	none := func(int, int) bool { return false }
	chessboard := func(x, y int) bool { return (x/tileSize+y/tileSize)%2 == 0 }
	for name, test := range map[string]struct {
		before, after picture
		want          int // rectangles
	}{
		"equal":        {paint(64, 64, none), paint(64, 64, none), 0},
		"two places":   {paint(640, 640, none), paint(640, 640, func(x, y int) bool { return x == y && (x == 3 || x == 300) }), 2},
		"page grew":    {paint(64, 64, none), paint(64, 96, none), 1},
		"page widened": {paint(64, 64, none), paint(90, 64, none), 1},
		"everywhere":   {paint(640, 640, none), paint(640, 640, chessboard), 1},
	} {
		var d difference
		if err := d.add(test.before, test.after); err != nil {
			t.Fatal(err)
		}
		boxes := d.boxes()
		if len(boxes) != test.want {
			t.Errorf("%s: %d boxes %v, want %d", name, len(boxes), boxes, test.want)
		}
		for _, b := range boxes {
			if !image.Rect(b.X, b.Y, b.X+b.Width, b.Y+b.Height).In(d.last) || b.Width == 0 || b.Height == 0 {
				t.Errorf("%s: box %v outside of %v", name, b, d.last)
			}
		}
	}
	broken := picture{width: 64, height: 64, step: 64, slices: [][]byte{[]byte("no picture")}}
	if err := new(difference).add(broken, picture{}); err == nil {
		t.Error("something else than a picture was accepted")
	}
}

// TestDifferenceSpreads over the texts that it touches, and over no others.
func TestDifferenceSpreads(t *testing.T) {
	d := difference{tiles: map[image.Point]bool{image.Pt(2, 1): true}, last: image.Rect(0, 0, 640, 640)}
	d.spread([]page.Box{{X: 0, Y: 16, Width: 160, Height: 16}, {X: 0, Y: 320, Width: 160, Height: 16},
		{X: -9, Y: 600, Width: 9000, Height: 9000}})
	if want := []page.Box{{X: 0, Y: 16, Width: 160, Height: 16}}; !slices.Equal(d.boxes(), want) {
		t.Errorf("boxes are %v, want %v", d.boxes(), want)
	}
}
