package samplesite

import "fmt"

// The plates are 400 by 500; plants stand on (200, 500).
const (
	plateWidth  = 400
	plateHeight = 500
)

// plate draws the full picture of one plant.
func plate(p plant) []byte {
	c := newCanvas(plateWidth, plateHeight, p.colours.ground)
	c.circle(200, 225, 165, p.colours.disc)
	p.draw(c, p.colours)
	return c.bytes()
}

// stem draws a slightly bent stalk from below the picture up to a point.
func stem(c *canvas, rootX, x, y, bend, width float64, colour string) {
	const rootY = 505
	c.line(fmt.Sprintf("M%.1f %.1fQ%.1f %.1f %.1f %.1f", rootX, float64(rootY), (rootX+x)/2+bend, (rootY+y)/2, x, y), colour, width)
}

func drawDaisy(c *canvas, p palette) {
	heads := []struct{ x, y, r float64 }{{120, 250, 58}, {285, 205, 66}, {195, 125, 80}}
	for _, h := range heads {
		stem(c, 200, h.x, h.y, (h.x-200)*0.25, 6, p.rib)
	}
	for i, y := range []float64{440, 395, 350} {
		c.leaf(200, y, 78, 12, -62+float64(i)*6, p.leaf, p.rib)
		c.leaf(200, y-18, 78, 12, 62-float64(i)*6, p.leaf, p.rib)
	}
	for _, h := range heads {
		c.ring(18, 0, func(a float64) { c.blade(h.x, h.y, h.r, h.r*0.15, a, p.shade) })
		c.ring(18, 10, func(a float64) { c.blade(h.x, h.y, h.r*0.96, h.r*0.14, a, p.petal) })
		c.circle(h.x, h.y, h.r*0.3, p.eye)
		c.seedHead(h.x, h.y, h.r*0.26, 40, h.r*0.024, "#c98d0c")
	}
}

func drawConeflower(c *canvas, p palette) {
	heads := []struct{ x, y, r float64 }{{275, 265, 60}, {170, 165, 84}}
	for _, h := range heads {
		stem(c, 205, h.x, h.y, (h.x-200)*0.2, 7, p.rib)
	}
	c.leaf(204, 440, 120, 20, -50, p.leaf, p.rib)
	c.leaf(204, 415, 120, 20, 58, p.leaf, p.rib)
	c.leaf(198, 370, 90, 15, -38, p.leaf, p.rib)
	for _, h := range heads {
		for i := range 9 {
			c.blade(h.x+float64(i-4)*h.r*0.1, h.y, h.r*1.15, h.r*0.16, 180+float64(i-4)*-17, p.shade)
		}
		for i := range 8 {
			c.blade(h.x+float64(2*i-7)*h.r*0.055, h.y+2, h.r*1.08, h.r*0.15, 180-float64(2*i-7)*8.5, p.petal)
		}
		c.ellipse(h.x, h.y-h.r*0.16, h.r*0.48, h.r*0.36, 0, p.eye)
		for i := range 60 {
			x, y := vogel(i, 60)
			c.circle(h.x+h.r*0.44*x, h.y-h.r*0.18+h.r*0.32*y, h.r*0.03, "#f2a03a")
		}
	}
}

func drawSunflower(c *canvas, p palette) {
	stem(c, 200, 200, 190, 14, 13, p.rib)
	c.leaf(206, 420, 130, 34, -66, p.leaf, p.rib)
	c.leaf(206, 385, 130, 34, 66, p.leaf, p.rib)
	c.ring(22, 0, func(a float64) { c.blade(200, 185, 150, 19, a, p.shade) })
	c.ring(22, 8, func(a float64) { c.blade(200, 185, 138, 17, a, p.petal) })
	c.circle(200, 185, 74, p.eye)
	c.seedHead(200, 185, 70, 240, 2.6, "#8a5527")
	c.seedHead(200, 185, 30, 60, 2.2, "#d79a3a")
}

func drawPoppy(c *canvas, p palette) {
	heads := []struct{ x, y, r float64 }{{285, 255, 56}, {165, 160, 92}}
	for _, h := range heads {
		stem(c, 195, h.x, h.y, (h.x-200)*0.3, 5, p.rib)
	}
	stem(c, 195, 92, 300, -14, 4, p.rib)
	c.ellipse(92, 288, 13, 21, -14, p.leaf)
	for i := range 5 {
		y := 470 - float64(i)*26
		c.blade(197, y, 84-float64(i)*8, 8, -55, p.leaf)
		c.blade(197, y-10, 84-float64(i)*8, 8, 55, p.leaf)
	}
	for _, h := range heads {
		for _, a := range []float64{90, 270} {
			c.paddle(h.x, h.y, h.r, h.r*0.5, a, p.shade)
		}
		for _, a := range []float64{0, 180} {
			c.paddle(h.x, h.y, h.r*0.98, h.r*0.52, a, p.petal)
		}
		c.ring(4, 45, func(a float64) { c.blade(h.x, h.y, h.r*0.42, h.r*0.11, a, p.eye) })
		c.circle(h.x, h.y, h.r*0.17, "#7f9b62")
		c.ring(20, 0, func(a float64) {
			x, y := polar(h.x, h.y, h.r*0.28, a)
			c.circle(x, y, h.r*0.034, p.eye)
		})
	}
}

func drawTulip(c *canvas, p palette) {
	stem(c, 200, 186, 250, 26, 8, p.rib)
	stem(c, 210, 296, 300, 34, 6, p.rib)
	c.blade(196, 505, 290, 24, -27, p.leaf)
	c.blade(206, 505, 250, 22, 30, p.rib)
	cup := func(x, y, size, tilt float64) {
		c.blade(x, y, size, size*0.25, tilt-24, p.shade)
		c.blade(x, y, size, size*0.25, tilt+24, p.shade)
		c.blade(x, y, size*1.02, size*0.22, tilt-11, p.petal)
		c.blade(x, y, size*1.02, size*0.22, tilt+11, p.petal)
		c.blade(x, y, size*0.94, size*0.2, tilt, "#fbdc6a")
	}
	cup(186, 254, 150, -4)
	cup(296, 304, 104, 18)
}

func drawCrocus(c *canvas, p palette) {
	for i := range 9 {
		c.blade(200+float64(i-4)*22, 505, 210+float64(i%3)*34, 5, float64(i-4)*6, p.leaf)
	}
	cup := func(x, y, size, tilt float64) {
		c.line(fmt.Sprintf("M%.1f 505L%.1f %.1f", x, x, y), "#e9dff3", size*0.1)
		c.blade(x, y, size, size*0.2, tilt-30, p.shade)
		c.blade(x, y, size, size*0.2, tilt+30, p.shade)
		c.blade(x, y, size*0.7, size*0.035, tilt-6, p.eye)
		c.blade(x, y, size*0.7, size*0.035, tilt+6, p.eye)
		c.blade(x, y, size*0.94, size*0.19, tilt-14, p.petal)
		c.blade(x, y, size*0.94, size*0.19, tilt+14, "#a783d3")
	}
	cup(128, 350, 118, -8)
	cup(278, 370, 110, 9)
	cup(202, 300, 165, 0)
}
