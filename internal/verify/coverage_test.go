package verify

import (
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"afterimage/imgdiff"
	"afterimage/internal/page"
)

// masked gives a pair the pixels of its clusters, and some elsewhere.
func masked(r *rand.Rand, p *Pair) {
	p.Changed = imgdiff.NewMask(1200, 3000)
	clusters := p.Remaining
	if clusters == nil {
		clusters = p.Regions
	}
	for _, c := range clusters {
		for range 1 + r.IntN(20) {
			at := c.Box.Min.Add(image.Pt(r.IntN(c.Box.Dx()+1), r.IntN(c.Box.Dy()+1)))
			p.Changed.SetRect(image.Rectangle{at, at.Add(image.Pt(1+r.IntN(30), 1+r.IntN(9)))})
		}
	}
	for range r.IntN(6) {
		at := image.Pt(r.IntN(1200), r.IntN(3000))
		p.Changed.SetRect(image.Rectangle{at, at.Add(image.Pt(1+r.IntN(40), 1+r.IntN(4)))})
	}
}

// TestEveryChangedPixelIsAccountedFor: whatever changed, the places of the findings and the declared shifts hold every
// changed pixel, and a comparison that calls itself explained has no finding without a cause.
func TestEveryChangedPixelIsAccountedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		p := scribbledPair(r)
		masked(r, p)
		l := newListing()
		l.gather(newView(stepsFor(t.Context(), p), p))
		if err := l.cover(); err != nil {
			t.Fatal(err)
		}
		left := p.Changed.Clone()
		for i := range l.found {
			for _, place := range l.found[i].places {
				left.ClearRect(place)
			}
		}
		for _, shift := range l.pushed {
			left.ClearRect(l.forward(shift.before))
			left.ClearRect(shift.after)
		}
		if n := left.Count(); n > l.unlisted.Pixels || l.complete && n > 0 {
			t.Fatalf("%d pixels are not accounted for, %+v are not listed", n, l.unlisted)
		}
		result := l.result(p)
		for i := range result.Findings {
			f := &result.Findings[i]
			if f.Description == "" || f.Ruling.Category == "" {
				t.Fatalf("a finding says %+v", f)
			}
			if result.Explained && f.Change == Unexplained && f.Ruling.Category != AllGood {
				t.Fatalf("explained by %+v", f)
			}
		}
	})
}

// shop is a page with a button, a price and, after the change, a banner beside them, too close to each other to be in
// different regions.
func shop(button, price string, banner bool) Page {
	card := page.Element{Box: page.BoxOf(image.Rect(100, 100, 500, 240)), Selector: "html > body > section", Tag: "section"}
	paragraph := page.Element{Box: page.BoxOf(image.Rect(110, 110, 300, 134)), Selector: "html > body > section > p", Tag: "p",
		Role: "paragraph", Text: price, Parent: 1}
	action := page.Element{Box: page.BoxOf(image.Rect(110, 140, 260, 170)), Selector: "html > body > section > button", Tag: "button",
		Role: "button", Text: button, Parent: 1}
	elements := []page.Element{card, paragraph, action}
	if banner {
		elements = append(elements, page.Element{Box: page.BoxOf(image.Rect(110, 176, 490, 230)),
			Selector: "html > body > section > div", Tag: "div", Text: "Free delivery this week", Parent: 1})
	}
	return withElements(elements...)
}

// TestChangesOfOneRegionAreFindingsOfTheirOwn: a button, a price and a banner that merge into one box are three findings, in
// reading order, each with its boxes.
func TestChangesOfOneRegionAreFindingsOfTheirOwn(t *testing.T) {
	p := &Pair{Before: shop("Buy now", "from 7.80", false), After: shop("Add to basket", "from 8.10", true),
		Regions: []Region{region(1, 110, 112, 490, 230)}, Changed: imgdiff.NewMask(1000, 2000)}
	for _, box := range []image.Rectangle{image.Rect(160, 112, 200, 132), image.Rect(120, 145, 250, 165), image.Rect(110, 176, 490, 230)} {
		p.Changed.SetRect(box)
	}
	r := verified(t, p)
	var told []string
	for i := range r.Findings {
		f := &r.Findings[i]
		told = append(told, string(f.Change)+" "+f.Element.Tag)
		if !slices.Equal(f.Regions, []int{1}) || f.AfterBox().Empty() || f.BeforeBox.Empty() != (f.Change == Appeared) {
			t.Errorf("%s lies in %v, at %v and %v", f.Description, f.Regions, f.BeforeBox, f.Box)
		}
	}
	if want := "text_changed p, text_changed button, appeared div"; strings.Join(told, ", ") != want || !r.Explained {
		t.Errorf("explained %t: %v", r.Explained, told)
	}
}

// TestPixelsWithoutAChangeOfAnElementAreTold: pixels beside every known change are a finding of their own, as are a few
// that are too small for a region.
func TestPixelsWithoutAChangeOfAnElementAreTold(t *testing.T) {
	p := &Pair{Before: shop("Buy now", "from 7.80", false), After: shop("Buy now", "from 8.10", false),
		Regions: []Region{region(1, 110, 112, 300, 132)}, Changed: imgdiff.NewMask(1000, 2000)}
	p.Changed.SetRect(image.Rect(160, 112, 200, 132))
	p.Changed.SetRect(image.Rect(700, 900, 730, 920))
	r := verified(t, p)
	if len(r.Findings) != 2 || r.Explained || r.Findings[1].Change != Unexplained || len(r.Findings[1].Regions) != 0 ||
		r.Findings[1].Description != "Unexplained: 600 px differ at 700, 900 (30 × 20 px)." || r.Harmless() {
		t.Errorf("%+v", r.Findings)
	}
	p.Changed, p.After = imgdiff.NewMask(1000, 2000), shop("Buy now", "from 7.80", false)
	p.Regions = nil
	p.Changed.SetRect(image.Rect(700, 900, 702, 901))
	if r = verified(t, p); len(r.Findings) != 1 || !r.Explained || !r.Harmless() || !strings.HasPrefix(r.Summary, "One harmless change.") {
		t.Errorf("a speck: %+v, %s", r.Findings, r.Summary)
	}
}
