package verify

import (
	"fmt"
	"image"
	"strings"
	"unicode"
	"unicode/utf8"

	"afterimage/internal/page"
)

// Change is what happened to an element.
type Change string

// The changes.
const (
	TextChanged   Change = "text_changed"
	ImageReplaced Change = "image_replaced"
	StyleChanged  Change = "style_changed" // colours, fonts, borders: the content is the same
	Moved         Change = "moved"         // by itself
	Shifted       Change = "shifted"       // with everything below, because rows above came or went
	Reordered     Change = "reordered"     // among its siblings
	Appeared      Change = "appeared"
	Vanished      Change = "vanished"
	Resized       Change = "resized"
	Loading       Change = "loading"   // a placeholder stands where content was, or the other way round
	Blanked       Change = "blank"     // there was something, and now there is nothing
	Repainted     Change = "repainted" // its pixels differ, and nothing that is known of it does
)

// Finding is one thing that happened in a region.
type Finding struct {
	RegionID    int
	Element     *page.Element // of the after page; of the before page for what vanished; nil where no page has an element
	Box         image.Rectangle
	Change      Change
	Before      string // text, address, colour or size before
	After       string
	Confidence  float64 // 0 to 1, that element and change are right
	Description string  // one line
	// Category is what the rules make of it alone; of verdicts only.
	Category Category

	elementBefore *page.Element // nil where the before page has none
	tree          *tree         // of the page that the element is in
	at            int           // its place there, -1 for none
}

// maxQuoted is how much of a page's text a description quotes, in characters.
const maxQuoted = 60

// quote makes text of a page fit for a line of words: without control characters, cut, in quotation marks.
func quote(text string) string {
	return "“" + oneLine(text, maxQuoted) + "”"
}

// oneLine takes control and formatting characters out of a text, makes one space of white space and cuts it at a number of
// characters.
func oneLine(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co), r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > most {
		text = strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
	}
	return text
}

// nameOf says which element is meant, in words.
func nameOf(e *page.Element) string {
	if e == nil {
		return "An area"
	}
	kind := kindOf(e)
	if text := oneLine(e.Text, 40); text != "" {
		return fmt.Sprintf("%s “%s”", kind, text)
	}
	return fmt.Sprintf("%s (%s)", kind, placeOf(e))
}

// placeOf is the shortest form of the selector that still leads somewhere.
func placeOf(e *page.Element) string {
	if e.Selector == "" {
		return e.Tag
	}
	parts := strings.Split(e.Selector, " > ")
	return strings.Join(parts[max(0, len(parts)-2):], " > ")
}

var kinds = map[string]string{
	"img": "Picture", "heading": "Heading", "link": "Link", "button": "Button", "paragraph": "Paragraph", "listitem": "List item",
	"navigation": "Navigation", "list": "List", "table": "Table", "cell": "Table cell", "columnheader": "Table heading", "row": "Table row",
	"textbox": "Text field", "searchbox": "Search field", "combobox": "Selection", "checkbox": "Check box", "form": "Form",
	"dialog": "Dialog",
	"main":   "Main part", "article": "Article", "complementary": "Side part", "separator": "Rule", "banner": "Banner",
}

var kindsOfTags = map[string]string{
	"iframe": "Frame", "video": "Video", "canvas": "Canvas", "header": "Page header", "footer": "Page footer", "section": "Section",
	"body": "Page", "html": "Page", "time": "Time", "svg": "Drawing", "figure": "Figure", "label": "Label", "picture": "Picture",
}

// kindOf is what the element is, as people call it.
func kindOf(e *page.Element) string {
	if k, ok := kindsOfTags[e.Tag]; ok {
		return k
	}
	if k, ok := kinds[e.Role]; ok {
		return k
	}
	return "Element"
}
