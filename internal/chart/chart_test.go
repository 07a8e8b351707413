package chart_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"afterimage/internal/chart"
)

func TestChartsAreWellFormedAndInTheirFrame(t *testing.T) {
	drawn := chart.SVG(
		chart.Chart{Title: "Rate & <cost>", X: chart.Axis{Name: "workers"}, Y: chart.Axis{Name: "per second"}, Series: []chart.Series{
			{Name: "a<b", Points: []chart.Point{{0, 0}, {1, 10}, {2, 20}}}, {Name: "dots", Points: []chart.Point{{2, 5}}, Dots: true},
		}},
		chart.Chart{Title: "nothing", Low: true},
		chart.Chart{Title: "share", X: chart.Axis{End: 1}, Y: chart.Axis{End: 1}, Series: []chart.Series{{Points: []chart.Point{{1, 1}}}}},
	)
	decoder := xml.NewDecoder(strings.NewReader(drawn))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, drawn)
		}
	}
	for _, want := range []string{
		"Rate &amp; &lt;cost&gt;", `M0.0 320.0L210.0 167.6L420.0 15.2`, `<circle cx="420.0" cy="243.8" r="5"`, `cx="420.0" cy="0.0"`,
	} {
		if !strings.Contains(drawn, want) {
			t.Errorf("no %s in\n%s", want, drawn)
		}
	}
	for _, not := range []string{"NaN", "Inf"} {
		if strings.Contains(drawn, not) {
			t.Errorf("%s in\n%s", not, drawn)
		}
	}
}
