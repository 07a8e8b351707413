package imgdiff

// Structural similarity after "Image Quality Assessment: From Error
// Visibility to Structural Similarity" (Z. Wang, A. Bovik, H. Sheikh,
// E. Simoncelli, 2004), on luminance, with one window a changed cell. Looking
// at changed cells only keeps the figure independent of how large the rest
// of the page is.
const (
	ssimC1 = (0.01 * 255) * (0.01 * 255)
	ssimC2 = (0.03 * 255) * (0.03 * 255)

	// maxWindows bounds the windows a region; larger regions are sampled
	// evenly.
	maxWindows = 64
)

// clusterSSIM is the mean structural similarity over some changed cells.
func clusterSSIM(cells []int32, c *counter) float64 {
	step := max(len(cells)/maxWindows, 1)
	sum, n := 0.0, 0
	for i := 0; i < len(cells); i += step {
		sum += cellSSIM(int(cells[i]), c)
		n++
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}

// cellSSIM is the structural similarity of one cell; 0 where the pictures do
// not overlap, for there is nothing similar.
func cellSSIM(cell int, c *counter) float64 {
	x0, y0 := cell%c.grid.columns*cellSide, cell/c.grid.columns*cellSide
	x1, y1 := min(x0+cellSide, c.width), min(y0+cellSide, c.b.height)
	if x0 >= x1 || y0 >= y1 {
		return 0
	}
	var sumA, sumB, sumAA, sumBB, sumAB int
	rows := 0
	for y := y0; y < y1; y++ {
		rowA, rowB := c.partners(y)
		if rowA == nil {
			continue
		}
		rows++
		for x := x0; x < x1; x++ {
			la, lb := luma(rowA[x*c.a.bpp:]), luma(rowB[x*c.b.bpp:])
			sumA, sumB = sumA+la, sumB+lb
			sumAA, sumBB, sumAB = sumAA+la*la, sumBB+lb*lb, sumAB+la*lb
		}
	}
	if rows == 0 {
		return 0
	}
	n := float64((x1 - x0) * rows)
	meanA, meanB := float64(sumA)/n, float64(sumB)/n
	varA := float64(sumAA)/n - meanA*meanA
	varB := float64(sumBB)/n - meanB*meanB
	cov := float64(sumAB)/n - meanA*meanB
	return (2*meanA*meanB + ssimC1) * (2*cov + ssimC2) /
		((meanA*meanA + meanB*meanB + ssimC1) * (varA + varB + ssimC2))
}

// partners are the finished rows of both pictures that row y of the result
// stands for; nil where one of them has none.
func (c *counter) partners(y int) (before, after []byte) {
	if c.partner == nil {
		if y >= c.height {
			return nil, nil
		}
		return c.before(y), c.after(y)
	}
	other := c.partner[y]
	if other < 0 {
		return nil, nil
	}
	c.a.finish(other)
	c.b.finish(y)
	return c.a.row(other), c.b.row(y)
}

// luma is the luminance of a pixel, 0 to 255, by the weights of BT.601.
func luma(p []byte) int {
	return (77*int(p[0]) + 150*int(p[1]) + 29*int(p[2])) >> 8
}
