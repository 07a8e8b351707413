package verify

import (
	"fmt"
	"image"
	"testing"
	"time"

	"afterimage/internal/noise"
	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
)

// movingPage is a page of which one part is different on each visit, in a way that no rule knows by its name.
type movingPage struct {
	vary   func(visit int) []page.Element
	damage func([]page.Element) []page.Element
	since  int // visit of the damage, 0 for none
}

// elements are those of one visit: what stays, and then the part.
func (m *movingPage) elements(visit int) Page {
	p := withElements(section(100, "x1", "Our rooms")...)
	part := m.vary(visit)
	if m.since > 0 && visit >= m.since {
		part = m.damage(part)
	}
	for i := range part {
		part[i].Parent = 0
	}
	p.Elements = append(p.Elements, part...)
	return p
}

func line(i int, text string) page.Element {
	return page.Element{
		Box: page.Box{X: 100, Y: 400 + 40*i, Width: 600, Height: 30}, Tag: "p", Role: "paragraph", Text: text, Font: "16px Arial",
		Selector: fmt.Sprintf("html > body > p:nth-of-type(%d)", i+1),
	}
}

func shown(source string) page.Element {
	return page.Element{
		Box: page.Box{X: 100, Y: 400, Width: 600, Height: 300}, Tag: "img", Role: "img", Source: source, Selector: "html > body > img",
	}
}

// movingPages are pages of several kinds, three of which are damaged later.
func movingPages(n int) []*movingPage {
	words := []string{"Sow poppies in the first days of spring", "Roses like to be left alone", "Water in the evening, never at noon"}
	kinds := []func(of int) func(int) []page.Element{
		func(of int) func(int) []page.Element {
			return func(visit int) []page.Element {
				return []page.Element{shown(fmt.Sprintf("/views/%d.jpg", (visit+of)%4))}
			}
		},
		func(of int) func(int) []page.Element {
			return func(visit int) []page.Element { return []page.Element{line(0, words[(visit+of)%len(words)])} }
		},
		func(of int) func(int) []page.Element {
			return func(visit int) []page.Element {
				return []page.Element{line(0, words[(visit+of)%3]), line(1, words[(visit+of+1)%3]), line(2, words[(visit+of+2)%3])}
			}
		},
		func(of int) func(int) []page.Element {
			return func(visit int) []page.Element {
				return []page.Element{line(0, fmt.Sprintf("%c. Nobody has asked for the roses of lane %c", 'A'+visit%9, 'K'+visit*of%11))}
			}
		},
	}
	pages := make([]*movingPage, n)
	for i := range pages {
		pages[i] = &movingPage{vary: kinds[i%len(kinds)](i)}
	}
	pages[n/4].damage, pages[n/4].since = func(part []page.Element) []page.Element { return nil }, 6
	pages[n/2].damage, pages[n/2].since = func(part []page.Element) []page.Element {
		part[0].Box.Height = 60
		if part[0].Source != "" {
			part[0].Source = "/fallback.svg"
		} else {
			part[0].Text = "-"
		}
		return part
	}, 9
	pages[3*n/4].damage, pages[3*n/4].since = func(part []page.Element) []page.Element {
		return append(part, page.Element{
			Box: page.Box{X: 80, Y: 390, Width: 640, Height: 320}, Tag: "div", Selector: "html > body > div", Background: "#ffffff",
		})
	}, 12
	return pages
}

// differing are the places at which two visits show something else, as a comparison of their pictures finds them.
func differing(before, after Page) []Region {
	var regions []Region
	add := func(box image.Rectangle) {
		regions = append(regions, Region{
			ID: len(regions) + 1, Box: box, BeforeBox: box, Pixels: dom.Area(box) / 3, MeanDelta: 0.4, SSIM: 0.3,
			Before: Surface{Known: true, Deviation: 0.3, Edges: 0.1}, After: Surface{Known: true, Deviation: 0.2, Edges: 0.1},
		})
	}
	known := make(map[string]page.Element)
	for _, e := range before.Elements {
		known[e.Selector] = e
	}
	for _, e := range after.Elements {
		was, ok := known[e.Selector]
		delete(known, e.Selector)
		if !ok || was.Text != e.Text || was.Source != e.Source || was.Box != e.Box {
			add(e.Box.Rect())
		}
	}
	for _, e := range before.Elements {
		if _, gone := known[e.Selector]; gone {
			add(e.Box.Rect())
		}
	}
	return regions
}

// TestAFortnightOfMonitoring is the small form of `make bench-fortnight`: forty pages that move, three of which break. What is
// learned leaves little more than an alarm for each damage from the fourth day on.
func TestAFortnightOfMonitoring(t *testing.T) {
	const days, knownFrom, pages = 14, 4, 40
	plain, learned, reported := 0, 0, 0
	for _, m := range movingPages(pages) {
		known := &noise.Knowledge{}
		for day := 1; day <= days; day++ {
			p := &Pair{Before: m.elements(day - 1), After: m.elements(day)}
			p.Regions = differing(p.Before, p.After)
			if !verified(t, p).Harmless() && day >= knownFrom {
				plain++
			}
			p.Noise = known
			result := verified(t, p)
			known = p.Learn(noise.Visit{At: time.Unix(0, 0).AddDate(0, 0, day), Source: noise.FromMonitoring}, result)
			if result.Harmless() || day < knownFrom {
				continue
			}
			learned++
			if day == m.since {
				reported++
			} else {
				t.Logf("day %d: %s", day, result.Summary)
			}
		}
	}
	t.Logf("%d pages: %d alarms by rules alone, %d with what was learned, %d of 3 damages reported", pages, plain, learned, reported)
	if reported != 3 || 10*learned > 12*3 || plain < 20*learned {
		t.Errorf("%d alarms by rules alone, %d with what was learned, %d of 3 damages reported", plain, learned, reported)
	}
}
