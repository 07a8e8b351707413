package imgdiff

// counter finds the changed and the anti-aliased pixels of two pictures and
// gathers them in cells for the regions.
type counter struct {
	*pair
	result      *Result
	bpp         int
	limit       float64
	tolerance   tolerance
	includeAA   bool
	ignored     *Mask // nil when nothing is ignored
	changed, aa *Mask
	grid        *grid
}

// newCounter prepares to count the differences of a pair.
func newCounter(p *pair, r *Result, o Options) *counter {
	limit := maxDelta * o.Threshold * o.Threshold
	return &counter{
		pair: p, result: r, bpp: p.a.bpp,
		limit: limit, tolerance: newTolerance(limit, p.a.bpp), includeAA: o.IncludeAntiAliased,
		ignored: ignoredPixels(r.Width, r.Height, o),
		changed: NewMask(r.Width, r.Height), aa: NewMask(r.Width, r.Height),
		grid: newGrid(r.Width, r.Height),
	}
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

// count counts everything and fills the result.
func (c *counter) count() {
	// A band holds whole cells, so that no two bands share one.
	const rows = 2 * cellSide
	inBands((c.height+rows-1)/rows, func(band int) {
		for y := band * rows; y < min((band+1)*rows, c.height); y++ {
			if !c.equal[y] {
				c.compareRow(y)
			}
		}
	})
	c.outside()
	c.fill()
}

// neighbours gathers the rows around row y.
func (c *counter) neighbours(y int) *neighbourhood {
	n := &neighbourhood{y: y, width: c.width, height: c.height, bpp: c.bpp, mask: c.a.mask()}
	for i := range n.before {
		if r := y + i - 2; r >= 0 && r < c.height {
			n.before[i], n.after[i] = c.pair.before(r), c.pair.after(r)
		}
	}
	return n
}

// outside counts the part of the union that lies outside either picture.
func (c *counter) outside() {
	r := c.result
	for y := range r.Height {
		x0 := c.width
		if y >= c.height {
			x0 = 0
		}
		row, ignored := c.changed.row(y), c.ignored.rowOrNil(y)
		setRun(row, x0, r.Width)
		for i, word := range ignored {
			row[i] &^= word
		}
		for x := x0; x < r.Width; {
			end := min((x|(cellSide-1))+1, r.Width)
			if n := countRun(row, x, end); n > 0 {
				c.grid.addMany(x, y, n, maxDelta)
			}
			x = end
		}
	}
}

// fill fills the result.
func (c *counter) fill() {
	r := c.result
	r.Equal = r.Before == r.After
	for _, equal := range c.equal {
		r.Equal = r.Equal && equal
	}
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
