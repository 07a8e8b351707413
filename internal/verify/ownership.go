package verify

import (
	"image"
	"math"
	"slices"
	"strings"

	"afterimage/imgdiff"
)

// Every pixel belongs to the element that paints it last: the innermost one, or one that lies upon it. A pixel is unchanged if it is as
// it was under the displacement of its element. What is left is due to a change of the element, of what is around it, or of what lay
// upon it, or it is a change of its own.

// remnant is the pixels of an element that differ under its own displacement.
type remnant struct {
	at     int // element of the after page
	pixels int
	box    image.Rectangle
}

// inspection looks at the pixels of all elements.
type inspection struct {
	*layout
	left     *imgdiff.Mask // pixels that nobody has looked at yet
	rest     *imgdiff.Mask // pixels that differ under the displacement of their element
	remnants []remnant
	uncover  map[int][]zone // by after element: where something within it was or is, as far as it moved, came or went
	seen     []int          // by own change: pixels that are due to it
	clip     []image.Rectangle
	floating []int // what keeps its place on the screen; nil while unknown
	sticking []int // what has letters beyond its box; nil while unknown
}

// zone is a part of the after picture whose changed pixels are due to a change.
type zone struct {
	box   image.Rectangle
	cause int
}

// inspect finds which pixels differ under the displacements of their elements.
func (l *layout) inspect() (*inspection, error) {
	s := &inspection{layout: l, left: l.Changed.Clone(), uncover: make(map[int][]zone), clip: l.clips()}
	for i := range l.Bands {
		if b := &l.Bands[i]; b.Kind == BandInserted && !b.Surface.Blank {
			s.left.SetRect(image.Rect(b.X0, b.YAfter, b.X1, b.YAfter+b.Rows))
		}
	}
	s.rest, s.seen = imgdiff.NewMask(s.left.Width(), s.left.Height()), make([]int, len(l.own))
	s.zones()
	l.steps.take(s.left.Height())
	for _, a := range l.paintOrder() {
		if err := s.look(a); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// zones notes for each element where its children were and are, if they changed their place or size within it, or came or went.
func (s *inspection) zones() {
	add := func(within int, box image.Rectangle, cause int) {
		if within >= 0 && cause >= 0 && !box.Empty() {
			s.uncover[within] = append(s.uncover[within], zone{box, cause})
		}
	}
	for a := range s.afterTree.content {
		b, parent := s.toBefore[a], s.afterTree.parent(a)
		if b < 0 || parent < 0 {
			continue
		}
		cause := s.movedBy[a]
		if !s.moved[a].minus(s.moved[parent]).beyond(0.01) {
			cause = unknownCause
		}
		if cause < 0 && s.grown[a].beyond(0.01) {
			cause = s.sizedBy[a]
		}
		if cause < 0 {
			continue
		}
		reach := max(reachOf(s.afterTree, a), reachOf(s.beforeTree, b))
		add(parent, s.afterTree.inked(a).Inset(-reach), cause)
		add(parent, s.carried(b, parent).Inset(-reach), cause)
	}
	for i := range s.own {
		f := &s.own[i]
		switch f.Change {
		case Vanished:
			if within := s.anchor(f.at); within >= 0 {
				box := s.beforeTree.extent(f.at, true)
				add(within, s.shiftedBy(box, within).Inset(-reachOf(s.beforeTree, f.at)), i)
			}
		case Unexplained, Repainted, Blanked:
		default:
			s.around(f, i, add)
		}
	}
}

// around notes what an element draws beyond its box: shadows, outlines, ends of letters.
func (s *inspection) around(f *Finding, cause int, add func(within int, box image.Rectangle, cause int)) {
	parent := s.afterTree.parent(f.at)
	reach := reachOf(s.afterTree, f.at)
	if f.Change == Appeared {
		add(parent, s.afterTree.extent(f.at, true).Inset(-reach), cause)
		return
	}
	b := s.toBefore[f.at]
	if b < 0 {
		return
	}
	reach = max(reach, reachOf(s.beforeTree, b))
	for up, levels := parent, 0; up >= 0 && levels < shadowLevels; up, levels = s.afterTree.parent(up), levels+1 {
		add(up, s.afterTree.inked(f.at).Inset(-reach), cause)
		add(up, s.carried(b, up).Inset(-reach), cause)
	}
}

// carried is where an element of the before page would be, had it moved with an element of the after page.
func (s *inspection) carried(b, with int) image.Rectangle {
	return s.shiftedBy(s.beforeTree.inked(b), with)
}

func (s *inspection) shiftedBy(box image.Rectangle, with int) image.Rectangle {
	d := s.moved[with]
	return box.Add(image.Pt(int(math.Floor(d.x)), int(math.Floor(d.y)))).Union(
		box.Add(image.Pt(int(math.Ceil(d.x)), int(math.Ceil(d.y)))))
}

// letters is where the own text of an element is, if that reaches beyond its box and can be seen there.
func (t *tree) letters(i int) image.Rectangle {
	e := t.element(i)
	if e.StyleIn(t.page.Styles)["overflow"] != "" {
		return image.Rectangle{}
	}
	return e.Letters.Rect()
}

// inked is the box of an element with its letters.
func (t *tree) inked(i int) image.Rectangle { return t.box(i).Union(t.letters(i)) }

// reachOf is how far an element draws beyond its box, at least as far as letters do.
func reachOf(t *tree, i int) int { return castOf(t, i) + reachOfLetters(t, i) }

// reachOfLetters is how far strokes of letters may reach beyond their box: the farther the larger they are.
func reachOfLetters(t *tree, i int) int {
	size := pixelsOf(t.element(i).StyleIn(t.page.Styles)["font-size"])
	return min(max(glyphReach, int(size*overhangPart)), maxReach)
}

// overhangPart is how far strokes reach beyond the box of their element, as a part of the size of the text.
const overhangPart = 0.3

// castOf is how far an element casts shadows and draws outlines beyond its box.
func castOf(t *tree, i int) int {
	style := t.element(i).StyleIn(t.page.Styles)
	reach := 0.0
	for _, property := range []string{"box-shadow", "text-shadow", "outline-width", "filter"} {
		if property == "outline-width" && !outlined(style, "") {
			continue
		}
		sum := 0.0
		for word := range strings.FieldsSeq(style[property]) {
			sum += math.Abs(pixelsOf(strings.TrimRight(word, ",)")))
		}
		reach = max(reach, fadesOut*sum)
	}
	return min(int(math.Ceil(reach)), maxReach)
}

// fadesOut is how much farther than its blur a shadow can be seen.
const fadesOut = 1.5

// shadowLevels is how many elements around one its shadow may fall on.
const shadowLevels = 8

// maxReach limits how far a shadow is followed.
const maxReach = 120

// clips are the parts of the picture within which elements of the after page are drawn.
func (l *layout) clips() []image.Rectangle {
	whole := image.Rect(0, 0, l.Changed.Width(), l.Changed.Height())
	clips := make([]image.Rectangle, len(l.afterTree.content))
	for a := range clips {
		parent, e := l.afterTree.parent(a), l.afterTree.element(a)
		if clips[a] = whole; parent < 0 || e.Tag == "body" || l.stands(a) {
			continue
		}
		clips[a] = clips[parent]
		around := l.afterTree.element(parent)
		if around.StyleIn(l.afterTree.page.Styles)["overflow"] != "" && around.Tag != "body" && around.Tag != "html" {
			clips[a] = clips[a].Intersect(around.Box.Rect())
		}
	}
	return clips
}

// painted is which pixels an element paints: browsers round the edges of boxes to the nearest whole pixel.
func (s *inspection) painted(a int) image.Rectangle {
	at := s.afterTree.element(a).Place()
	whole := func(n float64) int { return int(math.Floor(n + 0.5)) }
	box := image.Rect(whole(at.X), whole(at.Y), whole(at.X+at.Width), whole(at.Y+at.Height))
	return s.afterTree.withMark(a, box.Intersect(s.afterTree.box(a)).Union(s.afterTree.letters(a))).Intersect(s.clip[a])
}

// withMark is what a list item paints, with its mark: a browser paints that beside the box of the item, within the list.
func (t *tree) withMark(i int, box image.Rectangle) image.Rectangle {
	list := t.parent(i)
	if list < 0 || t.element(i).Tag != "li" || box.Empty() {
		return box
	}
	if tag := t.element(list).Tag; tag != "ul" && tag != "ol" || t.element(i).StyleIn(t.page.Styles).Value("list-style-type") == "none" {
		return box
	}
	beside := box
	beside.Min.X, beside.Max.X = beside.Min.X-markWidth, beside.Max.X+markWidth
	return box.Union(beside.Intersect(t.box(list)))
}

// markWidth is how far from its item a mark begins at most, in pixels.
const markWidth = 60

// look finds the pixels of an element that differ under its own displacement, and takes all its pixels from those that are left.
func (s *inspection) look(a int) error {
	box := s.painted(a)
	s.steps.take(1 + box.Dy()/32)
	if s.left.CountIn(box) == 0 {
		return nil
	}
	if s.toBefore[a] >= 0 {
		for _, by := range displacements(s.moved[a]) {
			seen, err := s.Pixels.Clear(s.left, s.left, box, by)
			s.steps.take(seen / 256)
			if err != nil {
				return err
			}
		}
	}
	for _, z := range s.uncover[a] {
		s.steps.take(1)
		if part := z.box.Intersect(box); !part.Empty() {
			s.seen[z.cause] += s.left.CountIn(part)
			s.left.ClearRect(part)
		}
	}
	within := s.left.Box(box)
	if n := s.left.Take(s.rest, box); n > 0 {
		s.remnants = append(s.remnants, remnant{a, n, within})
	}
	return nil
}

// displacements are the whole ones that a displacement may have been rounded to.
func displacements(d displacement) []image.Point {
	var all []image.Point
	for _, x := range []float64{math.Floor(d.x + 0.01), math.Ceil(d.x - 0.01)} {
		for _, y := range []float64{math.Floor(d.y + 0.01), math.Ceil(d.y - 0.01)} {
			if p := image.Pt(int(x), int(y)); !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}
