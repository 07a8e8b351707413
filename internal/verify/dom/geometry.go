package dom

import (
	"image"
	"math"
)

// Displacement is by how much something moved or grew, in fractions of a pixel.
type Displacement struct{ X, Y float64 }

// Beyond reports whether it is larger than that in either direction.
func (d Displacement) Beyond(most float64) bool { return math.Abs(d.X) > most || math.Abs(d.Y) > most }

// Minus is the displacement in excess of another.
func (d Displacement) Minus(other Displacement) Displacement {
	return Displacement{d.X - other.X, d.Y - other.Y}
}

// Up to Follows, an element still stands where its parent put it: tables round to whole pixels. From OwnMove on, what nothing
// explains is a move of its own.
const (
	Follows = 0.6
	OwnMove = 1.01
)

// differs reports whether two lengths differ by more than the layout's rounding.
func differs(a, b float64) bool { return math.Abs(a-b) > 0.6 }

// Area is the number of pixels in a box.
func Area(r image.Rectangle) int { return r.Dx() * r.Dy() }
