package page

import (
	"image"
	"testing"
)

func TestBoxes(t *testing.T) {
	r := image.Rect(1, 2, 30, 40)
	box := BoxOf(r)
	if box != (Box{X: 1, Y: 2, Width: 29, Height: 38}) || Rects([]Box{box})[0] != r {
		t.Errorf("%+v is %v", box, box.Rect())
	}
	c := &Content{Elements: []Element{
		{Number: 0, Box: Box{Width: 100, Height: 100}, Parent: -1},
		{Number: 1, Box: Box{X: 10, Y: 10, Width: 20, Height: 20}},
		{Number: 2, Box: Box{X: 10, Y: 10, Width: 10, Height: 10}, Parent: 1},
	}}
	inner := Box{X: 12, Y: 12, Width: 4, Height: 4}
	if e := c.Covering(inner); e == nil || e.Number != 2 || c.ParentOf(e).Number != 1 || c.ParentOf(&c.Elements[0]) != nil {
		t.Errorf("%+v covers the box", e)
	}
	if e := c.LargestIn(Box{X: 8, Y: 8, Width: 30, Height: 30}); e == nil || e.Number != 1 {
		t.Errorf("%+v is in the box", e)
	}
	if c.LargestIn(inner) != nil || c.Covering(Box{X: 200, Width: 1, Height: 1}) != nil {
		t.Error("an element was found where none is")
	}
	if c.Empty() || !(&Content{Title: "T"}).Empty() || !(*Content)(nil).Empty() {
		t.Error("a title alone is nothing to be read")
	}
}
