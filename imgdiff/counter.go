package imgdiff

import "afterimage/imgdiff/internal/pixelmatch"

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
	// partner is the row of the before picture that each row of the after
	// picture was compared with, -1 for none; nil for rows in place.
	partner []int
}

// newCounter prepares to count the differences of a pair.
func newCounter(p *pair, r *Result, o Options) *counter {
	limit := pixelmatch.MaxDelta * o.Threshold * o.Threshold
	return &counter{
		pair: p, result: r, bpp: p.a.bpp,
		limit: limit, tolerance: newTolerance(limit, p.a.bpp), includeAA: o.IncludeAntiAliased,
		ignored: ignoredPixels(p.effort, r.Width, r.Height, o),
		changed: NewMask(r.Width, r.Height), aa: NewMask(r.Width, r.Height),
		grid: newGrid(r.Width, r.Height),
	}
}

// ignoredPixels joins the ignore boxes and the instability mask, or returns
// nil when there are none.
func ignoredPixels(e *effort, width, height int, o Options) *Mask {
	if len(o.Ignore) == 0 && o.Instability == nil {
		return nil
	}
	m := NewMask(width, height)
	m.Union(o.Instability)
	for _, box := range o.Ignore {
		e.check()
		m.SetRect(box)
	}
	return m
}

// count compares the pictures in place.
func (c *counter) count() {
	// A band holds whole cells, so that no two bands share one.
	c.effort.inBands((c.height+flatBandRows-1)/flatBandRows, func(band int) {
		first := band * flatBandRows
		w := takeWorkspace(c, first, 0)
		defer w.release()
		for y := first; y < min(first+flatBandRows, c.height); y++ {
			c.effort.check()
			if !c.equal[y] {
				c.compareRow(w, c.neighbours(y), c.sinkAt(y), 0, c.width)
			}
		}
	})
	c.outside()
}

// neighbours gathers the rows around row y.
func (c *counter) neighbours(y int) *pixelmatch.Neighbourhood {
	n := &pixelmatch.Neighbourhood{Y: y, Width: c.width, Bpp: c.bpp, Mask: c.a.mask(),
		First: max(0, 2-y), Last: min(4, c.height+1-y)}
	for i := n.First; i <= n.Last; i++ {
		n.Before[i], n.After[i] = c.pair.before(y+i-2), c.pair.after(y+i-2)
	}
	return n
}

// neighboursApart gathers the finished rows around two rows that correspond.
func (c *counter) neighboursApart(before, after int) *pixelmatch.Neighbourhood {
	n := &pixelmatch.Neighbourhood{Y: after, Width: c.width, Bpp: c.bpp, Mask: c.a.mask(),
		First: max(0, 2-before, 2-after), Last: min(4, c.a.height+1-before, c.b.height+1-after)}
	for i := n.First; i <= n.Last; i++ {
		n.Before[i], n.After[i] = c.a.row(before+i-2), c.b.row(after+i-2)
	}
	return n
}

// sinkAt is where row y of the result is counted.
func (c *counter) sinkAt(y int) sink {
	return sink{y: y, changed: c.changed.row(y), aa: c.aa.row(y), ignored: c.ignored.rowOrNil(y), grid: c.grid}
}

// outside counts the part of the union that lies outside either picture.
func (c *counter) outside() {
	r := c.result
	for y := range r.Height {
		c.effort.check()
		if y >= c.height {
			c.markRow(y, 0, r.Width)
		} else if c.width < r.Width {
			c.markRow(y, c.width, r.Width)
		}
	}
}

// markRow counts the pixels x0 … x1-1 of a row as changed altogether, except
// ignored ones.
func (c *counter) markRow(y, x0, x1 int) {
	row := c.changed.row(y)
	setRun(row, x0, x1)
	for i, word := range c.ignored.rowOrNil(y) {
		row[i] &^= word
	}
	for x := x0; x < x1; {
		end := min((x|(cellSide-1))+1, x1)
		if n := countRun(row, x, end); n > 0 {
			c.grid.addMany(x, y, n, pixelmatch.MaxDelta)
		}
		x = end
	}
}

// anew returns a counter of the same pair that has counted nothing.
func (c *counter) anew() *counter {
	other := *c
	other.changed, other.aa = NewMask(c.result.Width, c.result.Height), NewMask(c.result.Width, c.result.Height)
	other.grid, other.partner = newGrid(c.result.Width, c.result.Height), nil
	return &other
}

// copyRow takes over the changed pixels x0 … x1-1 of a row from another
// counter; their differences are taken for those of their cells.
func (c *counter) copyRow(from *counter, y, x0, x1 int) {
	row, to := from.changed.row(y), c.changed.row(y)
	for x := x0; x < x1; {
		end := min((x|(cellSide-1))+1, x1)
		if n := countRun(row, x, end); n > 0 {
			cell := y>>cellShift*c.grid.columns + x>>cellShift
			c.grid.pixels[cell] += uint16(n)
			c.grid.delta[cell] += float32(n) * from.grid.delta[cell] / float32(from.grid.pixels[cell])
			for i := x; i < end; i++ {
				to[i>>6] |= row[i>>6] & (1 << (i & 63))
			}
		}
		x = end
	}
}

// fill fills the result.
func (c *counter) fill() {
	r := c.result
	if n := c.changed.Count(); n > 0 {
		r.Changed, r.changed = n, c.changed
		r.Percent = percentOf(n, r.Width, r.Height)
	}
	if n := c.aa.Count(); n > 0 {
		r.AntiAliased, r.aa = n, c.aa
	}
}

// cluster fills the regions.
func (c *counter) cluster() {
	r := c.result
	if r.changed == nil {
		return
	}
	r.Regions, r.RegionsLeftOut = findRegions(c)
	for _, region := range r.Regions {
		r.MinSSIM = min(r.MinSSIM, region.SSIM)
	}
}

// allEqual reports whether the pictures are equal in every pixel.
func (p *pair) allEqual() bool {
	if !p.shared || p.a.height != p.b.height {
		return false
	}
	for _, equal := range p.equal {
		if !equal {
			return false
		}
	}
	return true
}

// percentOf is n pixels in percent of a picture.
func percentOf(n, width, height int) float64 {
	return 100 * float64(n) / (float64(width) * float64(height))
}
