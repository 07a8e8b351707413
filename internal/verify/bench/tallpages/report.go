package main

import (
	"fmt"
	"strings"

	"afterimage/capture"
)

// report is the document with the table of costs.
func report(costs []cost) string {
	var b strings.Builder
	b.WriteString(`# Tall pages

A page of up to 100,000 rows is captured whole, from slices that are painted at the same page time
([decision 37](decisions/0037-tall-pages-are-joined-from-slices.md)). ` + "`make bench-tall`" + ` captures pages of which nothing
changed but 40 pixels in the last row, compares and judges them, and writes this page.

Processor time is that of this program alone, without the browser. Memory is the largest resident size while comparing
and judging, with both screenshots in it. Times by the clock depend on what else the machine does.

| Device | Rows | Elements | File | Capture, by the clock | Joining both | Compare | Judge | Memory | Found in the last row |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---|
`)
	for i := range costs {
		c := &costs[i]
		fmt.Fprintf(&b, "| %s | %d | %d | %.1f MB | %.1f s | %.2f s | %.2f s | %.3f s | %d MB | %s |\n", c.device, c.height, c.elements,
			float64(c.bytes)/1e6, c.shot.Seconds(), c.capture.processor.Seconds(), c.compare.processor.Seconds(),
			c.judge.processor.Seconds(), max(c.compare.memory, c.judge.memory)>>20, yes(c.found && c.exact && c.only && c.explained))
	}
	b.WriteString("\n![Processor time by height](tall-pages-time.svg) ![Memory by height](tall-pages-memory.svg)\n")
	b.WriteString(seams)
	return b.String()
}

const seams = `
## Seams

` + "`AFTERIMAGE_SOAK=1 go test ./capture/chrome -run TestSlicesHaveNoSeams`" + ` captures pages with fixed, sticky, blurred,
masked, blended, turned and drawn parts across the edges of slices, once in slices and once in one picture. Not one pixel
differs.

An error in section 80 of a page of 20,160 rows is an alarm (` + "`TestAnErrorFarDownIsAnAlarm`" + `). Of a page of more than
100,000 rows, the comparison, the review page, mails and reports say that a part was not compared.
`

func yes(holds bool) string {
	if holds {
		return "yes"
	}
	return "**no**"
}

// Size of a plot and its margin, in pixels.
const (
	plotSide   = 360
	plotMargin = 56
)

// plot shows a cost by height, a line for each device.
func plot(costs []cost, title string, of func(*cost) float64) string {
	most, tallest := 0.0, 0
	for i := range costs {
		most, tallest = max(most, of(&costs[i])), max(tallest, costs[i].height)
	}
	side := plotSide + 2*plotMargin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+
		`<rect width="100%%" height="100%%" fill="#fff"/><text x="%d" y="20">%s</text>`, side, side, plotMargin, title)
	for i := range 6 {
		x, y := plotMargin+i*plotSide/5, plotMargin+plotSide-i*plotSide/5
		fmt.Fprintf(&b, `<path d="M%d %dV%d M%d %dH%d" stroke="#e5e7eb"/><text x="%d" y="%d" text-anchor="middle">%d</text>`+
			`<text x="%d" y="%d" text-anchor="end">%.3g</text>`, x, plotMargin, plotMargin+plotSide, plotMargin, y, plotMargin+plotSide,
			x, plotMargin+plotSide+18, i*tallest/5, plotMargin-6, y+4, float64(i)*most/5)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">rows</text>`, side/2, side-16)
	for n, device := range []capture.Device{capture.Desktop, capture.Mobile} {
		colour := []string{"#2563eb", "#d97706"}[n]
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, colour)
		for i := range costs {
			if c := &costs[i]; c.device == device {
				fmt.Fprintf(&b, "%.1f,%.1f ", plotMargin+plotSide*float64(c.height)/float64(tallest),
					plotMargin+plotSide*(1-of(c)/max(most, 1e-9)))
			}
		}
		fmt.Fprintf(&b, `"/><text x="%d" y="%d" fill="%s">%s</text>`, plotMargin+12, plotMargin+18+16*n, colour, device)
	}
	b.WriteString("</svg>\n")
	return b.String()
}
