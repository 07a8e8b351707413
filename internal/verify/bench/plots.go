package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"afterimage/internal/verify/trees"
)

// Size of a plot and its margin, in pixels.
const (
	plotSide   = 420
	plotMargin = 52
)

// point is a share of each axis.
type point struct{ x, y float64 }

// rocPlot shows for each way of judging which share of the harmful pairs it keeps when it silences a share of the harmless ones.
func rocPlot(all []opened, earlier bool) string {
	var b strings.Builder
	frame(&b, "Share of harmless pairs silenced", "Share of harmful pairs kept")
	for i, way := range []struct {
		name  string
		score func(*opened) float64
	}{
		{"trained judge", func(o *opened) float64 { return o.score }},
		{"share of differing pixels", func(o *opened) float64 { return o.pixels }},
		{"SSIM", func(o *opened) float64 { return 1 - o.ssim }},
	} {
		line(&b, curve(all, way.score), i, way.name)
	}
	dot(&b, reached(all, func(o *opened) bool { return o.rulesAlone }), 3, "rules alone")
	dot(&b, reached(all, func(o *opened) bool { return o.judged }), 4, "rules and trained judge, as it decides")
	if earlier {
		dot(&b, reached(all, func(o *opened) bool { return o.earlier }), 5, "rules of the day before")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// reached is what one way of judging reaches without any threshold.
func reached(all []opened, alarm func(*opened) bool) point {
	var count [2]tally
	for i := range all {
		count[index(all[i].pair.Harmful())].add(alarm(&all[i]))
	}
	return point{1 - share(count[0].counted, count[0].pairs), share(count[1].counted, count[1].pairs)}
}

func share(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// curve has a point for each threshold: pairs above it are alarms.
func curve(all []opened, score func(*opened) float64) []point {
	sorted := make([]*opened, len(all))
	var total [2]int
	for i := range all {
		sorted[i] = &all[i]
		total[index(all[i].pair.Harmful())]++
	}
	slices.SortStableFunc(sorted, func(a, b *opened) int { return cmp.Compare(score(a), score(b)) })
	points := []point{{0, 1}}
	var below [2]int
	for i, o := range sorted {
		below[index(o.pair.Harmful())]++
		if i+1 == len(sorted) || score(sorted[i+1]) > score(o) {
			points = append(points, point{share(below[0], total[0]), 1 - share(below[1], total[1])})
		}
	}
	return points
}

// calibrationPlot shows for findings of about the same predicted probability of harm how many were harmful.
func calibrationPlot(all []opened) string {
	var b strings.Builder
	frame(&b, "Predicted probability of harm", "Share that was harmful")
	var examples []trees.Example
	for i := range all {
		examples = append(examples, all[i].examples...)
	}
	groups, _ := trees.Reliability(examples, calibrationBins)
	points := make([]point, len(groups))
	for i, g := range groups {
		points[i] = point{g.Predicted, g.Observed}
	}
	line(&b, []point{{0, 0}, {1, 1}}, 1, "perfect")
	line(&b, points, 0, "trained judge")
	b.WriteString("</svg>\n")
	return b.String()
}

var plotColours = []string{"#2563eb", "#9ca3af", "#d97706", "#15803d", "#7c3aed", "#dc2626"}

func frame(b *strings.Builder, x, y string) {
	side := plotSide + 2*plotMargin
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+
		`<rect width="100%%" height="100%%" fill="#fff"/>`, side, side)
	for i := range 6 {
		at, label := float64(i)/5, fmt.Sprintf("%d %%", 20*i)
		p, q := place(point{at, 0}), place(point{0, at})
		fmt.Fprintf(b, `<path d="M%.1f %.1fV%d M%.1f %.1fH%d" stroke="#e5e7eb"/>`, p.x, p.y, plotMargin, q.x, q.y, plotMargin+plotSide)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text><text x="%.1f" y="%.1f" text-anchor="end">%s</text>`,
			p.x, p.y+16, label, q.x-6, q.y+4, label)
	}
	fmt.Fprintf(b,
		`<text x="%d" y="%d" text-anchor="middle">%s</text><text transform="rotate(-90)" x="%d" y="14" text-anchor="middle">%s</text>`,
		side/2, side-14, x, -side/2, y)
}

func place(p point) point {
	return point{plotMargin + p.x*plotSide, plotMargin + (1-p.y)*plotSide}
}

func line(b *strings.Builder, points []point, number int, name string) {
	fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, plotColours[number])
	for _, p := range points {
		at := place(p)
		fmt.Fprintf(b, "%.1f,%.1f ", at.x, at.y)
	}
	b.WriteString(`"/>`)
	legend(b, number, name)
}

func dot(b *strings.Builder, p point, number int, name string) {
	at := place(p)
	fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="5" fill="%s"/>`, at.x, at.y, plotColours[number])
	legend(b, number, name)
}

func legend(b *strings.Builder, number int, name string) {
	y := plotMargin + plotSide - 110 + 16*number
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="12" height="4" fill="%s"/><text x="%d" y="%d">%s</text>`, plotMargin+12, y,
		plotColours[number],
		plotMargin+30, y+6, name)
}
