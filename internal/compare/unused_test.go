package compare

import (
	"slices"
	"testing"

	"afterimage/internal/page"
)

// TestSelectorsThatMatchNothing: a selector of the CSS is said to match nothing only if it was counted on every page that was captured, and
// none of them has such an element.
func TestSelectorsThatMatchNothing(t *testing.T) {
	visit := func(styled ...page.Selected) page.Manifest {
		return page.Manifest{Engine: "HeadlessChrome/1", Styled: styled}
	}
	promo, clock, late := page.Selected{Selector: ".promo"}, page.Selected{Selector: ".clock"}, page.Selected{Selector: ".late"}
	onePromo := page.Selected{Selector: ".promo", Elements: 1}
	for name, c := range map[string]struct {
		visits [4]page.Manifest
		want   []string
	}{
		"on all pages": {[4]page.Manifest{visit(promo, clock), visit(promo, clock), visit(promo, clock), visit(clock, promo)},
			[]string{".promo", ".clock"}},
		"one has it":           {[4]page.Manifest{visit(promo), visit(promo), visit(promo), visit(onePromo)}, nil},
		"not counted on one":   {[4]page.Manifest{visit(promo, late), visit(promo), visit(promo, late), visit(promo)}, []string{".promo"}},
		"none counted on one":  {[4]page.Manifest{visit(promo), visit(), visit(promo), visit(promo)}, nil},
		"one was not captured": {[4]page.Manifest{visit(promo), visit(promo), visit(promo), {}}, []string{".promo"}},
		"no CSS":               {[4]page.Manifest{visit(), visit(), visit(), visit()}, nil},
	} {
		var r run
		for i := 0; i < len(c.visits); i += 2 {
			p := Pair{}
			p.Before.Manifest, p.After.Manifest = c.visits[i], c.visits[i+1]
			r.pairs = append(r.pairs, p)
		}
		if got := r.unused(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
