package vcd

import (
	"slices"
	"testing"

	"afterimage/internal/page"
)

func pageOfElements(n int) *page.Content {
	p := &page.Content{}
	for i := range n {
		p.Elements = append(p.Elements, page.Element{Number: i, Box: page.Box{X: 0, Y: 10 * i, Width: 100, Height: 10},
			Selector: "#a", Tag: "p"})
	}
	return p
}

func TestElementsAreFoundByBoxAndPage(t *testing.T) {
	p := pageOfElements(1000)
	at := func(n int) *int { return &n }
	box := func(y, height int) *page.Box { return &page.Box{X: 99, Y: y, Width: 5, Height: height} }
	for name, test := range map[string]struct {
		filter ElementFilter
		want   []int // numbers: first, last, count
	}{
		"some":         {ElementFilter{}, []int{0, 99, 100}},
		"many":         {ElementFilter{First: at(10_000)}, []int{0, 499, 500}},
		"after":        {ElementFilter{After: at(995)}, []int{996, 999, 4}},
		"box":          {ElementFilter{Box: box(15, 10)}, []int{1, 2, 2}},
		"edge":         {ElementFilter{Box: box(20, 10)}, []int{2, 2, 1}},
		"box and page": {ElementFilter{Box: box(0, 10_000), After: at(3), First: at(2)}, []int{4, 5, 2}},
	} {
		found, err := test.filter.Find(p)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %v, %v", name, found, err)
			continue
		}
		if got := []int{found[0].Number, found[len(found)-1].Number, len(found)}; !slices.Equal(got, test.want) {
			t.Errorf("%s: found %v, want %v", name, got, test.want)
		}
	}
	for _, bad := range []ElementFilter{{First: at(0)}, {Box: &page.Box{Width: -1, Height: 1}},
		{Box: &page.Box{X: -1, Width: 1, Height: 1}}} {
		if _, err := bad.Find(p); CodeOf(err) != CodeInvalid {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
