package main

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"afterimage/capture/zoo"
	"afterimage/internal/page"
)

// TestReport writes the tables of a run of two tools that did not happen.
func TestReport(t *testing.T) {
	tools := []tool{{Name: "ours", Ours: true, About: "as it is"}, {Name: "other"}}
	r, err := newReport(settings{peers: ".", browser: "/usr/bin/browser", runs: 2, concurrency: 4, speedRounds: 2, gateRounds: 2}, tools)
	if err != nil {
		t.Fatal(err)
	}
	r.begin()
	pages := []zoo.Page{{Name: "still", Kind: zoo.Steady}, {Name: "noise", Kind: zoo.Restless}}
	for i, other := range []image.Point{{1, 1}, {2, 2}} { // the second tool takes pictures of two sizes
		tallies := make(map[string]*zoo.Tally)
		for _, p := range pages {
			tallies[p.Name] = zoo.NewTally(p)
			tallies[p.Name].Add(blank(t, image.Pt(1, 1)), nil)
			tallies[p.Name].Add(blank(t, other), nil)
		}
		seconds := time.Duration(i+1) * time.Second
		samples := []sample{{Pictures: 4, Took: seconds, CPU: seconds / 2}, {Pictures: 4, Took: 3 * seconds, CPU: seconds / 2}}
		r.addZoo(tools[i], samples, tallies, pages)
		r.addSpeed(tools[i], 2, samples)
		r.addGate(tools[i], 1, samples)
	}
	r.addStages(1, [][]page.StageTime{{{Stage: "goto", Milliseconds: 5}, {Stage: gateStage, Milliseconds: 10}},
		{{Stage: "goto", Milliseconds: 7}, {Stage: gateStage, Milliseconds: 30}}})
	r.end()
	var b strings.Builder
	if err := r.writeMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| **ours** | 2 | 1 of 1 | 1 of 1 | 2.00 | 0.12 |", "| other | 2 | 0 of 1 | 0 of 1 | 1.00 | 0.25 |",
		"| still |  | steady | ✓ | differs |", "| 2 | 2.7 | 1.3 (0.50 ×) |", "| 1 | 500 | 1000 (2.00 ×) |", "goto 6.0, settle 20",
		"- ours: as it is", "puppeteer-core",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the tables do not have %q:\n%s", want, b.String())
		}
	}
}

func blank(t *testing.T, size image.Point) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rectangle{Max: size})); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestContenders(t *testing.T) {
	all := contenders("self", "", "peers", "browser", []string{"a:1", "b:2"})
	if !all[0].Ours {
		t.Error("ours is not the first")
	}
	for _, tool := range all {
		if tool.About == "" || strings.Join(tool.argv[:4], " ") != "self -serve keeper --" {
			t.Errorf("%s runs as %q", tool.Name, tool.argv)
		}
	}
	if !wants("a,b", "b") || wants("a,b", "c") || !wants("", "c") {
		t.Error("lists of names are not understood")
	}
	for _, name := range speedPages {
		if _, err := zoo.Find(name); err != nil {
			t.Error(err)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{4, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}} {
		if got := median(test.values); got != test.want {
			t.Errorf("median of %v is %v", test.values, got)
		}
	}
}
