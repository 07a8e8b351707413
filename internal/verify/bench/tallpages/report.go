package main

import (
	"fmt"
	"strings"

	"afterimage/capture"
	"afterimage/internal/chart"
)

// report is the document with the table of costs.
func report(costs []cost) string {
	var b strings.Builder
	b.WriteString(`# Tall pages

A page of up to 100,000 rows is captured whole, from slices that are painted at the same page time
([decision 37](../decisions/0037-what-is-in-the-picture.md)). ` + "`make bench-tall`" + ` captures pages of which nothing
changed but 40 pixels in the last row, compares and judges them, and writes this page.

Processor time is that of this program alone, without the browser. Memory is the largest resident size while comparing
and judging, with both screenshots in it. Wall times depend on what else the machine is doing.

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

// plot shows a cost by height, a line for each device.
func plot(costs []cost, title string, of func(*cost) float64) string {
	c := chart.Chart{Title: title, X: chart.Axis{Name: "rows"}}
	for _, device := range []capture.Device{capture.Desktop, capture.Mobile} {
		s := chart.Series{Name: string(device)}
		for i := range costs {
			if costs[i].device == device {
				s.Points = append(s.Points, chart.Point{X: float64(costs[i].height), Y: of(&costs[i])})
			}
		}
		c.Series = append(c.Series, s)
	}
	return chart.SVG(c)
}
