//go:build unix

package imgdiff

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

var growthPlot = flag.String("growth", "", "let BenchmarkGrowth draw its figures into this SVG file")

// curve is the cost of comparisons along one axis.
type curve struct {
	name   string
	colour string
	points [][2]float64 // what varies, processor time in milliseconds
}

// BenchmarkGrowth shows how cost grows: with the height of the page, and with
// the share of its pixels that changed. It tells processor time, which other
// work on the machine hardly touches.
func BenchmarkGrowth(b *testing.B) {
	heights := []curve{
		{name: "a few words changed", colour: "#2563eb"},
		{name: "banner inserted, aligned only", colour: "#16a34a"},
		{name: "theme changed", colour: "#d97706"},
	}
	modes := []Options{DefaultOptions(), {Threshold: DefaultThreshold, AlignedOnly: true}, DefaultOptions()}
	for _, height := range []int{1000, 5000, 10_000, 20_000, 30_000, 40_000} {
		before := encode(b, benchPage{height: height}.draw())
		for i, page := range []benchPage{{height: height, words: true}, {height: height, banner: 40}, {height: height, tint: 6}} {
			after := encode(b, page.draw())
			cost := processorTime(b, before, after, modes[i])
			heights[i].points = append(heights[i].points, [2]float64{float64(height), cost})
			b.ReportMetric(cost, fmt.Sprintf("ms/%s/%d", strings.ReplaceAll(heights[i].name, " ", "-"), height))
		}
	}
	shares := []curve{{name: "plain", colour: "#2563eb"}, {name: "aligned too", colour: "#16a34a"}}
	page := benchPage{height: 8000}.draw()
	before := encode(b, page)
	for share := 0; share <= 100; share += 10 {
		after := encode(b, recoloured(page, share))
		for i, o := range []Options{{Threshold: DefaultThreshold}, DefaultOptions()} {
			cost := processorTime(b, before, after, o)
			shares[i].points = append(shares[i].points, [2]float64{float64(share), cost})
			b.ReportMetric(cost, fmt.Sprintf("ms/%s/%d%%", strings.ReplaceAll(shares[i].name, " ", "-"), share))
		}
	}
	if *growthPlot == "" {
		return
	}
	plot := svgPlots(
		svgPlot("Height of the page, 1440 pixels wide", "rows", 40_000, heights),
		svgPlot("Pixels changed, 1440 × 8000", "percent", 100, shares))
	if err := os.WriteFile(*growthPlot, []byte(plot), 0o600); err != nil {
		b.Fatal(err)
	}
}

// recoloured changes a share of the pixels clearly: that share of every block
// of 100 rows.
func recoloured(page *image.NRGBA, percent int) *image.NRGBA {
	out := canvas{page}.copy()
	for y := range out.Rect.Dy() {
		if y%100 >= percent {
			continue
		}
		for x := range out.Rect.Dx() {
			old := out.NRGBAAt(x, y)
			out.SetNRGBA(x, y, color.NRGBA{old.R ^ 0x80, old.G, old.B ^ 0x40, 255})
		}
	}
	return out.NRGBA
}

// processorTime is the least processor time of several comparisons, in
// milliseconds.
func processorTime(b *testing.B, before, after []byte, o Options) float64 {
	b.Helper()
	least := time.Duration(math.MaxInt64)
	for range 6 {
		start := spent(b)
		if _, err := Compare(b.Context(), before, after, o); err != nil {
			b.Fatal(err)
		}
		least = min(least, spent(b)-start)
	}
	return float64(least) / float64(time.Millisecond)
}

// Sizes of a plot.
const plotWidth, plotHeight, plotMargin = 460, 300, 50

// svgPlots puts plots beside each other.
func svgPlots(plots ...string) string {
	var out strings.Builder
	width := len(plots) * (plotWidth + 2*plotMargin)
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n",
		width, plotHeight+2*plotMargin)
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" fill="#fff"/>`+"\n")
	for i, plot := range plots {
		fmt.Fprintf(&out, `<g transform="translate(%d %d)">%s</g>`+"\n", i*(plotWidth+2*plotMargin)+plotMargin, plotMargin, plot)
	}
	return out.String() + "</svg>\n"
}

// svgPlot draws curves over an axis from 0 to the given end.
func svgPlot(title, unit string, end float64, curves []curve) string {
	top := 0.0
	for _, c := range curves {
		for _, p := range c.points {
			top = max(top, p[1])
		}
	}
	top *= 1.05
	x := func(v float64) float64 { return v / end * plotWidth }
	y := func(v float64) float64 { return plotHeight - v/top*plotHeight }
	var out strings.Builder
	fmt.Fprintf(&out, `<text y="-22" font-size="14">%s</text><text y="-6" fill="#555">processor time, ms</text>`, title)
	for i := range 6 {
		v, w := top*float64(i)/5, end*float64(i)/5
		fmt.Fprintf(&out, `<path d="M0 %.1f H%d" stroke="#ddd"/><text x="-6" y="%.1f" text-anchor="end">%.0f</text>`, y(v),
			plotWidth, y(v)+4, v)
		fmt.Fprintf(&out, `<text x="%.1f" y="%d" text-anchor="middle">%.0f</text>`, x(w), plotHeight+18, w)
	}
	fmt.Fprintf(&out, `<text x="%d" y="%d" text-anchor="middle" fill="#555">%s</text>`, plotWidth/2, plotHeight+36, unit)
	for i, c := range curves {
		var path strings.Builder
		for j, p := range c.points {
			fmt.Fprintf(&path, "%c%.1f %.1f ", "ML"[min(j, 1)], x(p[0]), y(p[1]))
			fmt.Fprintf(&out, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`, x(p[0]), y(p[1]), c.colour)
		}
		fmt.Fprintf(&out, `<path d="%s" fill="none" stroke="%s" stroke-width="2"/>`, path.String(), c.colour)
		fmt.Fprintf(&out, `<text x="12" y="%d" fill="%s">%s</text>`, 16+18*i, c.colour, c.name)
	}
	return out.String()
}

// spent is what this process has used of the processors so far: unlike the time
// on the wall it does not depend on what else the machine is doing.
func spent(tb testing.TB) time.Duration {
	tb.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
