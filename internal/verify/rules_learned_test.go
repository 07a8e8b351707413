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

// What a page did by itself in earlier visits is silent, unless a rule alarms or a person has said otherwise.
func TestEarlierVisitsExplainChanges(t *testing.T) {
	with := func(source string) Page {
		return withElements(append(section(100, "x1", "Our rooms"), picture(140, source))...)
	}
	box := image.Rect(100, 150, 500, 290)
	learned := func(change func(*noise.Knowledge)) *noise.Knowledge {
		k := &noise.Knowledge{}
		for i := range 4 {
			k.Observe(&noise.Pair{
				Visit:  noise.Visit{At: time.Unix(int64(i), 0), Source: noise.FromMonitoring},
				Before: with(fmt.Sprintf("/rooms/%d.jpg", i)).Elements, After: with(fmt.Sprintf("/rooms/%d.jpg", i+1)).Elements,
			})
		}
		change(k)
		return k
	}
	const room = "html > body > section > img"
	for name, c := range map[string]struct {
		known    *noise.Knowledge
		next     string
		category Category
		code     Code
	}{
		"nothing known":    {nil, "/rooms/2.jpg", NotSure, CodeUnknown},
		"varies":           {learned(func(*noise.Knowledge) {}), "/rooms/2.jpg", AllGood, CodeLearned},
		"varies otherwise": {learned(func(*noise.Knowledge) {}), "/rooms/missing.svg", NotSure, CodeUnknown},
		"marked as content": {learned(func(k *noise.Knowledge) { k.Find(room).Mark = noise.MarkContent }), "/rooms/2.jpg", NotSure,
			CodeLearned},
		"forgotten": {learned(func(k *noise.Knowledge) { k.Forget(room) }), "/rooms/2.jpg", NotSure, CodeUnknown},
	} {
		p := &Pair{Before: with("/rooms/4.jpg"), After: with(c.next), Noise: c.known}
		p.Regions = []Region{{ID: 1, Box: box, BeforeBox: box, Pixels: dom.Area(box) / 3, MeanDelta: 0.4, SSIM: 0.3}}
		if v := verified(t, p).Verdicts[0]; v.Category != c.category || v.Code != c.code || v.Reason == "" && c.code != CodeUnknown {
			t.Errorf("%s: %s by %s: %s", name, v.Category, v.Code, v.Reason)
		}
	}
}

// A part that comes and goes by itself is an alert until that is known, even where it leaves nothing but background. A button that
// does so stays one.
func TestWhatComesAndGoesIsLearned(t *testing.T) {
	for role, want := range map[string]Category{"": AllGood, "button": Alert} {
		with := func(visit int) Page {
			p := withElements(section(100, "x1", "Our rooms")...)
			if visit%2 == 1 {
				p.Elements = append(p.Elements, page.Element{
					Box: page.Box{Y: 700, Width: 1200, Height: 60}, Tag: "div", Role: role, Text: "Ask us about our rooms", Fixed: true,
					Background: "#fafafa", Parent: 0, Selector: "html > body > div",
				})
			}
			return p
		}
		known, last := &noise.Knowledge{}, Category("")
		for visit := range 6 {
			p := &Pair{Before: with(visit), After: with(visit + 1), Noise: known}
			p.Regions = differing(p.Before, p.After)
			for i := range p.Regions {
				p.Regions[i].After.Blank, p.Regions[i].Pixels = visit%2 == 1, dom.Area(p.Regions[i].Box)
			}
			r := verified(t, p)
			known, last = p.Learn(noise.Visit{At: time.Unix(int64(visit), 0), Source: noise.FromMonitoring}, r), r.Verdicts[0].Category
			if visit == 1 && last != Alert {
				t.Errorf("%q: gone for the first time it is %s", role, last)
			}
		}
		if last != want {
			t.Errorf("%q that comes and goes is %s, want %s", role, last, want)
		}
	}
}
