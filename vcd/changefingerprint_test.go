package vcd

import (
	"fmt"
	"testing"

	"afterimage/internal/page"
)

func TestFingerprintsOfChanges(t *testing.T) {
	footer := func(selector string, box page.Box) *page.ElementIdentity {
		return &page.ElementIdentity{Selector: selector, Tag: "p", Role: "paragraph", Text: "© 2026",
			Context: "Imprint and terms", Box: box}
	}
	on := func(kind ChangeKind, e *page.ElementIdentity, before, after string) string {
		return FingerprintOf(&FoundChange{Kind: kind, After: e}, before, after, "shape")
	}
	home := footer("html > body > div:nth-of-type(3) > footer > p:nth-of-type(2)", page.Box{X: 10, Y: 900, Width: 400, Height: 20})
	phone := footer("html > body > div:nth-of-type(5) > footer > p:nth-of-type(2)", page.Box{X: 4, Y: 2900, Width: 200, Height: 40})
	resized := func(e *page.ElementIdentity, width, height int) string {
		is := *e
		is.Box.Width, is.Box.Height = is.Box.Width+width, is.Box.Height+height
		size := func(b page.Box) string { return fmt.Sprintf("%d × %d", b.Width, b.Height) }
		return FingerprintOf(&FoundChange{Kind: "resized", Before: e, After: &is}, size(e.Box), size(is.Box), "shape")
	}
	for name, same := range map[string][2]string{
		"pages and devices": {on("text_changed", home, "© 2025", "© 2026"), on("text_changed", phone, "© 2025", "© 2026")},
		"sizes":             {resized(home, 0, 20), resized(phone, 0, 20)},
		"caches": {on("image_replaced", home, "/a.png?v=1", "/b.png?v=1"),
			on("image_replaced", phone, "/a.png?v=2", "/b.png?v=3")},
	} {
		if same[0] != same[1] {
			t.Errorf("%s: %v", name, same)
		}
	}
	for name, other := range map[string]string{
		"kind": on("appeared", home, "© 2025", "© 2026"), "text": on("text_changed", home, "© 2025", "© 2027"),
		"element": on("text_changed", footer("html > body > header > p", page.Box{}), "© 2025", "© 2026"),
	} {
		if other == on("text_changed", home, "© 2025", "© 2026") {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
	if resized(home, 0, 20) == resized(home, 0, 21) || resized(home, 20, 0) == resized(home, 0, 20) {
		t.Error("who accepts that an element grew accepts that it grew by another amount")
	}
	if a, b := FingerprintOf(&FoundChange{Kind: "repainted"}, "", "", "a"), FingerprintOf(&FoundChange{Kind: "repainted"}, "",
		"", "b"); a == b {
		t.Error("without an element the shape decides")
	}
}
