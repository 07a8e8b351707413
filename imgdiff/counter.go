package imgdiff

import "image"

// counter finds the changed and the anti-aliased pixels of two pictures and
// gathers them in cells for the regions.
type counter struct {
	a, b          *picture
	result        *Result
	width, height int // the overlap of both pictures
	limit         float64
	includeAA     bool
	ignored       *Mask // nil when nothing is ignored
	changed, aa   *Mask
	grid          *grid
	differs       bool // some pixel differs, ignored or not
}

// newCounter prepares the comparison of two decoded pictures.
func newCounter(a, b *picture, r *Result, o Options) *counter {
	c := &counter{
		a: a, b: b, result: r,
		width: min(a.width, b.width), height: min(a.height, b.height),
		limit: maxDelta * o.Threshold * o.Threshold, includeAA: o.IncludeAntiAliased,
		ignored: ignoredPixels(r.Width, r.Height, o),
		changed: NewMask(r.Width, r.Height), aa: NewMask(r.Width, r.Height),
		grid: newGrid(r.Width, r.Height),
	}
	return c
}

// ignoredPixels joins the ignore boxes and the instability mask, or returns
// nil when there are none.
func ignoredPixels(width, height int, o Options) *Mask {
	if len(o.Ignore) == 0 && o.Instability == nil {
		return nil
	}
	m := NewMask(width, height)
	m.Union(o.Instability)
	for _, box := range o.Ignore {
		m.SetRect(box)
	}
	return m
}

// run compares every row of the overlap.
func (c *counter) run() {
	for y := range c.height {
		c.compareRow(y)
	}
}

// neighbours gathers the rows around row y.
func (c *counter) neighbours(y int) *neighbourhood {
	n := &neighbourhood{y: y, width: c.width, height: c.height, bpp: c.a.bpp, mask: c.a.mask()}
	for i := range n.before {
		if r := y + i - 2; r >= 0 && r < c.height {
			n.before[i], n.after[i] = c.a.row(r), c.b.row(r)
		}
	}
	return n
}

// compareRow counts one row.
func (c *counter) compareRow(y int) {
	n := c.neighbours(y)
	rowA, rowB := n.before[2], n.after[2]
	for x := range c.width {
		pa, pb := n.pixel(rowA, x), n.pixel(rowB, x)
		if pa == pb {
			continue
		}
		c.differs = true
		var delta float64
		if n.bpp == 4 && pa&pb < opaque {
			delta = colorDeltaBlended(pa, pb, 4*(y*c.width+x))
		} else {
			delta = colorDelta(pa, pb)
		}
		if delta <= c.limit || c.ignored.At(x, y) {
			continue
		}
		if !c.includeAA && n.antialiased(x) {
			c.aa.Set(x, y)
			continue
		}
		c.changed.Set(x, y)
		c.grid.add(x, y, delta)
	}
}

// outside counts the part of the union that lies outside either picture.
func (c *counter) outside() {
	union := image.Rect(0, 0, c.result.Width, c.result.Height)
	right := image.Rect(c.width, 0, union.Max.X, c.height)
	below := image.Rect(0, c.height, union.Max.X, union.Max.Y)
	for _, box := range []image.Rectangle{right, below} {
		if box.Empty() {
			continue
		}
		c.differs = true
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				if !c.ignored.At(x, y) {
					c.changed.Set(x, y)
					c.grid.add(x, y, maxDelta)
				}
			}
		}
	}
}

// finish fills the result.
func (c *counter) finish() {
	r := c.result
	r.Equal = !c.differs
	if n := c.changed.Count(); n > 0 {
		r.Changed, r.changed = n, c.changed
		r.Percent = percentOf(n, r.Width, r.Height)
		r.Regions, r.RegionsLeftOut = findRegions(c)
		for _, region := range r.Regions {
			r.MinSSIM = min(r.MinSSIM, region.SSIM)
		}
	}
	if n := c.aa.Count(); n > 0 {
		r.AntiAliased, r.aa = n, c.aa
	}
}

// percentOf is n pixels in percent of a picture.
func percentOf(n, width, height int) float64 {
	return 100 * float64(n) / (float64(width) * float64(height))
}
