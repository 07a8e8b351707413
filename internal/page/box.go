package page

import "image"

// Box is a rectangle of a picture in pixels.
type Box struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// BoxOf converts a rectangle to a box.
func BoxOf(r image.Rectangle) Box {
	return Box{X: r.Min.X, Y: r.Min.Y, Width: r.Dx(), Height: r.Dy()}
}

// Rect converts the box to a rectangle.
func (b Box) Rect() image.Rectangle { return image.Rect(b.X, b.Y, b.X+b.Width, b.Y+b.Height) }

// Rects converts boxes to rectangles.
func Rects(boxes []Box) []image.Rectangle {
	rects := make([]image.Rectangle, len(boxes))
	for i, b := range boxes {
		rects[i] = b.Rect()
	}
	return rects
}

// Overlaps reports whether the two boxes share a pixel.
func (b Box) Overlaps(other Box) bool {
	return b.X < other.X+other.Width && other.X < b.X+b.Width && b.Y < other.Y+other.Height && other.Y < b.Y+b.Height
}

// Covers reports whether the other box lies within this one.
func (b Box) Covers(other Box) bool {
	return b.X <= other.X && b.Y <= other.Y && b.X+b.Width >= other.X+other.Width && b.Y+b.Height >= other.Y+other.Height
}

// common is the number of pixels that two boxes share.
func (b Box) common(other Box) int {
	width := min(b.X+b.Width, other.X+other.Width) - max(b.X, other.X)
	height := min(b.Y+b.Height, other.Y+other.Height) - max(b.Y, other.Y)
	return max(0, width) * max(0, height)
}
