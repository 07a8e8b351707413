package verify

import (
	"image"
	"math"
	"slices"

	"afterimage/imgdiff"
	"afterimage/internal/verify/dom"
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
	l.Steps.Take(s.left.Height())
	for _, a := range l.AfterTree.PaintOrder() {
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
	for a := range s.AfterTree.Content {
		b, parent := s.ToBefore[a], s.AfterTree.Parent(a)
		if b < 0 || parent < 0 {
			continue
		}
		cause := s.movedBy[a]
		if !s.moved[a].Minus(s.moved[parent]).Beyond(0.01) {
			cause = unknownCause
		}
		if cause < 0 && s.grown[a].Beyond(0.01) {
			cause = s.sizedBy[a]
		}
		if cause < 0 {
			continue
		}
		reach := max(dom.ReachOf(s.AfterTree, a), dom.ReachOf(s.BeforeTree, b))
		add(parent, s.AfterTree.Inked(a).Inset(-reach), cause)
		add(parent, s.carried(b, parent).Inset(-reach), cause)
	}
	for i := range s.own {
		f := &s.own[i]
		switch f.Change {
		case Vanished:
			if within := s.anchor(f.at); within >= 0 {
				box := s.BeforeTree.Extent(f.at, true)
				add(within, s.shiftedBy(box, within).Inset(-dom.ReachOf(s.BeforeTree, f.at)), i)
			}
		case Unexplained, Repainted, Blanked:
		default:
			s.around(f, i, add)
		}
	}
}

// around notes what an element draws beyond its box: shadows, outlines, ends of letters.
func (s *inspection) around(f *Finding, cause int, add func(within int, box image.Rectangle, cause int)) {
	parent := s.AfterTree.Parent(f.at)
	reach := dom.ReachOf(s.AfterTree, f.at)
	if f.Change == Appeared {
		add(parent, s.AfterTree.Extent(f.at, true).Inset(-reach), cause)
		return
	}
	b := s.ToBefore[f.at]
	if b < 0 {
		return
	}
	reach = max(reach, dom.ReachOf(s.BeforeTree, b))
	for up, levels := parent, 0; up >= 0 && levels < shadowLevels; up, levels = s.AfterTree.Parent(up), levels+1 {
		add(up, s.AfterTree.Inked(f.at).Inset(-reach), cause)
		add(up, s.carried(b, up).Inset(-reach), cause)
	}
}

// carried is where an element of the before page would be, had it moved with an element of the after page.
func (s *inspection) carried(b, with int) image.Rectangle {
	return s.shiftedBy(s.BeforeTree.Inked(b), with)
}

func (s *inspection) shiftedBy(box image.Rectangle, with int) image.Rectangle {
	d := s.moved[with]
	return box.Add(image.Pt(int(math.Floor(d.X)), int(math.Floor(d.Y)))).Union(
		box.Add(image.Pt(int(math.Ceil(d.X)), int(math.Ceil(d.Y)))))
}

// shadowLevels is how many elements around one its shadow may fall on.
const shadowLevels = 8

// clips are the parts of the picture within which elements of the after page are drawn.
func (l *layout) clips() []image.Rectangle {
	whole := image.Rect(0, 0, l.Changed.Width(), l.Changed.Height())
	clips := make([]image.Rectangle, len(l.AfterTree.Content))
	for a := range clips {
		parent, e := l.AfterTree.Parent(a), l.AfterTree.Element(a)
		if clips[a] = whole; parent < 0 || e.Tag == "body" || l.stands(a) {
			continue
		}
		clips[a] = clips[parent]
		around := l.AfterTree.Element(parent)
		if around.StyleIn(l.AfterTree.Styles)["overflow"] != "" && around.Tag != "body" && around.Tag != "html" {
			clips[a] = clips[a].Intersect(around.Box.Rect())
		}
	}
	return clips
}

// painted is which pixels an element paints: browsers round the edges of boxes to the nearest whole pixel.
func (s *inspection) painted(a int) image.Rectangle {
	at := s.AfterTree.Element(a).Place()
	whole := func(n float64) int { return int(math.Floor(n + 0.5)) }
	box := image.Rect(whole(at.X), whole(at.Y), whole(at.X+at.Width), whole(at.Y+at.Height))
	return s.AfterTree.WithMark(a, box.Intersect(s.AfterTree.Box(a)).Union(s.AfterTree.Letters(a))).Intersect(s.clip[a])
}

// look finds the pixels of an element that differ under its own displacement, and takes all its pixels from those that are left.
func (s *inspection) look(a int) error {
	box := s.painted(a)
	s.Steps.Take(1 + box.Dy()/32)
	if s.left.CountIn(box) == 0 {
		return nil
	}
	if s.ToBefore[a] >= 0 {
		for _, by := range displacements(s.moved[a]) {
			seen, err := s.Pixels.Clear(s.left, s.left, box, by)
			s.Steps.Take(seen / 256)
			if err != nil {
				return err
			}
		}
	}
	for _, z := range s.uncover[a] {
		s.Steps.Take(1)
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
func displacements(d dom.Displacement) []image.Point {
	var all []image.Point
	for _, x := range []float64{math.Floor(d.X + 0.01), math.Ceil(d.X - 0.01)} {
		for _, y := range []float64{math.Floor(d.Y + 0.01), math.Ceil(d.Y - 0.01)} {
			if p := image.Pt(int(x), int(y)); !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}
