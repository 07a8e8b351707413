package capture

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"testing"

	"afterimage/internal/page"
)

// TestFramesAreLookedForWhereTheirElementsAre: one frame is where it should be, one is not, and one is covered.
func TestFramesAreLookedForWhereTheirElementsAre(t *testing.T) {
	var elements []page.Element
	for i, name := range []string{"#right", "#moved", "#covered", "#right", "", "#tiny"} {
		e := page.Element{Selector: name, Tag: "p", Box: page.Box{X: 10, Y: 10 + 40*i, Width: 60, Height: 30}}
		switch i {
		case 3:
			e.Box.Y = 10 // the same box again
		case 5:
			e.Box.Width = leastProbe - 1
		}
		elements = append(elements, e)
	}
	probes := chooseProbes(elements)
	if len(probes) != 3 {
		t.Fatalf("%d frames, want 3: %+v", len(probes), probes)
	}
	img := image.NewRGBA(image.Rect(0, 0, 100, 200))
	for n, moved := range []int{0, 12} {
		draw.Draw(img, probes[n].box.Rect().Add(image.Pt(moved, 0)), image.NewUniform(probeColour(n)), image.Point{}, draw.Src)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	taken, err := wholePicture(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var p Probes
	if err := p.look(taken, probes); err != nil {
		t.Fatal(err)
	}
	const want = "#moved is at (10,50)-(70,80) according to the list, but at (22,50)-(82,80) in the picture"
	if p.Seen != 2 || len(p.Misplaced) != 1 || p.Misplaced[0] != want {
		t.Errorf("%+v", p)
	}
}
