package samplesite

import (
	"fmt"
	"math"
)

// Plants whose flowers stand along a stalk, in a globe or in a plate.

func drawFoxglove(c *canvas, p palette) {
	stem(c, 200, 204, 50, -12, 8, p.rib)
	for i := range 4 {
		c.leaf(200, 490-float64(i)*12, 150-float64(i)*20, 24, -78+float64(i)*14, p.leaf, p.rib)
		c.leaf(200, 484-float64(i)*12, 150-float64(i)*20, 24, 78-float64(i)*14, p.leaf, p.rib)
	}
	bell := func(x, y, size, angle float64) {
		tipX, tipY := polar(x, y, size, angle)
		c.blade(x, y, size*1.05, size*0.34, angle, p.shade)
		c.paddle(x, y, size, size*0.27, angle, p.petal)
		c.ellipse(tipX, tipY, size*0.3, size*0.16, angle, p.eye)
		c.circle(tipX-2, tipY, size*0.04, p.shade)
		c.circle(tipX+size*0.12, tipY+1, size*0.04, p.shade)
		c.circle(tipX-size*0.13, tipY-1, size*0.035, p.shade)
	}
	for i := range 9 {
		y := 92 + float64(i)*29
		size := 16 + float64(i)*6.2
		side := 118.0
		if i%2 == 1 {
			side = -118
		}
		bell(200, y, size, side)
		bell(200, y+12, size*0.9, -side*1.1)
	}
	for i := range 4 {
		c.ellipse(203, 50+float64(i)*11, 5+float64(i), 8, 0, p.leaf)
	}
}

func drawLavender(c *canvas, p palette) {
	for i := range 9 {
		lean := float64(i - 4)
		x, y := 200+lean*36, 130+math.Abs(lean)*22
		stem(c, 200+lean*9, x, y, lean*5, 3.4, p.rib)
		c.blade(200+lean*10, 480, 130, 5, lean*15-8, p.leaf)
		c.blade(200+lean*10, 470, 110, 5, lean*13+9, p.leaf)
	}
	for i := range 9 {
		lean := float64(i - 4)
		x, y := 200+lean*36, 130+math.Abs(lean)*22
		for row := range 8 {
			ry := y + 8 + float64(row)*14 - 40
			rx := x - lean*float64(row)*1.5
			size := 5.5 + math.Min(float64(row), 4)
			c.ellipse(rx-size*0.9, ry, size, size*0.66, -32, p.shade)
			c.ellipse(rx+size*0.9, ry, size, size*0.66, 32, p.petal)
			c.ellipse(rx, ry-4, size*0.72, size*0.6, 0, p.eye)
		}
	}
}

func drawAllium(c *canvas, p palette) {
	for i := range 5 {
		c.blade(200, 510, 190-float64(i%2)*40, 20, float64(i-2)*30, p.leaf)
	}
	globe := func(x, y, radius float64, count int) {
		stem(c, 200, x, y, (x-200)*0.2, 6.5, p.rib)
		c.circle(x, y, radius*0.82, p.shade)
		for i := count - 1; i >= 0; i-- {
			dx, dy := vogel(i, count)
			fill := p.petal
			if i%3 == 0 {
				fill = p.eye
			}
			c.ring(6, float64(i*7), func(a float64) {
				c.blade(x+dx*radius*0.95, y+dy*radius*0.95, radius*0.13, radius*0.026, a, fill)
			})
		}
	}
	globe(292, 262, 58, 60)
	globe(178, 150, 96, 110)
}

func drawUmbel(c *canvas, p palette) {
	plateOf := func(x, y, size float64) {
		baseY := y + size*0.75
		stem(c, 200, x, baseY, (x-200)*0.25, 5, p.rib)
		for i := range 13 {
			lean := float64(i-6) / 6
			tipX, tipY := x+lean*size, y+lean*lean*size*0.22
			c.line(fmt.Sprintf("M%.1f %.1fQ%.1f %.1f %.1f %.1f", x, baseY, x+lean*size*0.5, y+size*0.3, tipX, tipY), p.rib, 2)
			for k := range 16 {
				dx, dy := vogel(k, 16)
				fill := p.petal
				if k%4 == 0 {
					fill = p.shade
				}
				c.circle(tipX+dx*size*0.15, tipY-4+dy*size*0.09, size*0.036, fill)
			}
		}
		c.circle(x, y-6, size*0.045, p.eye)
	}
	for i := range 6 {
		y := 470 - float64(i)*22
		for k := range 4 {
			c.blade(200, y, 100-float64(i)*10-float64(k)*14, 4, -40-float64(k)*16, p.leaf)
			c.blade(200, y-8, 100-float64(i)*10-float64(k)*14, 4, 40+float64(k)*16, p.leaf)
		}
	}
	plateOf(300, 258, 62)
	plateOf(88, 290, 52)
	plateOf(190, 125, 112)
}

func drawGrass(c *canvas, p palette) {
	for i := range 25 {
		lean := float64(i-12) / 12
		height := 330 - math.Abs(lean)*120 + float64(i%3)*18
		tipX, tipY := 200+lean*190, 505-height
		colour := p.leaf
		if i%2 == 0 {
			colour = p.rib
		}
		c.line(fmt.Sprintf("M%.1f 510Q%.1f %.1f %.1f %.1f", 200+lean*26, 200+lean*60, tipY+60, tipX, tipY), colour, 2.4)
		if i%2 == 1 {
			continue
		}
		for k := range 16 {
			along := float64(k) / 15
			x, y := tipX-lean*52*along*(1-along*0.35), tipY+along*86
			c.line(fmt.Sprintf("M%.1f %.1fl%.1f %.1f", x, y, 13+lean*9, -17.0), p.petal, 1.6)
			c.line(fmt.Sprintf("M%.1f %.1fl%.1f %.1f", x, y, -13+lean*9, -17.0), p.shade, 1.4)
			c.circle(x, y, 1.8, p.eye)
		}
	}
}

func drawIris(c *canvas, p palette) {
	for i := range 6 {
		c.blade(200+float64(i-3)*16, 510, 270-math.Abs(float64(i)-2.5)*34, 14, float64(i-3)*9+4, p.leaf)
	}
	stem(c, 200, 200, 220, -10, 8, p.rib)
	c.paddle(200, 205, 135, 38, -32, p.shade)
	c.paddle(200, 205, 135, 38, 32, p.shade)
	c.paddle(200, 205, 148, 36, 0, "#a7a3ea")
	c.paddle(200, 200, 138, 40, 128, p.petal)
	c.paddle(200, 200, 138, 40, -128, p.petal)
	c.paddle(200, 200, 142, 44, 180, "#4a45a4")
	for _, a := range []float64{128, -128, 180} {
		for k := range 7 {
			x, y := polar(200, 200, 14+float64(k)*8, a)
			c.circle(x, y, 5.5-float64(k)*0.4, p.eye)
		}
	}
}
