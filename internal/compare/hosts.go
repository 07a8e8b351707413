package compare

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"afterimage/internal/page"
)

// A preview names its own host where production names another: in absolute links, in the canonical address, in messages of the
// console. That is no change of the page. So what the side after says of its own addresses is read as if the side before had
// said it.

// translator reads addresses of one site as those of another.
type translator struct {
	addresses     *regexp.Regexp
	before, after Site
}

// newTranslator returns a translator from after to before.
func newTranslator(before, after Site) *translator {
	host := regexp.QuoteMeta(after.host)
	return &translator{
		addresses: regexp.MustCompile(`(?i)(^|[^\w.-]|%2f)((?:(?:https?|wss?):)?//)?` + host + `\b`), before: before, after: after,
	}
}

// text translates the addresses in a text, with and without a scheme. A host that could be a word, without a dot and a port, is
// taken for one where no slashes precede it.
func (t *translator) text(text string) string {
	if !strings.Contains(strings.ToLower(text), t.after.host) {
		return text
	}
	return t.addresses.ReplaceAllStringFunc(text, func(found string) string {
		parts := t.addresses.FindStringSubmatch(found)
		switch slashes := parts[2]; {
		case slashes == "" && !strings.ContainsAny(t.after.host, ".:"):
			return found
		case slashes == "" || slashes == "//":
			return parts[1] + slashes + t.before.host
		}
		return parts[1] + t.before.origin
	})
}

// address translates an address as a whole, with the path below which the pages of each side are.
func (t *translator) address(address string) string {
	if below, ok := t.after.below(address); ok {
		return t.before.origin + t.before.folder() + below
	}
	return t.text(address)
}

// same reports whether two texts of an element differ in addresses of the two sites only. The capture cuts long texts after a number of
// bytes, so that of two that contain addresses of different lengths, one ends earlier.
func (t *translator) same(before, after string) bool {
	is := t.text(after)
	if is == after || before == after {
		return false
	}
	if !slices.ContainsFunc(cuts, func(n int) bool { return wasCut(before, n) && wasCut(after, n) }) {
		return before == is
	}
	n := min(len(before), len(is))
	return before[:n] == is[:n]
}

// cuts are the lengths in bytes after which the capture cuts texts of an element, before a character that does not fit.
var cuts = []int{200, 1000, 20_000}

func wasCut(text string, n int) bool { return len(text) <= n && len(text) > n-utf8.UTFMax }

// visit translates a visit of the side after. The texts of elements stay as they are: they are what the page shows. So do addresses
// of pictures that the side before has as well.
func (t *translator) visit(before, v *page.Visit) *page.Visit {
	changed := *v
	changed.FinalURL, changed.Title = t.address(v.FinalURL), t.text(v.Title)
	changed.Manifest.Missing = slices.Clone(v.Manifest.Missing)
	for i := range changed.Manifest.Missing {
		m := &changed.Manifest.Missing[i]
		m.Holds = t.text(m.Holds)
	}
	if v.Content != nil {
		known := make(map[string]bool)
		if before.Content != nil {
			for i := range before.Content.Elements {
				known[before.Content.Elements[i].Source] = true
			}
		}
		changed.Content = t.content(v.Content, known)
	}
	return &changed
}

// entry translates an entry of the console.
func (t *translator) entry(e page.ConsoleEntry) page.ConsoleEntry {
	e.Text, e.URL = t.text(e.Text), t.address(e.URL)
	return e
}

func (t *translator) content(c *page.Content, known map[string]bool) *page.Content {
	changed := *c
	changed.Title, changed.Canonical, changed.Text = t.text(c.Title), t.address(c.Canonical), t.text(c.Text)
	changed.Elements = slices.Clone(c.Elements)
	for i := range changed.Elements {
		e := &changed.Elements[i]
		e.Options = t.text(e.Options)
		if !known[e.Source] {
			e.Source = t.text(e.Source)
		}
	}
	return &changed
}
