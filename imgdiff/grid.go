package imgdiff

import (
	"math"

	"afterimage/imgdiff/internal/pixelmatch"
)

// Cells are squares of cellSide pixels. Clustering looks at cells instead of
// pixels: 64 times fewer, and fine enough, because boxes are made exact
// afterwards.
const (
	cellShift = 3
	cellSide  = 1 << cellShift
)

// grid gathers the changed pixels of each cell.
type grid struct {
	columns, rows int
	pixels        []uint16  // changed pixels of each cell
	delta         []float32 // sum of their relative metric
}

// newGrid returns an empty grid that covers width × height pixels.
func newGrid(width, height int) *grid {
	columns, rows := (width+cellSide-1)>>cellShift, (height+cellSide-1)>>cellShift
	return &grid{columns: columns, rows: rows,
		pixels: make([]uint16, columns*rows), delta: make([]float32, columns*rows)}
}

// add gathers one changed pixel.
func (g *grid) add(x, y int, delta float64) {
	g.addMany(x, y, 1, delta)
}

// addMany gathers n changed pixels of one cell with the same difference.
func (g *grid) addMany(x, y, n int, delta float64) {
	i := y>>cellShift*g.columns + x>>cellShift
	g.pixels[i] += uint16(n)
	g.delta[i] += float32(n) * relativeDelta(delta)
}

// relativeDelta is the square root of the metric, scaled to 0 … 1.
func relativeDelta(delta float64) float32 {
	return float32(math.Sqrt(delta / pixelmatch.MaxDelta))
}
