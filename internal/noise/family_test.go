package noise_test

import (
	"fmt"
	"testing"

	"afterimage/internal/noise"
	"afterimage/internal/page"
)

// pager is a row of dots of which one is dark, below a row of pictures that moves on with it.
func pager(dark int) []page.Element {
	elements := []page.Element{{Parent: -1, Tag: "body", Selector: "html > body", Box: page.Box{Width: 1200, Height: 400}}}
	add := func(tag string, i int, source, background string) {
		elements = append(elements, page.Element{
			Number: len(elements), Tag: tag, Selector: fmt.Sprintf("html > body > %s:nth-of-type(%d)", tag, i+1), Source: source,
			Background: background, Box: page.Box{X: 100 * i, Y: 100, Width: 90, Height: 90},
		})
	}
	for i := range 5 {
		add("img", i, fmt.Sprintf("/partners/%d.png", (i+dark)%7), "")
		background := "#cccccc"
		if i == dark%5 {
			background = "#333333"
		}
		add("span", i, "", background)
	}
	return elements
}

// A mark that moves on, and pictures that move up, are known at places that they have not reached before.
func TestWhatMovesOnIsKnownToItsFamily(t *testing.T) {
	k := &noise.Knowledge{}
	for i := range 3 {
		k.Observe(&noise.Pair{Visit: noise.Visit{At: epoch.AddDate(0, 0, i)}, Before: pager(i), After: pager(i + 1)})
	}
	before, after := pager(3), pager(4)
	faded := pager(4)
	for i := range faded {
		if faded[i].Background == "#333333" {
			faded[i].Background = "#ffffff"
		}
	}
	at := func(tag string, n int) int {
		return find(before, fmt.Sprintf("html > body > %s:nth-of-type(%d)", tag, n))
	}
	for name, c := range map[string]struct {
		after  []page.Element
		change noise.Change
		quiet  bool
	}{
		"a dot that never was dark": {after, noise.Change{Before: at("span", 5), After: at("span", 5)}, true},
		"a dot that has gone pale":  {faded, noise.Change{Before: at("span", 5), After: at("span", 5)}, false},
		"a picture that moved up":   {after, noise.Change{Before: at("img", 4), After: at("img", 3)}, true},
		"the one that fell out":     {after, noise.Change{Before: at("img", 1), After: -1}, true},
		"the one that is new":       {after, noise.Change{Before: -1, After: at("img", 5)}, true},
		"a picture among the dots":  {after, noise.Change{Before: 0, After: 0}, false},
	} {
		if got := k.On(before, c.after).Explain(c.change); got.Quiet != c.quiet {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
