package samplesite

import (
	"fmt"
	"math"
	"strings"
)

// goldenAngle in radians: successive seeds and florets stand this far apart
// (H. Vogel, "A better way to construct the sunflower head", 1979).
const goldenAngle = 2.39996322972865332

// canvas collects the elements of one SVG picture. Coordinates are in user
// units of the view box, y downwards. Numbers are written with one decimal,
// so a picture is the same bytes every time.
type canvas struct {
	width, height int
	body          strings.Builder
}

func newCanvas(width, height int, ground string) *canvas {
	c := &canvas{width: width, height: height}
	c.add(`<rect width="%d" height="%d" fill="%s"/>`, width, height, ground)
	return c
}

// add appends one element.
func (c *canvas) add(format string, args ...any) {
	fmt.Fprintf(&c.body, format, args...)
}

// bytes returns the finished document.
func (c *canvas) bytes() []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">%s</svg>`,
		c.width, c.height, c.width, c.height, c.body.String())
}

func (c *canvas) circle(x, y, radius float64, fill string) {
	c.add(`<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"/>`, x, y, radius, fill)
}

func (c *canvas) ellipse(x, y, rx, ry, degrees float64, fill string) {
	c.add(`<ellipse cx="%.1f" cy="%.1f" rx="%.1f" ry="%.1f" fill="%s" transform="rotate(%.1f %.1f %.1f)"/>`,
		x, y, rx, ry, fill, degrees, x, y)
}

// line draws a stroke along an SVG path with round ends.
func (c *canvas) line(d, stroke string, width float64) {
	c.add(`<path d="%s" fill="none" stroke="%s" stroke-width="%.1f" stroke-linecap="round"/>`, d, stroke, width)
}

func (c *canvas) shape(d, fill string) {
	c.add(`<path d="%s" fill="%s"/>`, d, fill)
}

// blade draws a pointed leaf or petal that grows from (x, y), upwards at 0
// degrees and clockwise from there. Breadth is half its greatest width.
func (c *canvas) blade(x, y, length, breadth, degrees float64, fill string) {
	c.add(`<path transform="rotate(%.1f %.1f %.1f)" fill="%s" d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1fC%.1f %.1f %.1f %.1f %.1f `+
		`%.1fZ"/>`,
		degrees, x, y, fill,
		x, y,
		x-breadth*1.2, y-length*0.3, x-breadth*0.95, y-length*0.75, x, y-length,
		x+breadth*0.95, y-length*0.75, x+breadth*1.2, y-length*0.3, x, y)
}

// paddle draws a petal that is broadest near its rounded end.
func (c *canvas) paddle(x, y, length, breadth, degrees float64, fill string) {
	c.add(`<path transform="rotate(%.1f %.1f %.1f)" fill="%s" d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1fC%.1f %.1f %.1f %.1f %.1f `+
		`%.1fZ"/>`,
		degrees, x, y, fill,
		x, y,
		x-breadth*0.7, y-length*0.3, x-breadth*2.1, y-length*1.02, x, y-length,
		x+breadth*2.1, y-length*1.02, x+breadth*0.7, y-length*0.3, x, y)
}

// leaf is a blade with its midrib.
func (c *canvas) leaf(x, y, length, breadth, degrees float64, fill, rib string) {
	c.blade(x, y, length, breadth, degrees, fill)
	tipX, tipY := polar(x, y, length*0.86, degrees)
	c.line(fmt.Sprintf("M%.1f %.1fL%.1f %.1f", x, y, tipX, tipY), rib, 1.6)
}

// ring places count petals around a point, the first at the given angle.
func (c *canvas) ring(count int, first float64, petal func(degrees float64)) {
	for i := range count {
		petal(first + 360*float64(i)/float64(count))
	}
}

// seedHead fills a disc with dots in Vogel's spiral.
func (c *canvas) seedHead(x, y, radius float64, count int, dot float64, fill string) {
	for i := range count {
		dx, dy := vogel(i, count)
		c.circle(x+radius*dx, y+radius*dy, dot, fill)
	}
}

// vogel is the i-th of count points of Vogel's spiral in the unit disc.
func vogel(i, count int) (float64, float64) {
	distance := math.Sqrt((float64(i) + 0.5) / float64(count))
	angle := float64(i) * goldenAngle
	return distance * math.Cos(angle), distance * math.Sin(angle)
}

// polar is the point at a distance from (x, y), upwards at 0 degrees and
// clockwise from there.
func polar(x, y, distance, degrees float64) (float64, float64) {
	radians := degrees * math.Pi / 180
	return x + distance*math.Sin(radians), y - distance*math.Cos(radians)
}
