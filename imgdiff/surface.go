package imgdiff

import (
	"image"
	"math"
)

// Surface describes the pixels of a box in one image. It is measured on the rows during the comparison; large boxes
// are sampled evenly.
type Surface struct {
	// Pixels is the number of pixels measured; 0 if the image has none there.
	Pixels int
	// Mean is the mean colour: red, green and blue, 0 to 1.
	Mean [3]float64
	// Deviation is the standard deviation of the luminance, 0 to 0.5.
	Deviation float64
	// Edges is the share of pixels whose luminance clearly differs from their
	// right neighbour's: high for text, low for plain areas.
	Edges float64
	// Uniform is the share of the most frequent of 4096 colours.
	Uniform float64
	// Blank reports that the whole box has one colour, by the rules of Blank.
	Blank bool
}

const (
	surfaceRows    = 48  // measured of a box, at most
	surfaceColumns = 160 // of a row
	edgeLuma       = 16  // difference of luminance, of 255, that is an edge
)

// surfaces fills in what the regions look like in both pictures, and where
// they are in the before picture.
func (c *counter) surfaces(regions []Region) {
	for i := range regions {
		c.effort.check()
		r := &regions[i]
		r.BeforeBox = c.boxBefore(r.Box)
		r.SurfaceBefore = c.surface(r.BeforeBox, c.a, c.anyBefore)
		r.SurfaceAfter = c.surface(r.Box, c.b, c.anyAfter)
	}
}

// boxBefore is the box in the before picture that a box of the result was
// compared with.
func (c *counter) boxBefore(box image.Rectangle) image.Rectangle {
	if c.partner != nil {
		first, end := -1, 0
		for y := box.Min.Y; y < min(box.Max.Y, len(c.partner)); y++ {
			if other := c.partner[y]; other >= 0 {
				if first < 0 || other < first {
					first = other
				}
				end = max(end, other+1)
			}
		}
		if first < 0 {
			return image.Rectangle{}
		}
		box.Min.Y, box.Max.Y = first, end
	}
	return box.Intersect(image.Rect(0, 0, c.a.width, c.a.height))
}

// anyBefore is a finished row of the before picture, whether it was looked at
// so far or not.
func (c *counter) anyBefore(y int) []byte {
	c.a.finish(y)
	return c.a.row(y)
}

// anyAfter is a finished row of the after picture.
func (c *counter) anyAfter(y int) []byte {
	if c.shared && y < c.height {
		if c.equal[y] {
			return c.anyBefore(y)
		}
		c.finishAfter(y)
		return c.b.row(y)
	}
	c.b.finish(y)
	return c.b.row(y)
}

// surface measures a box of one picture.
func (c *counter) surface(box image.Rectangle, p *picture, row func(int) []byte) Surface {
	box = box.Intersect(image.Rect(0, 0, p.width, p.height))
	if box.Empty() {
		return Surface{}
	}
	m := measure{bpp: p.bpp, x0: box.Min.X, x1: box.Max.X, step: max(box.Dx()/surfaceColumns, 1)}
	step := max(box.Dy()/surfaceRows, 1)
	for y := box.Min.Y; y < box.Max.Y; y += step {
		m.add(row(y))
	}
	s := m.surface()
	// What looks blank in a sample is looked at altogether.
	if s.Deviation < float64(blankLevels)/255 && s.Edges == 0 {
		s.Blank = blankBox(c.effort, box, p.bpp, row)
	}
	return s
}

// measure sums up pixels.
type measure struct {
	bpp, x0, x1, step int
	n, edges          int
	sum               [3]int
	luma, square      int
	frequency         [4096]int32
}

func (m *measure) add(row []byte) {
	for x := m.x0; x < m.x1; x += m.step {
		pixel := row[x*m.bpp : x*m.bpp+3]
		l := luma(pixel)
		m.n++
		for i := range m.sum {
			m.sum[i] += int(pixel[i])
		}
		m.luma, m.square = m.luma+l, m.square+l*l
		m.frequency[int(pixel[0]>>4)<<8|int(pixel[1]>>4)<<4|int(pixel[2]>>4)]++
		if x+1 < m.x1 {
			if d := luma(row[(x+1)*m.bpp:]) - l; d > edgeLuma || d < -edgeLuma {
				m.edges++
			}
		}
	}
}

func (m *measure) surface() Surface {
	n := float64(m.n)
	s := Surface{Pixels: m.n, Edges: float64(m.edges) / n}
	for i := range s.Mean {
		s.Mean[i] = float64(m.sum[i]) / n / 255
	}
	mean := float64(m.luma) / n
	s.Deviation = math.Sqrt(max(float64(m.square)/n-mean*mean, 0)) / 255
	most := int32(0)
	for _, f := range &m.frequency {
		most = max(most, f)
	}
	s.Uniform = float64(most) / n
	return s
}

// blankBox reports whether a box has one colour.
func blankBox(e *effort, box image.Rectangle, bpp int, row func(int) []byte) bool {
	var first [3]byte
	copy(first[:], row(box.Min.Y)[box.Min.X*bpp:])
	strays := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		e.check()
		pixels := row(y)[box.Min.X*bpp : box.Max.X*bpp]
		for x := 0; x < len(pixels); x += bpp {
			for i, value := range first {
				if d := int(pixels[x+i]) - int(value); d > blankLevels || d < -blankLevels {
					strays++
					break
				}
			}
		}
		if strays > blankSpecks {
			return false
		}
	}
	return true
}
