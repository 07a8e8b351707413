package page

import "testing"

func TestAnElementsContextIsTheTextAroundIt(t *testing.T) {
	elements := []Element{
		{Tag: "body", Parent: -1, Text: "A page of many words"},
		{Tag: "article", Parent: 0},
		{Tag: "h2", Parent: 1, Text: "Desk lamp in brass"},
		{
			Tag: "p", Parent: 1, Text: "€ 12", Selector: "#price", Role: "paragraph", Source: "/a.png",
			Box: Box{X: 1, Y: 2, Width: 3, Height: 4},
		},
		{Tag: "b", Parent: 3, Text: "sale"},
		{Tag: "p", Parent: 0, Text: "Opening hours"},
		{Tag: "p", Parent: 9, Text: "a parent that comes later is none"},
	}
	id := NewIdentifier(elements)
	want := ElementIdentity{
		Selector: "#price", Tag: "p", Role: "paragraph", Text: "€ 12", Source: "/a.png", Context: "Desk lamp in brass",
		Box: Box{X: 1, Y: 2, Width: 3, Height: 4},
	}
	if got := id.Identify(&elements[3]); *got != want {
		t.Errorf("%+v", got)
	}
	for place, want := range map[int]string{4: "Desk lamp in brass € 12", 5: "", 6: ""} {
		if got := id.Identify(&elements[place]).Context; got != want {
			t.Errorf("element %d is among %q, want %q", place, got, want)
		}
	}
	if stranger := (Element{Tag: "p", Text: "elsewhere"}); id.Identify(&stranger).Context != "" || id.Identify(nil) != nil {
		t.Error("what is no element of the page has no context")
	}
}
