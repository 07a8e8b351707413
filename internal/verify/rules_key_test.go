package verify

import (
	"image"
	"testing"

	"afterimage/internal/page"
)

// TestKeysInPlaceOfTexts: the name of a text in its place is an alert; no habit of a part excuses it, even where the name might be an
// address.
func TestKeysInPlaceOfTexts(t *testing.T) {
	in := func(class, text string) Page {
		holder := page.Element{Box: page.BoxOf(image.Rect(100, 100, 900, 300)), Selector: "body > div", Tag: "div", Classes: class}
		p := page.Element{Box: page.BoxOf(image.Rect(100, 100, 900, 140)), Selector: "body > div > p", Tag: "p", Role: "paragraph",
			Text: text, Parent: 1}
		return withElements(holder, p)
	}
	for _, test := range []struct {
		class, before, after string
		want                 Category
	}{
		{"", "New in our shop", "home.teaser.title", Alert},
		{"carousel", "New in our shop", "home.teaser.title", Alert},
		{"carousel", "More", "COMMON_ACTION_MORE", Alert},
		{"carousel", "New in our shop", "[home.teaser.title]", Alert},
		{"carousel", "New in our shop", "teaser.title", NotSure},
		{"carousel", "New in our shop", "www.example.com", NotSure},
		{"carousel", "New in our shop", "shop.example.org", NotSure},
		{"carousel", "New in our shop", "Back in our shop", NotSure},
		{"carousel", "shop.example.org", "blog.example.org", NotSure},
		{"carousel", "home.teaser.title", "New in our shop", NotSure},
	} {
		v := judged(t, in(test.class, test.before), in(test.class, test.after), image.Rect(100, 100, 900, 140))
		if v.Category != test.want {
			t.Errorf("%q to %q, class %q: %s by %s: %s", test.before, test.after, test.class, v.Category, v.Code, v.Reason)
		}
	}
}
