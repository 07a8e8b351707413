package dom

import (
	"image"
	"math"
	"strings"

	"afterimage/internal/verify/css"
)

// Extent is the box of an element; on request, of all its descendants too, which may stick out.
func (t *Tree) Extent(i int, whole bool) image.Rectangle {
	box := t.Box(i)
	if !whole {
		return box
	}
	box = t.Inked(i)
	for _, child := range t.Children[i] {
		t.steps.Take(1)
		box = box.Union(t.Extent(child, true))
	}
	if seen := box.Intersect(image.Rect(0, 0, t.Size.X, t.Size.Y)); !seen.Empty() {
		return seen
	}
	return box
}

// Letters is where the own text of an element is, if that reaches beyond its box and can be seen there.
func (t *Tree) Letters(i int) image.Rectangle {
	e := t.Element(i)
	if e.StyleIn(t.Styles)["overflow"] != "" {
		return image.Rectangle{}
	}
	return e.Letters.Rect()
}

// Inked is the box of an element with its letters.
func (t *Tree) Inked(i int) image.Rectangle { return t.Box(i).Union(t.Letters(i)) }

// ReachOf is how far an element draws beyond its box, at least as far as letters do.
func ReachOf(t *Tree, i int) int { return CastOf(t, i) + reachOfLetters(t, i) }

// reachOfLetters is how far strokes of letters may reach beyond their box: the farther the larger they are.
func reachOfLetters(t *Tree, i int) int {
	size := css.Pixels(t.Element(i).StyleIn(t.Styles)["font-size"])
	return min(max(GlyphReach, int(size*overhangPart)), maxReach)
}

// overhangPart is how far strokes reach beyond the box of their element, as a part of the size of the text.
const overhangPart = 0.3

// CastOf is how far an element casts shadows and draws outlines beyond its box.
func CastOf(t *Tree, i int) int {
	style := t.Element(i).StyleIn(t.Styles)
	reach := 0.0
	for _, property := range []string{"box-shadow", "text-shadow", "outline-width", "filter"} {
		if property == "outline-width" && !css.Outlined(style, "") {
			continue
		}
		sum := 0.0
		for word := range strings.FieldsSeq(style[property]) {
			sum += math.Abs(css.Pixels(strings.TrimRight(word, ",)")))
		}
		reach = max(reach, fadesOut*sum)
	}
	return min(int(math.Ceil(reach)), maxReach)
}

// fadesOut is how much farther than its blur a shadow can be seen.
const fadesOut = 1.5

// maxReach limits how far a shadow is followed.
const maxReach = 120

// WithMark is what a list item paints, with its mark: a browser paints that beside the box of the item, within the list.
func (t *Tree) WithMark(i int, box image.Rectangle) image.Rectangle {
	list := t.Parent(i)
	if list < 0 || t.Element(i).Tag != "li" || box.Empty() {
		return box
	}
	if tag := t.Element(list).Tag; tag != "ul" && tag != "ol" || t.Element(i).StyleIn(t.Styles).Value("list-style-type") == "none" {
		return box
	}
	beside := box
	beside.Min.X, beside.Max.X = beside.Min.X-markWidth, beside.Max.X+markWidth
	return box.Union(beside.Intersect(t.Box(list)))
}

// markWidth is how far from its item a mark begins at most, in pixels.
const markWidth = 60
