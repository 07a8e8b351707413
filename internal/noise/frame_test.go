package noise_test

import (
	"strings"
	"testing"

	"afterimage/internal/noise"
	"afterimage/internal/page"
)

// TestWhatASqueezedPartShowsIsNotQuiet: a list that moves on is quiet as long as the part around it has about the size that it always
// had, or one of the sizes that it had.
func TestWhatASqueezedPartShowsIsNotQuiet(t *testing.T) {
	const list = "html > body > div"
	sized := func(from, width int) []page.Element {
		all := thread("", said(from, 3)...)
		for i := range all {
			if strings.HasPrefix(all[i].Selector, list) {
				all[i].Box.Width = min(all[i].Box.Width, width)
			}
		}
		return all
	}
	always := watch(func(visit int) []page.Element { return sized(visit, 1200) }, 6)
	either := watch(func(visit int) []page.Element { return sized(visit, []int{1200, 300}[visit%2]) }, 6)
	for name, c := range map[string]struct {
		known *noise.Knowledge
		width int
		quiet bool
	}{
		"as wide as ever": {always, 1200, true}, "a little narrower": {always, 900, true}, "squeezed": {always, 84, false},
		"narrow as before": {either, 300, true}, "a little narrower than ever": {either, 200, true},
		"squeezed further": {either, 84, false},
	} {
		before, after := sized(6, 1200), sized(7, c.width)
		got := c.known.On(before, after).Explain(change(before, after, list+" > div:nth-of-type(1) > b", list+" > div:nth-of-type(1) > b"))
		if got.Quiet != c.quiet || got.Quiet == strings.Contains(got.Reason, "the part around it never had a similar size") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
