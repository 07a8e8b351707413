package samplesite

import (
	"fmt"
	"math"
)

// Plants whose leaves, fruit or growth make the picture.

func drawSnowdrop(c *canvas, p palette) {
	for i := range 5 {
		c.blade(200+float64(i-2)*20, 510, 235-math.Abs(float64(i)-2)*24, 11, float64(i-2)*13, p.leaf)
	}
	bell := func(x, y, size float64, lean float64) {
		top := y - size*0.9
		c.line(fmt.Sprintf("M200 505C%.1f 380 %.1f %.1f %.1f %.1f", 200-lean*10, x-lean*50, top-40, x-lean*8, top-8), p.rib, 4.5)
		c.line(fmt.Sprintf("M%.1f %.1fQ%.1f %.1f %.1f %.1f", x-lean*8, top-8, x, top-12, x, y-size*0.25), p.rib, 3)
		c.blade(x-lean*8, top, size*0.55, 5, lean*14, p.leaf)
		c.ellipse(x, y-size*0.16, size*0.11, size*0.15, 0, p.leaf)
		c.blade(x, y, size, size*0.2, 180-30, p.shade)
		c.blade(x, y, size, size*0.2, 180+30, p.shade)
		c.blade(x, y, size*0.66, size*0.2, 180, "#f4f8ee")
		c.line(fmt.Sprintf("M%.1f %.1fl%.1f %.1fl%.1f %.1f", x-size*0.09, y+size*0.48, size*0.09, size*0.1, size*0.09, -size*0.1),
			p.eye, size*0.05)
		c.blade(x, y, size*1.02, size*0.2, 180-12, p.petal)
		c.blade(x, y, size*1.02, size*0.2, 180+16, p.petal)
	}
	bell(128, 270, 88, -1)
	bell(296, 300, 80, 1)
	bell(222, 190, 118, 1)
}

func drawRosette(c *canvas, p palette) {
	rosette := func(x, y, size float64) {
		for layer := range 6 {
			length := size * (1 - float64(layer)*0.155)
			c.ring(13, float64(layer)*14, func(a float64) {
				c.blade(x, y, length, length*0.19, a, p.rib)
				fill := p.petal
				if layer%2 == 1 {
					fill = p.shade
				}
				c.blade(x, y, length*0.88, length*0.17, a, fill)
			})
		}
		c.circle(x, y, size*0.05, p.eye)
	}
	c.shape("M0 420Q110 380 200 400T400 390V500H0Z", "#c9b4a4")
	rosette(92, 385, 62)
	rosette(318, 375, 74)
	rosette(268, 448, 44)
	rosette(196, 240, 140)
}

func drawWaterLily(c *canvas, p palette) {
	c.shape("M0 250H400V500H0Z", "#8fc3c2")
	for i := range 9 {
		y := 275 + float64(i)*26
		c.line(fmt.Sprintf("M%.1f %.1fh%.1f", 20+float64(i*53%160), y, 90+float64(i*37%120)), "#a9d3d1", 2.5)
	}
	pad := func(x, y, r float64, notch float64) {
		c.ellipse(x, y, r, r*0.42, 0, p.leaf)
		c.ellipse(x, y-3, r*0.94, r*0.37, 0, "#57a283")
		c.ring(9, notch, func(a float64) {
			dx, dy := polar(0, 0, r*0.88, a)
			c.line(fmt.Sprintf("M%.1f %.1fl%.1f %.1f", x, y-3, dx, dy*0.38), p.rib, 1.4)
		})
	}
	pad(92, 340, 84, 10)
	pad(318, 372, 88, 25)
	pad(150, 448, 110, 5)
	pad(225, 330, 96, 30)
	for i := range 11 {
		c.blade(215, 318, 122, 22, -85+float64(i)*17, p.shade)
	}
	for i := range 9 {
		c.blade(215, 320, 106, 20, -68+float64(i)*17, p.petal)
	}
	for i := range 7 {
		c.blade(215, 322, 80, 17, -51+float64(i)*17, "#fdeef3")
	}
	for i := range 9 {
		c.blade(215, 322, 46, 4.5, -40+float64(i)*10, p.eye)
	}
}

func drawFern(c *canvas, p palette) {
	frond := func(lean, height float64) {
		for k := range 24 {
			along := float64(k) / 24
			x := 200 + lean*along*along*1.15
			y := 505 - height*along
			length := 70 * math.Sin(math.Pi*(0.12+along*0.86)) * height / 420
			tilt := lean * 0.18 * along
			fill := p.petal
			if k%2 == 1 {
				fill = p.shade
			}
			if along > 0.86 && lean == 0 {
				fill = p.eye
			}
			c.blade(x, y, length, 6.5, -66+tilt, fill)
			c.blade(x, y, length, 6.5, 66+tilt, fill)
		}
		c.line(fmt.Sprintf("M200 505Q%.1f %.1f %.1f %.1f", 200.0, 505-height*0.5, 200+lean*1.1, 505-height*0.98), p.rib, 4)
	}
	frond(-150, 300)
	frond(150, 310)
	frond(-80, 390)
	frond(84, 380)
	frond(0, 440)
}

func drawRowan(c *canvas, p palette) {
	c.line("M-10 90C90 95 170 120 215 190", "#7a5b45", 13)
	c.line("M110 108C180 70 250 70 330 92", "#7a5b45", 8)
	c.line("M212 186C228 200 232 210 232 228M214 188C280 196 326 236 331 288", p.rib, 5)
	compound := func(x, y, length, angle float64) {
		tipX, tipY := polar(x, y, length, angle)
		c.line(fmt.Sprintf("M%.1f %.1fL%.1f %.1f", x, y, tipX, tipY), p.rib, 3)
		for k := range 6 {
			px, py := polar(x, y, length*(0.2+float64(k)*0.14), angle)
			c.leaf(px, py, length*0.36, length*0.075, angle-62, p.leaf, p.rib)
			c.leaf(px, py, length*0.36, length*0.075, angle+62, p.leaf, p.rib)
		}
		c.leaf(tipX, tipY, length*0.34, length*0.075, angle, p.leaf, p.rib)
	}
	compound(120, 112, 190, 200)
	compound(325, 92, 150, 145)
	compound(230, 80, 130, 25)
	compound(60, 96, 140, 335)
	berries := func(x, y, radius float64, count int) {
		for i := count - 1; i >= 0; i-- {
			dx, dy := vogel(i, count)
			bx, by := x+dx*radius*1.1, y+dy*radius*0.8
			c.line(fmt.Sprintf("M%.1f %.1fL%.1f %.1f", x, y-radius*1.1, bx, by), p.rib, 1.6)
		}
		for i := count - 1; i >= 0; i-- {
			dx, dy := vogel(i, count)
			bx, by := x+dx*radius*1.1, y+dy*radius*0.8
			fill := p.petal
			if i%3 == 1 {
				fill = p.shade
			}
			c.circle(bx, by, 12, fill)
			c.circle(bx-3.5, by-4, 3.2, p.eye)
		}
	}
	berries(232, 300, 70, 42)
	berries(330, 330, 42, 20)
}

func drawCactus(c *canvas, p palette) {
	c.shape("M0 415Q120 395 200 402T400 408V500H0Z", "#e2bd8d")
	barrel := func(x, y, r float64) {
		c.ellipse(x, y+r*0.86, r*1.05, r*0.2, 0, "#c99f6d")
		c.ellipse(x, y, r, r*0.95, 0, p.shade)
		for _, share := range []float64{0.84, 0.58, 0.3} {
			c.add(`<ellipse cx="%.1f" cy="%.1f" rx="%.1f" ry="%.1f" fill="none" stroke="%s" stroke-width="%.1f"/>`, x, y, r*share,
				r*0.95, p.petal, r*0.1)
		}
		for rib := range 7 {
			share := float64(rib-3) / 3
			for k := range 9 {
				polarAngle := (float64(k) - 4) / 4.6
				sx := x + r*share*0.97*math.Cos(polarAngle*1.25)
				sy := y + r*0.93*math.Sin(polarAngle*1.45)
				for _, a := range []float64{-48, 0, 48} {
					dx, dy := polar(0, 0, r*0.1, a+share*40)
					c.line(fmt.Sprintf("M%.1f %.1fl%.1f %.1f", sx, sy, dx, dy), p.rib, 1.5)
				}
				c.circle(sx, sy, r*0.018, "#fbeec2")
			}
		}
		c.ring(10, 0, func(a float64) {
			fx, fy := polar(x, y-r*0.9, r*0.24, a)
			c.ring(6, a, func(b float64) { c.blade(fx, y-r*0.88+(fy-y+r*0.9)*0.35, r*0.13, r*0.03, b, p.eye) })
		})
	}
	barrel(196, 285, 128)
	barrel(318, 386, 58)
	barrel(80, 396, 46)
}
