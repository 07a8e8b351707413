package samplesite

import (
	"fmt"
	"math"
)

// Places of the garden as landscape pictures, 640 by 440, and the panorama of
// the home page.

const (
	sceneWidth  = 640
	sceneHeight = 440
)

// place is one house or garden. Its picture is drawn, unless a release names
// one that does not exist.
type place struct {
	Slug string
	Name string
	Area string
	Note string
	draw func(*canvas)
}

var places = []place{
	{"palm-house", "Palm House", "Glasshouse, 24 °C",
		"Under the dome, four climates up a spiral stair. Bananas at the foot of it, tree ferns at the top. Glasses steam up; " +
			"wait a minute.", drawPalmHouse},
	{"alpine-house", "Alpine House", "Glasshouse, unheated",
		"Cushions the size of a coin and cacti older than the keepers. Everything here can stand frost, sun and wind, " +
			"but not a wet winter.", drawAlpineHouse},
	{"rock-garden", "Rock Garden", "Open air, 0.6 ha",
		"Limestone carried up by railway. Walk it clockwise and you cross the mountain ranges from west to east.", drawRockGarden},
	{"pond", "Pond", "Open air, 0.3 ha",
		"Lilies, a boardwalk and a bench that looks at nothing else. Newts in April, dragonflies from June.", drawPond},
	{"walled-garden", "Walled Garden", "Open air, 0.4 ha",
		"Warm brick, pears trained flat, vegetables in rows. What is ripe lies on the table by the gate; take some.", drawWalledGarden},
	{"arboretum", "Arboretum", "Open air, 5 ha",
		"Eighty kinds of tree on the north slope, planted far apart so that each can show its own shape.", drawArboretum},
}

func scene(draw func(*canvas)) []byte {
	c := newCanvas(sceneWidth, sceneHeight, "#cfe5ee")
	draw(c)
	return c.bytes()
}

// hills draws a soft ridge across the picture.
func hills(c *canvas, base, swell, phase float64, fill string) {
	width := float64(c.width)
	d := fmt.Sprintf("M0 %d", c.height)
	for i := range 33 {
		x := width * float64(i) / 32
		y := base - swell*(math.Sin(phase+float64(i)*0.31)+0.45*math.Sin(phase*2+float64(i)*0.73))
		d += fmt.Sprintf("L%.1f %.1f", x, y)
	}
	c.shape(d+fmt.Sprintf("L%d %dZ", c.width, c.height), fill)
}

// tree is a round crown on a trunk that stands at (x, y).
func tree(c *canvas, x, y, size float64, dark, light string) {
	c.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#6b4f3c"/>`, x-size*0.05, y-size*0.5, size*0.1, size*0.5)
	c.circle(x, y-size*0.8, size*0.42, dark)
	c.circle(x-size*0.26, y-size*0.58, size*0.28, dark)
	c.circle(x+size*0.27, y-size*0.6, size*0.3, dark)
	c.circle(x-size*0.1, y-size*0.9, size*0.26, light)
	c.circle(x+size*0.2, y-size*0.72, size*0.18, light)
}

// cypress is a slim pointed tree.
func cypress(c *canvas, x, y, height float64, fill string) {
	c.blade(x, y, height, height*0.14, 0, fill)
}

// palm stands at (x, y) with a crown of arching leaves.
func palm(c *canvas, x, y, height float64, fill, shade string) {
	c.line(fmt.Sprintf("M%.1f %.1fQ%.1f %.1f %.1f %.1f", x, y, x+height*0.08, y-height*0.5, x, y-height), "#8a6a4a", height*0.05)
	for i := range 9 {
		angle := -112 + float64(i)*28
		colour := fill
		if i%2 == 0 {
			colour = shade
		}
		c.blade(x, y-height, height*0.5, height*0.06, angle, colour)
	}
}

// glazing draws a glass front with bars between x1 and x2.
func glazing(c *canvas, x1, x2, top, bottom float64, panes int) {
	c.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#e9f6f6" fill-opacity="0.34"/>`, x1, top, x2-x1, bottom-top)
	for i := range panes + 1 {
		x := x1 + (x2-x1)*float64(i)/float64(panes)
		c.line(fmt.Sprintf("M%.1f %.1fV%.1f", x, top, bottom), "#ffffff", 3)
	}
	c.line(fmt.Sprintf("M%.1f %.1fH%.1f", x1, (top+bottom)/2, x2), "#ffffff", 2)
}

// dome is a glass vault over x1 to x2 that stands on base.
func dome(c *canvas, x1, x2, base, rise float64, ribs int) {
	middle := (x1 + x2) / 2
	c.add(`<path d="M%.1f %.1fQ%.1f %.1f %.1f %.1fQ%.1f %.1f %.1f %.1fZ" fill="#e9f6f6" fill-opacity="0.38"/>`,
		x1, base, x1, base-rise, middle, base-rise, x2, base-rise, x2, base)
	for i := range ribs + 1 {
		share := float64(i)/float64(ribs)*2 - 1
		x := middle + share*(x2-x1)/2
		c.line(fmt.Sprintf("M%.1f %.1fQ%.1f %.1f %.1f %.1f", x, base, x, base-rise*0.98, middle+share*4, base-rise), "#ffffff", 3)
	}
	c.line(fmt.Sprintf("M%.1f %.1fH%.1f", x1-6, base, x2+6), "#ffffff", 7)
	c.line(fmt.Sprintf("M%.1f %.1fv-26", middle, base-rise), "#ffffff", 5)
	c.circle(middle, base-rise-28, 5, "#f4c430")
}

func drawPalmHouse(c *canvas) {
	hills(c, 300, 26, 0.6, "#a9cdb5")
	for i, height := range []float64{92, 132, 172, 140, 98} {
		palm(c, 220+float64(i)*50, 372, height, "#2f7d54", "#1f6443")
	}
	for i := range 16 {
		c.blade(112+float64(i)*28, 372, 34+float64(i*7%20), 9, float64(i%3)*22-22, "#3a8a5c")
	}
	glazing(c, 90, 550, 236, 372, 14)
	dome(c, 190, 450, 236, 150, 8)
	c.add(`<rect x="80" y="368" width="480" height="16" fill="#e6ded2"/>`)
	c.shape("M0 384H640V440H0Z", "#5f9a5e")
	c.shape("M282 384H358L430 440H210Z", "#ecdfc4")
	for i := range 8 {
		c.circle(30+float64(i)*22, 392+float64(i%2)*8, 17, "#3f7f4e")
		c.circle(452+float64(i)*24, 392+float64(i%2)*8, 17, "#3f7f4e")
	}
}

func drawAlpineHouse(c *canvas) {
	c.shape("M0 300L90 190L150 250L260 110L350 240L430 170L560 300L640 230V440H0Z", "#9fb6c9")
	c.shape("M260 110L296 162L262 176L238 150L222 160Z", "#ffffff")
	c.shape("M430 170L462 206L432 214L408 197Z", "#ffffff")
	hills(c, 330, 14, 2.2, "#8fb38a")
	c.shape("M120 262L320 186L520 262Z", "#dceff0")
	for i := range 9 {
		x := 120 + float64(i)*50
		c.line(fmt.Sprintf("M%.1f 262L%.1f %.1f", x, x, 262-76*(1-math.Abs(x-320)/200)), "#ffffff", 3)
	}
	for i := range 10 {
		x := 150 + float64(i)*38
		c.ellipse(x, 340, 15, 16+float64(i%3)*7, 0, []string{"#5f9b62", "#7fae74", "#4a8452"}[i%3])
		c.circle(x, 318-float64(i%3)*7, 5, []string{"#f3c63c", "#d0568f", "#e2402f"}[i%3])
	}
	glazing(c, 120, 520, 262, 356, 12)
	c.add(`<rect x="112" y="352" width="416" height="26" fill="#b98d6b"/>`)
	c.shape("M0 378H640V440H0Z", "#d9cbb0")
	for i := range 26 {
		c.ellipse(12+float64(i)*25, 400+float64(i*17%30), 12, 6, 0, "#c5b595")
	}
}

func drawRockGarden(c *canvas) {
	hills(c, 230, 30, 1.1, "#a7cbb0")
	for i := range 7 {
		cypress(c, 50+float64(i*151%560), 268+float64(i*23%26), 96+float64(i*37%60), "#3f7f66")
	}
	hills(c, 300, 22, 3.4, "#7fb084")
	for i := range 16 {
		x, y := float64(i*97%640), 290+float64(i*61%120)
		w := 46 + float64(i*29%50)
		c.shape(fmt.Sprintf("M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fZ", x-w, y+34, w*0.3, -w*0.62, w*0.8, -w*0.12, w*0.66,
			w*0.34, w*0.24, w*0.5), "#c9c6bd")
		c.shape(fmt.Sprintf("M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fZ", x-w*0.7, y+34-w*0.62, w*0.8, -w*0.12, w*0.2, w*0.36, -w*0.7,
			w*0.1), "#e2dfd7")
	}
	for i := range 46 {
		x, y := float64(i*149%640), 312+float64(i*83%120)
		c.circle(x, y, 9+float64(i%3)*3, []string{"#8d63c0", "#f2b71f", "#d0568f", "#5f9150", "#ffffff"}[i%5])
	}
}

func drawPond(c *canvas) {
	hills(c, 210, 20, 0.2, "#9cc6a4")
	for i := range 9 {
		tree(c, 20+float64(i)*76, 246, 120+float64(i*37%60), "#4d8a5c", "#6aa572")
	}
	c.shape("M0 246H640V440H0Z", "#7fb9bd")
	c.shape("M0 246H640V262Q320 284 0 262Z", "#5d9f87")
	for i := range 22 {
		c.line(fmt.Sprintf("M%.1f %.1fh%.1f", float64(i*131%600), 285+float64(i*47%140), 40+float64(i*23%70)), "#a4d2d3", 2.5)
	}
	for i := range 11 {
		x, y := 40+float64(i*113%560), 310+float64(i*59%110)
		c.ellipse(x, y, 34, 12, 0, "#3c8468")
		if i%2 == 0 {
			for k := range 7 {
				c.blade(x, y-2, 24, 5, -60+float64(k)*20, []string{"#ffffff", "#f6d5e0"}[k%2])
			}
		}
	}
	for i := range 12 {
		x := 480 + float64(i)*13
		c.line(fmt.Sprintf("M%.1f 440Q%.1f 330 %.1f %.1f", x, x, x+8, 236+float64(i*31%60)), "#4f7f48", 3)
		c.ellipse(x+8, 250+float64(i*31%60), 4.5, 17, 4, "#6d4a31")
	}
}

func drawWalledGarden(c *canvas) {
	for i := range 7 {
		tree(c, 30+float64(i)*98, 196, 120+float64(i*41%50), "#6a9f68", "#86b57d")
	}
	c.add(`<rect x="0" y="176" width="640" height="104" fill="#c2775a"/><rect x="0" y="166" width="640" height="14" fill="#e0cdb8"/>`)
	for row := range 6 {
		for i := range 17 {
			c.add(`<rect x="%d" y="%d" width="36" height="14" fill="%s"/>`, i*40-row%2*20, 182+row*16, []string{"#c9826a", "#b96d52",
				"#cf8c70"}[(i*5+row*3)%3])
		}
	}
	for i := range 4 {
		x := 90 + float64(i)*154
		c.line(fmt.Sprintf("M%.1f 284V190", x), "#6b4f3c", 6)
		for level := range 3 {
			y := 262 - float64(level)*28
			c.line(fmt.Sprintf("M%.1f %.1fH%.1f", x-56, y, x+56), "#6b4f3c", 4)
			for k := range 9 {
				c.blade(x-52+float64(k)*13, y, 16, 5, float64(k%2)*60-30, "#4f8c52")
			}
			c.circle(x-34+float64(level)*12, y+8, 6, "#f0c04a")
			c.circle(x+38-float64(level)*9, y+8, 6, "#f0c04a")
		}
	}
	c.shape("M0 280H640V440H0Z", "#7a5a42")
	for row := range 5 {
		y := 304 + float64(row)*30
		for i := range 22 {
			x := float64(i)*31 - float64(row)*9
			fill := []string{"#78b159", "#4f9a5b", "#a9c96a", "#8a4a7d", "#5f9b8a"}[row]
			for k := range 5 {
				c.blade(x, y, 15+float64(row)*1.6, 6, float64(k)*36-72, fill)
			}
		}
	}
}

func drawArboretum(c *canvas) {
	hills(c, 240, 34, 1.9, "#b4d3b4")
	hills(c, 300, 22, 0.4, "#93c08d")
	tree(c, 110, 330, 190, "#3f7f4e", "#5a9a62")
	tree(c, 330, 300, 150, "#c98a2e", "#e2a94a")
	cypress(c, 222, 330, 180, "#2f6b4f")
	cypress(c, 420, 320, 140, "#2f6b4f")
	tree(c, 540, 345, 220, "#a3402f", "#c65a42")
	hills(c, 372, 14, 2.8, "#79b070")
	tree(c, 262, 402, 120, "#5f9150", "#7fae62")
	c.shape("M0 440Q200 380 360 400T640 372V392Q440 410 350 420T150 440Z", "#ecdfc4")
}

// panorama is the wide picture at the top of the home page.
func panorama() []byte {
	c := newCanvas(1600, 760, "#bfe0e6")
	c.circle(1180, 210, 96, "#fbe08a")
	c.circle(1180, 210, 72, "#f9d04f")
	hills(c, 470, 46, 0.4, "#a5cfc0")
	hills(c, 530, 40, 2.1, "#86bd9d")
	for i := range 14 {
		cypress(c, 60+float64(i*173%1500), 540+float64(i*29%30), 110+float64(i*43%70), "#3f7f66")
	}
	for i, height := range []float64{112, 150, 188, 158, 108} {
		palm(c, 1078+float64(i)*52, 590, height, "#2f7d54", "#1f6443")
	}
	glazing(c, 960, 1400, 476, 590, 16)
	dome(c, 1040, 1320, 476, 170, 10)
	c.add(`<rect x="950" y="586" width="460" height="14" fill="#f2ebdf"/>`)
	hills(c, 618, 20, 4.2, "#4f9465")
	for i := range 7 {
		tree(c, 40+float64(i)*112, 648+float64(i*31%24), 96+float64(i*53%56), "#2f6f4d", "#43875c")
	}
	hills(c, 680, 16, 1.3, "#2f7350")
	for i := range 120 {
		x, y := float64(i*389%1600), 676+float64(i*71%84)
		c.circle(x, y, 5+float64(i%4)*1.6, []string{"#f4c430", "#e4578f", "#ffffff", "#8d63c0", "#f2703d"}[i%5])
	}
	return c.bytes()
}
