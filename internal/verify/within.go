package verify

import (
	"image"
	"slices"

	"afterimage/imgdiff"
	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
)

// surrounds reports whether what happened to the element also makes that look different which is within it. It does not say
// why a picture there shows something else.
func (f *Finding) surrounds() bool {
	switch f.Change {
	case StyleChanged, Moved, Shifted, Reordered:
		return f.byElement() && len(f.tree.Children[f.at]) > 0
	}
	return false
}

// picturesInPlace are the pictures whose pixels tell whether they changed: they are where the aligned rows have them, and of
// the same size.
func (v *view) picturesInPlace() []int {
	var pictures []int
	v.Steps.Take(len(v.AfterTree.Content))
	for a, b := range v.ToBefore {
		if b < 0 || !dom.ShowsPixels(v.AfterTree.Element(a).Tag) {
			continue
		}
		v.Steps.Take(1 + len(v.Bands))
		now, was := v.AfterTree.Element(a), v.BeforeTree.Element(b)
		inherits := now.Tag == "svg" && was.Color != now.Color // a drawing in the colour of the text
		if !inherits && was.Box.Rect().Size() == now.Box.Rect().Size() && (v.inPlace(b, a) || v.heldStill(was, now)) {
			pictures = append(pictures, a)
		}
	}
	return pictures
}

// heldStill reports whether an element moved as far as the aligned rows of a cluster upon it.
func (v *view) heldStill(was, now *page.Element) bool {
	v.Steps.Take(len(v.clusters))
	return slices.ContainsFunc(v.clusters, func(c cluster) bool {
		return c.Box.Overlaps(now.Box.Rect()) && c.holdsStill(was, now)
	})
}

// picturesWithin lists the pictures that changed inside of some boxes. The mask holds what no other finding explains.
func (l *listing) picturesWithin(pictures []int, around []image.Rectangle, left *imgdiff.Mask) {
	for _, a := range pictures {
		l.Steps.Take(len(around))
		box := l.AfterTree.Box(a)
		if slices.ContainsFunc(around, box.In) {
			l.pictureWithin(a, left)
		}
	}
}

func (l *listing) pictureWithin(a int, left *imgdiff.Mask) {
	box := l.AfterTree.Box(a)
	l.Steps.Take(box.Dy())
	pixels := left.CountIn(box)
	if pixels < imgdiff.SpeckPixels {
		return
	}
	now, was := l.AfterTree.Element(a), l.BeforeTree.Element(l.ToBefore[a])
	l.addRuled(Finding{
		Element: now, Change: ImageReplaced, Before: was.Source, After: now.Source, Confidence: 0.7, elementBefore: was,
		tree: l.AfterTree, at: a, Description: describeChange(now, ImageReplaced, was.Source, now.Source),
	}, pixels)
}

// addRuled lists a finding about an element with differing pixels that no cluster has shown yet.
func (l *listing) addRuled(f Finding, pixels int) {
	f.Box, f.BeforeBox = l.boxes(&f)
	n, first := len(l.clusters), len(l.found)
	l.clusters = append(l.clusters, cluster{Region: Region{Box: f.Box, BeforeBox: f.BeforeBox, Pixels: pixels}})
	l.shown, l.ruled = append(l.shown, []Finding{f}), append(l.ruled, false)
	l.rule(n)
	l.cluster(n, 0)
	for i := first; i < len(l.found); i++ {
		l.explain(&l.found[i])
		l.inRegions(i, f.Box)
	}
}
