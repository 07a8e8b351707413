package verify

import (
	"image"
	"testing"

	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
)

// withElements builds a page of elements below each other under one body.
func withElements(elements ...page.Element) Page {
	p := Page{Width: 1000, Height: 2000, Elements: []page.Element{{Box: page.BoxOf(image.Rect(0, 0, 1000, 2000)), Selector: "html > body",
		Tag: "body", Parent: -1}}}
	p.Elements = append(p.Elements, elements...)
	return p
}

func paragraph(y int, text string) page.Element {
	return page.Element{Box: page.BoxOf(image.Rect(100, y, 900, y+40)), Selector: "html > body > p", Tag: "p",
		Role: "paragraph", Text: text}
}

func region(id, x0, y0, x1, y1 int) Region {
	box := image.Rect(x0, y0, x1, y1)
	return Region{ID: id, Box: box, BeforeBox: box, Pixels: dom.Area(box) / 4, MeanDelta: 0.5, SSIM: 0.3}
}

func TestVerdictsOfTexts(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          Category
		certain       bool
	}{
		{"Updated 3 minutes ago", "Updated 12 minutes ago", AllGood, false},
		{"Monday, 3 March 2025", "Thursday, 6 March 2025", NotSure, false},
		{"1 comment", "14 comments", AllGood, false},
		{"Posted yesterday", "Posted 2 days ago", AllGood, false},
		{"Our services", "Our solutions", NotSure, false},
		{"Total € 19.90", "Total € 0.00", Alert, true},
		{"Call +49 30 1234567", "Call +49 30 7654321", NotSure, false},
		{"24 products", "0 products", NotSure, false},
		{"Welcome", "Fatal error: Uncaught Error: Call to undefined function", Alert, true},
		{"Welcome", "Error establishing a database connection", Alert, true},

		// Content, although only digits or words of a state differ.
		{"4.20", "4.90", NotSure, false},
		{"from 7.80", "from 8.10", NotSure, false},
		{"Registration is now open", "Registration is closed", NotSure, false},
		{"Registration is now open", "Registration is now closed", NotSure, false},
		{"Maximum speed 120", "Maximum speed 12", NotSure, false},
		{"Concert on 12 June", "Concert on 19 June", NotSure, false},
		{"12 in stock", "3 in stock", NotSure, false},
		{"Company number 29144310", "Company number 29144370", NotSure, false},
		{"Choose one of three", "Choose a few of three", NotSure, false},

		// What says of itself that it changes.
		{"1,204 views", "1,219 views", AllGood, false},
		{"It is 9:41", "It is 17:05", AllGood, false},
		{"© 2025 Basket", "© 2026 Basket", AllGood, false},
		{"vor 3 Stunden", "vor 5 Stunden", AllGood, false},
		{"il y a 5 minutes", "il y a 12 minutes", AllGood, false},
		{"Mis à jour à 15:01", "Mis à jour à 17:15", AllGood, false},
		{"Aggiornato alle 15:01", "Aggiornato alle 17:15", AllGood, false},
		{"Ref 5a9951-230e", "Ref ec4f10-ad12", AllGood, false},
		{"Build 9a01bd77", "Build 51c8e02f", AllGood, false},
		{"▲ 0.4 %", "▼ 1.2 %", AllGood, false},
		{"Oggi, lunedì, 27 febbraio", "Oggi, martedì, 28 febbraio", AllGood, false},
		{"dzisiaj, środa, 7 maja 2026", "dzisiaj, czwartek, 8 maja 2026", AllGood, false},

		{"Share of trade 51,68", "Share of trade 0,0", NotSure, false},

		// An amount that stays in its sentence, or does not.
		{"Tea from € 4 a cup and cake from € 3", "Our kitchen is being renovated", NotSure, false},
		{"Total € 19.90", "Total € NaN", Alert, true},
		{"€ 19.90", "", Alert, true},
	} {
		p := &Pair{Before: withElements(paragraph(100, test.before)), After: withElements(paragraph(100, test.after)),
			Regions: []Region{region(1, 100, 100, 500, 130)}}
		r := verified(t, p)
		if v := r.Verdicts[0]; v.Category != test.want || v.Certain != test.certain || v.Findings[0].Change != TextChanged {
			t.Errorf("%q to %q is %s (%s: %s), certain %v, found %+v", test.before, test.after, v.Category, v.Code, v.Reason,
				v.Certain, v.Findings)
		}
	}
}

func TestBlankPagesAreNotJudged(t *testing.T) {
	for _, test := range []struct {
		before, after bool
		want          CaptureIssue
		alerts        int
	}{{false, true, AfterBlank, 1}, {true, false, BeforeBlank, 0}, {true, true, BothBlank, 0}} {
		p := &Pair{Before: Page{Blank: test.before}, After: Page{Blank: test.after}, Regions: []Region{region(1, 0, 0, 9, 9)}}
		if r := verified(t, p); r.CaptureIssue != test.want || r.Alerts != test.alerts || len(r.Verdicts) != 0 {
			t.Errorf("blank before %v, after %v: %+v", test.before, test.after, r)
		}
	}
}
