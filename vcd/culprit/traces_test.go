package culprit

import (
	"fmt"
	"strings"
	"testing"

	"afterimage/internal/page"
	"afterimage/vcd"
)

func TestTracesOfAChange(t *testing.T) {
	before := &page.Content{Assets: []page.Asset{
		{Kind: "script", URL: "https://a.test/same.js?ver=1"}, {Kind: "script", URL: "https://a.test/p.js?ver=1"},
		{Kind: "style", URL: "https://a.test/gone.css"}, {Kind: "script", URL: "https://a.test/app.11aa22bb.js"},
	}, Elements: []page.Element{{Number: 0, Box: page.Box{X: 0, Y: 0, Width: 100, Height: 100}, Tag: "body", Parent: -1, Classes: "page"}}}
	after := &page.Content{Assets: []page.Asset{
		{Kind: "script", URL: "https://a.test/same.js?ver=1"}, {Kind: "script", URL: "https://a.test/p.js?ver=2"},
		{Kind: "style", URL: "https://a.test/new.css"}, {Kind: "script", URL: "https://a.test/app.33cc44dd.js"},
	}, Elements: []page.Element{
		{Number: 0, Box: page.Box{X: 0, Y: 0, Width: 100, Height: 100}, Selector: "body", Tag: "body", Parent: -1, Classes: "page Home"},
		{Number: 1, Box: page.Box{X: 10, Y: 10, Width: 50, Height: 50}, Selector: "#cart", Tag: "div", Parent: 0, Classes: "shop"},
		{Number: 2, Box: page.Box{X: 20, Y: 20, Width: 10, Height: 10}, Selector: "#cart > img", Tag: "img", Parent: 1,
			Source: "/wp-content/plugins/shop/a.png"},
	}}
	got := Trace(before, after, []vcd.ChangedRegion{{ID: 1, X: 20, Y: 20, Width: 10, Height: 10, Pixels: 5}, {ID: 2, X: 80, Y: 80, Width: 5,
		Height: 5, Pixels: 25}})
	want := "&{[{script https://a.test/app.11aa22bb.js https://a.test/app.33cc44dd.js} " +
		"{script https://a.test/p.js?ver=1 https://a.test/p.js?ver=2} {style https://a.test/gone.css } {style  https://a.test/new.css}] " +
		"[{2 [page home] []} {1 [#cart shop page home] [/wp-content/plugins/shop/a.png]}]}"
	if fmt.Sprint(got) != want {
		t.Errorf("%v", got)
	}
	for name, none := range map[string]*vcd.Traces{
		"of nothing":           Trace(nil, nil, []vcd.ChangedRegion{{ID: 1}}),
		"of equal pages":       Trace(after, after, nil),
		"of an older capture":  Trace(&page.Content{}, after, nil),
		"of an impossible box": Trace(before, before, []vcd.ChangedRegion{{X: -5, Y: 900, Width: 1 << 40, Height: 1 << 40}}),
	} {
		if none != nil {
			t.Errorf("%s: %v", name, none)
		}
	}
}

// A page controls its classes and addresses, and older captures recorded no parents.
func TestTracesAreBounded(t *testing.T) {
	visited := func(version int) *page.Content {
		p := &page.Content{}
		for i := range 300 {
			p.Assets = append(p.Assets, page.Asset{Kind: "script", URL: fmt.Sprintf("https://a.test/%c%c.js?%s%d", 'a'+i%26, 'a'+i/26,
				strings.Repeat("x", 900), version)})
		}
		for i := range 4000 {
			p.Elements = append(p.Elements, page.Element{Number: i, Box: page.Box{X: 0, Y: 0, Width: 100, Height: 100}, Parent: max(0, i-1),
				Classes: strings.Repeat(fmt.Sprintf("class-%d ", i), 20), Source: strings.Repeat("y", 5000)})
		}
		return p
	}
	regions := make([]vcd.ChangedRegion, 500)
	for i := range regions {
		regions[i] = vcd.ChangedRegion{ID: i, Width: 10, Height: 10}
	}
	got := Trace(visited(1), visited(2), regions)
	if len(got.Assets) != maxAssetChanges || len(got.Regions) != maxMarkedRegion || len(got.Regions[0].Marks) > maxMarks ||
		len(got.Regions[0].Sources[0]) > maxMarkAddress {
		t.Errorf("%d assets, %d regions, %d marks", len(got.Assets), len(got.Regions), len(got.Regions[0].Marks))
	}
}
