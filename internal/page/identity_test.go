package page

import "testing"

func card(selector, text, context string, x, width int) *ElementIdentity {
	return &ElementIdentity{Selector: selector, Tag: "p", Role: "paragraph", Text: text, Context: context,
		Box: Box{X: x, Y: 900, Width: width, Height: 20}}
}

func TestTheSameElementIsRecognised(t *testing.T) {
	const lamp, chair = "Desk lamp in brass", "Kitchen chair of oak"
	known := card("html > body > main > article:nth-of-type(2) > p", "€ 12", lamp, 40, 120)
	plain := card("html > body > p:nth-of-type(2)", "Opening hours in winter", "", 40, 600)
	for name, c := range map[string]struct {
		known, e *ElementIdentity
		device   bool
		want     bool
	}{
		"unchanged":           {known, known, true, true},
		"another price":       {known, card(known.Selector, "€ 9", lamp, 40, 118), true, true},
		"one card further on": {known, card("html > body > main > article:nth-of-type(3) > p", "€ 12", lamp, 40, 120), true, true},
		"below a banner": {known, card("html > body > main:nth-of-type(2) > article:nth-of-type(2) > p", "€ 12", lamp, 40,
			120), true, true},
		"on a phone": {known, card(known.Selector, "€ 12", lamp, 12, 300), false, true},
		"another card": {known, card("html > body > main > article:nth-of-type(5) > p", "€ 12", chair, 40,
			120), true, false},
		"another card at its place": {known, card(known.Selector, "€ 12", chair, 40, 120), true, false},
		"another tag on the way": {known, card("html > body > aside > article:nth-of-type(2) > p", "€ 12", lamp, 40,
			120), true, false},
		"deeper": {known, card("html > body > main > article:nth-of-type(2) > div > p", "€ 12", lamp, 40,
			120), true, false},
		"nothing to go by":            {known, &ElementIdentity{Tag: "p", Role: "paragraph"}, true, false},
		"a sentence that moved":       {plain, card("html > body > p:nth-of-type(3)", "Opening hours in winter", "", 40, 600), true, true},
		"another sentence":            {plain, card("html > body > p:nth-of-type(3)", "How to find us", "", 40, 600), true, false},
		"another sentence, its place": {plain, card(plain.Selector, "How to find us", "", 40, 600), true, true},
		"by its id":                   {card("#hours", "a", "", 1, 50), card("#hours", "b", "", 1, 50), true, true},
		"another id":                  {card("#hours", "a", "", 1, 50), card("#place", "a", "", 1, 50), true, false},
	} {
		if got := SameElement(c.known, c.e, c.device); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if SameElement(nil, known, true) || SameElement(known, nil, true) {
		t.Error("nothing is no element")
	}
}
