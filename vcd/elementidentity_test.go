package vcd

import "testing"

func card(selector, text, context string, x, width int) *FoundElement {
	return &FoundElement{Selector: selector, Tag: "p", Role: "paragraph", Text: text, Context: context, Box: Box{X: x, Y: 900, Width: width, Height: 20}}
}

func TestTheSameElementIsRecognised(t *testing.T) {
	const lamp, chair = "Desk lamp in brass", "Kitchen chair of oak"
	known := card("html > body > main > article:nth-of-type(2) > p", "€ 12", lamp, 40, 120)
	plain := card("html > body > p:nth-of-type(2)", "Opening hours in winter", "", 40, 600)
	for name, c := range map[string]struct {
		known, e *FoundElement
		device   bool
		want     bool
	}{
		"unchanged":                   {known, known, true, true},
		"another price":               {known, card(known.Selector, "€ 9", lamp, 40, 118), true, true},
		"one card further on":         {known, card("html > body > main > article:nth-of-type(3) > p", "€ 12", lamp, 40, 120), true, true},
		"below a banner":              {known, card("html > body > main:nth-of-type(2) > article:nth-of-type(2) > p", "€ 12", lamp, 40, 120), true, true},
		"on a phone":                  {known, card(known.Selector, "€ 12", lamp, 12, 300), false, true},
		"another card":                {known, card("html > body > main > article:nth-of-type(5) > p", "€ 12", chair, 40, 120), true, false},
		"another card at its place":   {known, card(known.Selector, "€ 12", chair, 40, 120), true, false},
		"another tag on the way":      {known, card("html > body > aside > article:nth-of-type(2) > p", "€ 12", lamp, 40, 120), true, false},
		"deeper":                      {known, card("html > body > main > article:nth-of-type(2) > div > p", "€ 12", lamp, 40, 120), true, false},
		"nothing to go by":            {known, &FoundElement{Tag: "p", Role: "paragraph"}, true, false},
		"a sentence that moved":       {plain, card("html > body > p:nth-of-type(3)", "Opening hours in winter", "", 40, 600), true, true},
		"another sentence":            {plain, card("html > body > p:nth-of-type(3)", "How to find us", "", 40, 600), true, false},
		"another sentence, its place": {plain, card(plain.Selector, "How to find us", "", 40, 600), true, true},
		"by its id":                   {card("#hours", "a", "", 1, 50), card("#hours", "b", "", 1, 50), true, true},
		"another id":                  {card("#hours", "a", "", 1, 50), card("#place", "a", "", 1, 50), true, false},
	} {
		if got := sameElement(c.known, c.e, c.device); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if sameElement(nil, known, true) || sameElement(known, nil, true) {
		t.Error("nothing is no element")
	}
}

func TestFingerprintsOfChanges(t *testing.T) {
	footer := func(selector string, box Box) *FoundElement {
		return &FoundElement{Selector: selector, Tag: "p", Role: "paragraph", Text: "© 2026", Context: "Imprint and terms", Box: box}
	}
	on := func(kind ChangeKind, e *FoundElement, before, after string) string {
		return FingerprintOf(&FoundChange{Kind: kind, After: e}, before, after, "shape")
	}
	home := footer("html > body > div:nth-of-type(3) > footer > p:nth-of-type(2)", Box{X: 10, Y: 900, Width: 400, Height: 20})
	phone := footer("html > body > div:nth-of-type(5) > footer > p:nth-of-type(2)", Box{X: 4, Y: 2900, Width: 200, Height: 40})
	for name, same := range map[string][2]string{
		"pages and devices": {on("text_changed", home, "© 2025", "© 2026"), on("text_changed", phone, "© 2025", "© 2026")},
		"sizes":             {on("resized", home, "400 × 20", "400 × 40"), on("resized", phone, "200 × 40", "200 × 60")},
		"caches":            {on("image_replaced", home, "/a.png?v=1", "/b.png?v=1"), on("image_replaced", phone, "/a.png?v=2", "/b.png?v=3")},
	} {
		if same[0] != same[1] {
			t.Errorf("%s: %v", name, same)
		}
	}
	for name, other := range map[string]string{
		"kind": on("appeared", home, "© 2025", "© 2026"), "text": on("text_changed", home, "© 2025", "© 2027"),
		"element": on("text_changed", footer("html > body > header > p", Box{}), "© 2025", "© 2026"),
	} {
		if other == on("text_changed", home, "© 2025", "© 2026") {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
	if a, b := FingerprintOf(&FoundChange{Kind: "repainted"}, "", "", "a"), FingerprintOf(&FoundChange{Kind: "repainted"}, "", "", "b"); a == b {
		t.Error("without an element the shape decides")
	}
}
