// Package chart draws line charts as SVG, for the documents that show measurements.
package chart

import (
	"fmt"
	"html"
	"strings"
)

// Size of a chart without its margin, in pixels.
const (
	width  = 420
	height = 320
	margin = 56
	ticks  = 5
)

var colours = []string{"#2563eb", "#d97706", "#9ca3af", "#15803d", "#7c3aed", "#dc2626", "#0891b2", "#111827"}

// Chart is what one chart shows. Both axes begin at 0.
type Chart struct {
	Title  string
	X, Y   Axis
	Series []Series
	Low    bool // the legend stands at the bottom, where the curves leave more space
}

// Axis is a name with a unit, and where the axis ends: 0 for a little above the largest value.
type Axis struct {
	Name string
	End  float64
}

// Series is a curve through points, or only their dots.
type Series struct {
	Name   string
	Points []Point
	Dots   bool
}

// Point is a pair of values.
type Point struct{ X, Y float64 }

// SVG returns a document with charts, two in a row.
func SVG(charts ...Chart) string {
	columns := min(2, len(charts))
	rows := (len(charts) + 1) / 2
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n"+
		`<rect width="100%%" height="100%%" fill="#fff"/>`+"\n", columns*(width+2*margin), rows*(height+2*margin))
	for i, c := range charts {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", i%2*(width+2*margin)+margin, i/2*(height+2*margin)+margin)
		c.draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (c *Chart) draw(b *strings.Builder) {
	c.X.End = c.end(c.X, func(p Point) float64 { return p.X }, 1)
	c.Y.End = c.end(c.Y, func(p Point) float64 { return p.Y }, 1.05)
	fmt.Fprintf(b, `<text y="-24" font-size="14">%s</text>`+"\n", html.EscapeString(c.Title))
	for i := range ticks + 1 {
		share := float64(i) / ticks
		x, y := width*share, height*(1-share)
		fmt.Fprintf(b, `<path d="M%.1f 0V%d M0 %.1fH%d" stroke="#e5e7eb"/>`, x, height, y, width)
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%.4g</text><text x="-6" y="%.1f" text-anchor="end">%.3g</text>`+"\n",
			x, height+18, c.X.End*share, y+4, c.Y.End*share)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" fill="#555">%s</text>`, width/2, height+38, html.EscapeString(c.X.Name))
	fmt.Fprintf(b, `<text y="-8" fill="#555">%s</text>`+"\n", html.EscapeString(c.Y.Name))
	for i, s := range c.Series {
		c.curve(b, s, colours[i%len(colours)])
		c.legend(b, i)
	}
}

// end is where an axis ends; never at 0.
func (c *Chart) end(a Axis, of func(Point) float64, headroom float64) float64 {
	if a.End > 0 {
		return a.End
	}
	most := 0.0
	for _, s := range c.Series {
		for _, p := range s.Points {
			most = max(most, of(p))
		}
	}
	if most == 0 {
		return 1
	}
	return most * headroom
}

func (c *Chart) curve(b *strings.Builder, s Series, colour string) {
	var path strings.Builder
	for i, p := range s.Points {
		x, y := width*p.X/c.X.End, height*(1-p.Y/c.Y.End)
		fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(i, 1)], x, y)
		if s.Dots || len(s.Points) <= 12 { // more would hide the curve
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%d" fill="%s"/>`, x, y, radius(s.Dots), colour)
		}
	}
	if !s.Dots {
		fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="2"/>`, path.String(), colour)
	}
	b.WriteString("\n")
}

func radius(dots bool) int {
	if dots {
		return 5
	}
	return 3
}

func (c *Chart) legend(b *strings.Builder, i int) {
	y := 16 + 16*i
	if c.Low {
		y = height - 16*(len(c.Series)-i)
	}
	fmt.Fprintf(b, `<rect x="12" y="%d" width="12" height="4" fill="%s"/><text x="30" y="%d">%s</text>`+"\n", y-6,
		colours[i%len(colours)], y, html.EscapeString(c.Series[i].Name))
}
