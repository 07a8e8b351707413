package main

import (
	"cmp"
	"slices"

	"afterimage/internal/chart"
	"afterimage/internal/verify/trees"
)

// rocPlot shows for each way of judging which share of the harmful pairs it keeps when it silences a share of the harmless ones.
func rocPlot(all []opened, earlier bool) string {
	c := sharesChart("Share of harmless pairs silenced", "Share of harmful pairs kept")
	for _, way := range []struct {
		name  string
		score func(*opened) float64
	}{
		{"trained judge", func(o *opened) float64 { return o.score }},
		{"share of differing pixels", func(o *opened) float64 { return o.pixels }},
		{"SSIM", func(o *opened) float64 { return 1 - o.ssim }},
	} {
		c.Series = append(c.Series, chart.Series{Name: way.name, Points: curve(all, way.score)})
	}
	dot := func(name string, alarm func(*opened) bool) {
		c.Series = append(c.Series, chart.Series{Name: name, Points: []chart.Point{reached(all, alarm)}, Dots: true})
	}
	dot("rules alone", func(o *opened) bool { return o.rulesAlone })
	dot("rules and trained judge, as it decides", func(o *opened) bool { return o.judged })
	if earlier {
		dot("rules of the day before", func(o *opened) bool { return o.earlier })
	}
	return chart.SVG(c)
}

// reached is what one way of judging reaches without any threshold.
func reached(all []opened, alarm func(*opened) bool) chart.Point {
	var count [2]tally
	for i := range all {
		count[index(all[i].pair.Harmful())].add(alarm(&all[i]))
	}
	return sharePoint(1-share(count[0].counted, count[0].pairs), share(count[1].counted, count[1].pairs))
}

func share(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// curve has a point for each threshold: pairs above it are alarms.
func curve(all []opened, score func(*opened) float64) []chart.Point {
	sorted := make([]*opened, len(all))
	var total [2]int
	for i := range all {
		sorted[i] = &all[i]
		total[index(all[i].pair.Harmful())]++
	}
	slices.SortStableFunc(sorted, func(a, b *opened) int { return cmp.Compare(score(a), score(b)) })
	points := []chart.Point{sharePoint(0, 1)}
	var below [2]int
	for i, o := range sorted {
		below[index(o.pair.Harmful())]++
		if i+1 == len(sorted) || score(sorted[i+1]) > score(o) {
			points = append(points, sharePoint(share(below[0], total[0]), 1-share(below[1], total[1])))
		}
	}
	return points
}

// calibrationPlot shows for findings of about the same predicted probability of harm how many were harmful.
func calibrationPlot(all []opened) string {
	var examples []trees.Example
	for i := range all {
		examples = append(examples, all[i].examples...)
	}
	groups, _ := trees.Reliability(examples, calibrationBins)
	points := make([]chart.Point, len(groups))
	for i, g := range groups {
		points[i] = sharePoint(g.Predicted, g.Observed)
	}
	c := sharesChart("Predicted probability of harm", "Share that was harmful")
	c.Series = []chart.Series{
		{Name: "trained judge", Points: points}, {Name: "perfect", Points: []chart.Point{sharePoint(0, 0), sharePoint(1, 1)}},
	}
	return chart.SVG(c)
}

// sharesChart is a chart of shares.
func sharesChart(x, y string) chart.Chart {
	return chart.Chart{X: chart.Axis{Name: x + ", %", End: 100}, Y: chart.Axis{Name: y + ", %", End: 100}, Low: true}
}

func sharePoint(x, y float64) chart.Point { return chart.Point{X: 100 * x, Y: 100 * y} }
