package dom

import (
	"fmt"
	"strings"

	"afterimage/internal/page"
	"afterimage/internal/verify/wording"
)

// MaxName limits the text that an element is named by, in characters.
const MaxName = 40

// Name describes an element in words: by its own text, else by the heading or the first text in it.
func (t *Tree) Name(i int) string {
	e := t.Element(i)
	if e.Text != "" {
		return NameOf(e)
	}
	if text := t.Caption(i); text != "" {
		return fmt.Sprintf("%s “%s”", KindOf(e), wording.OneLine(text, MaxName))
	}
	if around := t.PlaceWords(i); around != "" {
		return KindOf(e) + " " + around
	}
	return NameOf(e)
}

// NameOf describes an element in words.
func NameOf(e *page.Element) string {
	if e == nil {
		return "An area"
	}
	kind := KindOf(e)
	if text := wording.OneLine(e.Text, MaxName); text != "" {
		return fmt.Sprintf("%s “%s”", kind, text)
	}
	return fmt.Sprintf("%s (%s)", kind, PlaceOf(e))
}

// PlaceOf is the end of the selector: its last two steps.
func PlaceOf(e *page.Element) string {
	if e.Selector == "" {
		return e.Tag
	}
	parts := strings.Split(e.Selector, " > ")
	return strings.Join(parts[max(0, len(parts)-2):], " > ")
}

var kinds = map[string]string{
	"img": "Picture", "heading": "Heading", "link": "Link", "button": "Button", "paragraph": "Paragraph", "listitem": "List item",
	"navigation": "Navigation", "list": "List", "table": "Table", "cell": "Table cell", "columnheader": "Table heading", "row": "Table row",
	"textbox": "Text field", "searchbox": "Search field", "combobox": "Selection list", "checkbox": "Check box", "form": "Form",
	"dialog": "Dialog",
	"main":   "Main content", "article": "Article", "complementary": "Sidebar", "separator": "Separator", "banner": "Banner",
}

var kindsOfTags = map[string]string{
	"iframe": "Frame", "video": "Video", "canvas": "Canvas", "header": "Page header", "footer": "Page footer", "section": "Section",
	"body": "Page", "html": "Page", "time": "Time", "svg": "Drawing", "figure": "Figure", "label": "Label", "picture": "Picture",
}

// KindOf is the everyday name for the kind of an element.
func KindOf(e *page.Element) string {
	if k, ok := kindsOfTags[e.Tag]; ok {
		return k
	}
	if k, ok := kinds[e.Role]; ok {
		return k
	}
	return "Element"
}

// Caption is the heading within an element, or the first text in it, "" for none.
func (t *Tree) Caption(i int) string {
	first := ""
	for j := i; j < len(t.Content) && j <= i+MaxInside && t.Within(j, i); j++ {
		e := t.Element(j)
		if e.Role == "heading" && e.Text != "" {
			return e.Text
		}
		if first == "" {
			first = e.Text
		}
	}
	return first
}

// PlaceWords says where an element stands by what names its surroundings: the term of a definition, the head of a table's row, the
// label of a field, the nearest heading before it; "" for none of them.
func (t *Tree) PlaceWords(i int) string {
	if label := t.labelOf(i); label != "" {
		return "of “" + wording.OneLine(label, MaxName) + "”"
	}
	if heading := t.headingBefore(i); heading != "" {
		return "under “" + wording.OneLine(heading, MaxName) + "”"
	}
	return ""
}

// labelOf is what the element before it says that it is.
func (t *Tree) labelOf(i int) string {
	e, parent := t.Element(i), t.Parent(i)
	if parent < 0 {
		return ""
	}
	label := ""
	for _, sibling := range t.Children[parent] {
		if sibling == i {
			break
		}
		switch s := t.Element(sibling); {
		case e.Tag == "dd" && s.Tag == "dt", e.Tag == "td" && label == "" && (s.Tag == "th" || s.Tag == "td"), s.Tag == "label":
			label = t.Caption(sibling)
		}
	}
	if label == "" && t.Element(parent).Tag == "label" {
		label = t.Element(parent).Text
	}
	return label
}

// headingBefore is the nearest heading before an element within its ancestors.
func (t *Tree) headingBefore(i int) string {
	if t.Element(i).Role == "heading" {
		return ""
	}
	for levels := 0; i >= 0 && levels < MaxUp; levels++ {
		parent := t.Parent(i)
		if parent < 0 {
			break
		}
		last := ""
		for _, sibling := range t.Children[parent] {
			if sibling >= i {
				break
			}
			t.steps.Take(1)
			if e := t.Element(sibling); e.Role == "heading" && e.Text != "" {
				last = e.Text
			}
		}
		if last != "" {
			return last
		}
		i = parent
	}
	return ""
}

// Beside reports whether an element is outside the picture, so that only its shadow can be seen.
func (t *Tree) Beside(i int) bool {
	at := t.Element(i).Place()
	return t.Size.X > 0 && at.Width > 0 && (at.X >= float64(t.Size.X) || at.X+at.Width <= 0)
}

// MaxNames is how many elements a sentence names.
const MaxNames = 3

// Names lists what some elements are called.
func (t *Tree) Names(elements []int) string {
	var names []string
	for _, a := range elements {
		text := t.Element(a).Text
		if text == "" {
			text = t.Caption(a)
		}
		if text == "" || len(names) == MaxNames {
			continue
		}
		names = append(names, "“"+wording.OneLine(text, 30)+"”")
	}
	switch rest := len(elements) - len(names); {
	case len(names) == 0:
		return ""
	case rest > 0:
		return strings.Join(names, ", ") + " and " + wording.Counted(rest, "other", "others")
	case len(names) > 1:
		return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
	}
	return names[0]
}
