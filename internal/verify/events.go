package verify

import (
	"fmt"
	"image"

	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
)

// describe finds what happened in a cluster.
func (v *view) describe(c *cluster) []Finding {
	var found []Finding
	v.Steps.Take(len(v.AfterTree.Content) + len(v.BeforeTree.Content))
	for a := range v.AfterTree.Content {
		b := v.ToBefore[a]
		was := b >= 0 && v.BeforeTree.Box(b).Overlaps(c.BeforeBox) && v.BeforeTree.Box(b).Size() != v.AfterTree.Box(a).Size() // it was here
		if was || v.AfterTree.Box(a).Overlaps(c.Box) {
			found = v.ofElement(found, a, c)
		}
	}
	for b := range v.BeforeTree.Content {
		if v.BeforeTree.Box(b).Overlaps(c.BeforeBox) && v.ToAfter[b] < 0 && !v.goneWithParent(b) {
			found = append(found, v.vanished(b))
		}
	}
	found = v.withoutConsequences(found)
	if c.band != nil && c.band.Kind == BandMoved && len(found) == 0 {
		return []Finding{v.movedBand(c)}
	}
	if rest := v.unexplained(c, found); rest != nil {
		found = append(found, *rest)
	}
	return found
}

// goneWithParent reports whether the element's parent is gone as well.
func (v *view) goneWithParent(b int) bool {
	parent := v.BeforeTree.Parent(b)
	return parent >= 0 && v.ToAfter[parent] < 0
}

// ofElement adds the changes of an element of the after page.
func (v *view) ofElement(found []Finding, a int, c *cluster) []Finding {
	b, now := v.ToBefore[a], v.AfterTree.Element(a)
	v.Steps.Take(4 * (1 + len(v.Bands))) // each lookup of an element's rows scans the bands
	if b < 0 {
		if parent := v.AfterTree.Parent(a); parent >= 0 && v.ToBefore[parent] < 0 {
			return found
		}
		return append(found, v.appeared(a))
	}
	was := v.BeforeTree.Element(b)
	add := func(change Change, before, after string, confidence float64) {
		found = append(found, Finding{
			Element: now, Box: now.Box.Rect(), Change: change, Before: before, After: after, Confidence: confidence,
			elementBefore: was, tree: v.AfterTree, at: a,
			Description: describeChange(now, change, before, after),
		})
	}
	if was.Text != now.Text {
		add(TextChanged, was.Text, now.Text, 0.95)
	}
	if was.Source != now.Source {
		add(ImageReplaced, was.Source, now.Source, 0.9)
	} else if dom.ShowsPixels(now.Tag) && c.band == nil && mostly(c.Box, now.Box.Rect()) && (c.holdsStill(was, now) || v.inPlace(b, a)) {
		add(ImageReplaced, was.Source, now.Source, 0.8)
	}
	if before, after, ok := v.restyled(b, a); ok {
		add(StyleChanged, before, after, 0.8)
	}
	if v.Reordered[a] {
		add(Reordered, "", "", 0.8)
		return found
	}
	if change, before, after, confidence := v.placed(b, a); change != "" {
		add(change, before, after, confidence)
	}
	return found
}

// placed is how the place or the size of an element changed; empty when it did not.
func (v *view) placed(b, a int) (change Change, before, after string, confidence float64) {
	was, now := v.BeforeTree.Box(b), v.AfterTree.Box(a)
	dx, dy := v.displacement(b, a)
	if was.Min == now.Min && v.holdsBand(was, now) {
		dx, dy = 0, 0 // rows were inserted or deleted within it: what is in it moved
	}
	switch {
	case dx == 0 && abs(dy) > slack && v.isPushed(b, a):
		return Shifted, point(was.Min), point(now.Min), 0.8
	case abs(dx) > slack || abs(dy) > slack:
		return Moved, point(was.Min), point(now.Min), 0.7
	case differ(was.Dx(), now.Dx()) || differ(was.Dy(), now.Dy()):
		return Resized, size(was), size(now), 0.7
	}
	return "", "", "", 0
}

// inPlace reports whether an element is where the alignment of the surrounding rows puts it.
func (v *view) inPlace(b, a int) bool {
	was, now := v.BeforeTree.Box(b), v.AfterTree.Box(a)
	return abs(now.Min.X-was.Min.X) <= slack && abs(now.Min.Y-was.Min.Y-v.shift(was.Min)) <= slack
}

// holdsStill reports whether an element moved as far as the aligned rows of a cluster.
func (c *cluster) holdsStill(was, now *page.Element) bool {
	return c.band == nil && !c.BeforeBox.Empty() && c.Box.Min.Sub(c.BeforeBox.Min) == now.Box.Rect().Min.Sub(was.Box.Rect().Min)
}

// mostly reports whether most of box a lies in b.
func mostly(a, b image.Rectangle) bool {
	common := a.Intersect(b)
	return 2*common.Dx()*common.Dy() > a.Dx()*a.Dy()
}

// holdsBand reports whether rows were inserted or deleted within an element.
func (v *view) holdsBand(was, now image.Rectangle) bool {
	for i := range v.Bands {
		band := &v.Bands[i]
		inserted := band.Kind == BandInserted && band.YAfter >= now.Min.Y && band.YAfter < now.Max.Y
		if inserted || band.Kind == BandDeleted && band.YBefore >= was.Min.Y && band.YBefore < was.Max.Y {
			return true
		}
	}
	return false
}

// displacement is how far an element moved in excess of the rows around it and of its parent.
func (v *view) displacement(b, a int) (dx, dy int) {
	was, now := v.BeforeTree.Box(b), v.AfterTree.Box(a)
	dx = now.Min.X - was.Min.X
	dy = now.Min.Y - was.Min.Y - v.shift(was.Min)
	if pb, pa := v.BeforeTree.Parent(b), v.AfterTree.Parent(a); pb >= 0 && pa >= 0 && v.ToAfter[pb] == pa {
		px := v.AfterTree.Box(pa).Min.X - v.BeforeTree.Box(pb).Min.X
		py := v.AfterTree.Box(pa).Min.Y - v.BeforeTree.Box(pb).Min.Y
		if px != 0 && abs(dx-px) <= slack {
			dx = 0
		}
		if own := now.Min.Y - was.Min.Y; abs(own-py) <= slack {
			dy = 0
		}
	}
	return dx, dy
}

// isPushed reports whether an element moved up or down as far as the preceding content of its parent has shrunk or grown.
func (v *view) isPushed(b, a int) bool {
	pb, pa := v.BeforeTree.Parent(b), v.AfterTree.Parent(a)
	if pb < 0 || pa < 0 || v.ToAfter[pb] != pa {
		return false
	}
	moved := (v.AfterTree.Box(a).Min.Y - v.AfterTree.Box(pa).Min.Y) - (v.BeforeTree.Box(b).Min.Y - v.BeforeTree.Box(pb).Min.Y)
	grown, margins := 0, 2*slack
	v.Steps.Take(len(v.AfterTree.Children[pa]) + len(v.BeforeTree.Children[pb]))
	for _, sibling := range v.AfterTree.Children[pa] {
		if sibling >= a {
			break
		}
		if other := v.ToBefore[sibling]; other >= 0 {
			grown += v.AfterTree.Box(sibling).Dy() - v.BeforeTree.Box(other).Dy()
		} else {
			grown, margins = grown+v.AfterTree.Box(sibling).Dy(), margins+edge
		}
	}
	for _, sibling := range v.BeforeTree.Children[pb] {
		if sibling >= b {
			break
		}
		if v.ToAfter[sibling] < 0 {
			grown, margins = grown-v.BeforeTree.Box(sibling).Dy(), margins+edge
		}
	}
	return abs(grown) > slack && abs(moved-grown) <= margins
}

// shift is how far the rows at a place of the before picture have moved because rows above them were inserted or
// deleted.
func (v *view) shift(at image.Point) int {
	moved := 0
	for _, b := range v.Bands {
		if at.X < b.X0 || at.X >= b.X1 || b.YBefore > at.Y {
			continue
		}
		switch b.Kind {
		case BandInserted:
			moved += b.Rows
		case BandDeleted:
			moved -= min(b.Rows, at.Y-b.YBefore)
		}
	}
	return moved
}

// restyled reports whether the style of an element itself changed, and not just that of everything around it.
func (v *view) restyled(b, a int) (before, after string, ok bool) {
	was, now := v.BeforeTree.Element(b), v.AfterTree.Element(a)
	look := func(e *page.Element) [3]string { return [3]string{e.Color, e.Background, e.Font} }
	from, to := look(was), look(now)
	if pb, pa := v.BeforeTree.Parent(b), v.AfterTree.Parent(a); pb >= 0 && pa >= 0 {
		// Colour and font are inherited.
		above, aboveNow := look(v.BeforeTree.Element(pb)), look(v.AfterTree.Element(pa))
		for _, i := range []int{0, 2} {
			if from[i] == above[i] && to[i] == aboveNow[i] {
				from[i], to[i] = "", ""
			}
		}
	}
	for i, what := range []string{"text colour", "background", "font"} {
		if from[i] != to[i] {
			return what + " " + orNone(from[i]), what + " " + orNone(to[i]), true
		}
	}
	return "", "", false
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// withoutConsequences drops findings that merely follow from others: a box that grew with its content, a child that
// moved with its parent.
func (v *view) withoutConsequences(found []Finding) []Finding {
	var kept []Finding
	for i := range found {
		f := &found[i]
		if f.Change != Resized && f.Change != Moved || !v.follows(f, found) {
			kept = append(kept, *f)
		} else {
			v.follow(f)
		}
	}
	return kept
}

// follows reports whether a change of geometry is caused by another finding: about the element itself or about a
// descendant.
func (v *view) follows(f *Finding, found []Finding) bool {
	v.Steps.Take(len(found))
	for i := range found {
		cause := &found[i]
		if cause == f || cause.Element == nil {
			continue
		}
		if f.Change == Moved && f.pushedBy(cause) {
			return true
		}
		same := cause.Element == f.Element
		if same && cause.Change != f.Change && cause.Change != StyleChanged {
			return true
		}
		if f.Change == Resized && !same && cause.tree == f.tree && f.tree.Within(cause.at, f.at) {
			return true
		}
	}
	return false
}

// pushedBy reports whether an element moved up or down because something before it appeared, vanished or was replaced.
func (f *Finding) pushedBy(cause *Finding) bool {
	if f.elementBefore == nil {
		return false
	}
	switch cause.Change {
	case Moved, Resized, StyleChanged, Repainted:
		return false
	}
	now, was := f.Element.Box, f.elementBefore.Box
	return now.X == was.X && cause.Box.Min.Y <= max(now.Y, was.Y) && cause.Element.Box.Height >= abs(now.Y-was.Y)-2*edge
}

func point(p image.Point) string { return fmt.Sprintf("%d, %d", p.X, p.Y) }

func size(r image.Rectangle) string { return fmt.Sprintf("%d × %d", r.Dx(), r.Dy()) }

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// differ reports whether two lengths differ by more than rounding: each has two rounded ends.
func differ(a, b int) bool { return abs(a-b) > 2*slack }
