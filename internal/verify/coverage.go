package verify

import (
	"image"
	"slices"

	"afterimage/imgdiff"
	"afterimage/internal/verify/dom"
)

// place is where an element is in both pictures.
type place struct{ before, after image.Rectangle }

// follow records an element that moved or grew only because of another finding: a declared shift.
func (v *view) follow(f *Finding) {
	before, after := v.boxes(f)
	if f.Change == Resized && f.holds() {
		for _, strip := range strips(v.forward(before), after) {
			v.pushed = append(v.pushed, place{after: strip})
		}
		return
	}
	v.pushed = append(v.pushed, place{before, after})
}

// boxes are the finding's element with everything in it, as far as it came, went or moved as a whole, in the after picture
// and in the before picture.
func (v *view) boxes(f *Finding) (after, before image.Rectangle) {
	whole := f.Change == Appeared || f.Change == Vanished || f.Change == Moved || f.Change == Shifted || f.Change == Reordered
	if f.Change == Vanished {
		before = v.BeforeTree.Extent(f.at, whole)
		return before, before
	}
	after = f.tree.Extent(f.at, whole)
	if b := v.ToBefore[f.at]; b >= 0 {
		before = v.BeforeTree.Extent(b, whole)
	}
	return after, before
}

// strips are the parts of two boxes that are not in both, with the borders.
func strips(a, b image.Rectangle) []image.Rectangle {
	outer, inner := a.Union(b), a.Intersect(b).Inset(borderWidth)
	if inner.Empty() {
		return []image.Rectangle{outer}
	}
	return []image.Rectangle{
		{outer.Min, image.Pt(outer.Max.X, inner.Min.Y)}, {image.Pt(outer.Min.X, inner.Max.Y), outer.Max},
		{image.Pt(outer.Min.X, inner.Min.Y), image.Pt(inner.Min.X, inner.Max.Y)},
		{image.Pt(inner.Max.X, inner.Min.Y), image.Pt(outer.Max.X, inner.Max.Y)},
	}
}

// forward is where a box of the before picture is in the after picture, by the bands above its first row.
func (v *view) forward(box image.Rectangle) image.Rectangle {
	if box.Empty() {
		return box
	}
	v.Steps.Take(len(v.Bands))
	return box.Add(image.Pt(0, v.shift(box.Min)))
}

// back is where the rows of a box of the after picture were in the before picture, by the bands above its first row.
func (v *view) back(box image.Rectangle) image.Rectangle {
	moved := 0
	v.Steps.Take(len(v.Bands))
	for _, b := range v.Bands {
		if box.Min.X < b.X0 || box.Min.X >= b.X1 || b.YAfter > box.Min.Y {
			continue
		}
		switch b.Kind {
		case BandInserted:
			moved += min(b.Rows, box.Min.Y-b.YAfter)
		case BandDeleted:
			moved -= b.Rows
		}
	}
	return box.Sub(image.Pt(0, moved))
}

// explain sets which pixels of the after picture a finding about an element explains; another one explains its clusters.
func (l *listing) explain(f *Finding) {
	if !f.byElement() {
		return
	}
	before := l.forward(f.BeforeBox)
	if f.Change == Resized && f.holds() {
		f.places = strips(before, f.Box)
		return
	}
	f.places = append(f.places[:0], f.AfterBox(), before)
}

// cover accounts for every changed pixel: those that neither a finding nor a declared shift explains are looked at again,
// by patches; what then remains is a finding of its own.
func (l *listing) cover() error {
	for i := range l.found {
		l.explain(&l.found[i])
	}
	if l.Changed == nil {
		return nil
	}
	left := l.Changed.Clone()
	l.clearExplained(left)
	l.Steps.Take(left.Height())
	if left.Count() == 0 {
		l.complete = true
		return nil
	}
	patches, omitted, pixels, err := left.Patches(l.Steps.Context(), maxPatches)
	if err != nil {
		return err
	}
	specks := 0
	for i := range patches {
		if patches[i].Pixels < imgdiff.SpeckPixels {
			specks++
		}
	}
	for i := range patches {
		l.patch(&patches[i], specks <= imgdiff.MaxSpecks)
	}
	l.unlisted.add(omitted, pixels, NotSure)
	l.complete = omitted == 0
	return nil
}

// clearExplained removes from the mask what findings and declared shifts explain, after it has listed the pictures that
// changed within them.
func (l *listing) clearExplained(left *imgdiff.Mask) {
	pictures := l.picturesInPlace()
	var around []image.Rectangle // that hold pictures
	clear := func(box image.Rectangle, whole bool) {
		if whole && slices.ContainsFunc(pictures, func(a int) bool { return l.AfterTree.Box(a).In(box) }) {
			around = append(around, box)
		} else {
			l.clear(left, box)
		}
	}
	for i := range l.found {
		l.Steps.Take(len(pictures))
		for _, box := range l.found[i].places {
			clear(box, l.found[i].surrounds())
		}
	}
	for _, p := range l.pushed {
		l.Steps.Take(2 * len(pictures))
		clear(l.forward(p.before), true)
		clear(p.after, true)
	}
	l.picturesWithin(pictures, around, left)
	for _, box := range around {
		l.clear(left, box)
	}
}

func (l *listing) clear(m *imgdiff.Mask, box image.Rectangle) {
	box = box.Intersect(image.Rect(0, 0, m.Width(), m.Height()))
	if !box.Empty() {
		l.Steps.Take(box.Dy())
		m.ClearRect(box)
	}
}

// patch accounts for pixels that no finding has explained so far: a finding beside them grows, an element that changed is
// found there, or they are a finding of their own.
func (l *listing) patch(p *imgdiff.Patch, examined bool) {
	l.Steps.Take(len(l.found))
	for i := range l.found {
		if f := &l.found[i]; f.reaches(p.Box) {
			f.grow(p.Box)
			l.inRegions(i, p.Box)
			return
		}
	}
	c := cluster{Region: Region{Box: p.Box, BeforeBox: l.back(p.Box), Pixels: p.Pixels, Fingerprint: p.Fingerprint.String()}}
	if p.Pixels < imgdiff.SpeckPixels && examined {
		c.SSIM = imgdiff.SpeckSSIM // imgdiff keeps those below as regions
	}
	shown, moved := l.lookAgain(&c)
	if moved {
		return
	}
	n := len(l.clusters)
	l.clusters, l.shown, l.ruled = append(l.clusters, c), append(l.shown, shown), append(l.ruled, false)
	l.rule(n)
	first := len(l.found)
	l.cluster(n, 0)
	for i := range l.found {
		if i >= first {
			l.explain(&l.found[i])
		}
		if l.found[i].explains(p.Box) {
			l.inRegions(i, p.Box)
			return
		}
	}
	l.rest(n)
}

// lookAgain describes a cluster outside of all findings, and reports whether it only moved as a consequence of one of them.
func (l *listing) lookAgain(c *cluster) (shown []Finding, moved bool) {
	known := len(l.pushed)
	found := l.describe(c)
	for i := range found {
		if f := &found[i]; (f.Change == Moved || f.Change == Resized) && f.byElement() && l.follows(f, l.found) {
			l.follow(f)
		} else {
			shown = append(shown, *f)
		}
	}
	for _, p := range l.pushed[known:] {
		moved = moved || c.Box.In(p.after) || c.Box.In(l.forward(p.before))
	}
	if named := slices.ContainsFunc(shown, func(f Finding) bool { return f.Change != Repainted }); moved || named {
		return shown, moved && !named
	}
	if part := l.partOf(c); part != nil {
		return []Finding{*part}, false
	}
	return shown, false
}

// partOf is the finding that the element of a cluster came or went together with one around it.
func (v *view) partOf(c *cluster) *Finding {
	v.Steps.Take(len(v.AfterTree.Content) + len(v.BeforeTree.Content))
	for a := range v.AfterTree.Content {
		if v.ToBefore[a] < 0 && v.AfterTree.Box(a).Overlaps(c.Box) {
			f := v.appeared(v.AfterTree.Topmost(v.ToBefore, a))
			return &f
		}
	}
	for b := range v.BeforeTree.Content {
		if v.ToAfter[b] < 0 && v.BeforeTree.Box(b).Overlaps(c.BeforeBox) {
			f := v.vanished(v.BeforeTree.Topmost(v.ToAfter, b))
			return &f
		}
	}
	return nil
}

// rest lists the pixels of a cluster as a finding that names no element.
func (l *listing) rest(n int) {
	c := &l.clusters[n]
	f := Finding{
		tree: l.AfterTree, at: -1, Box: c.Box, BeforeBox: c.BeforeBox, Change: Unexplained, Confidence: 0.4, Shape: c.Fingerprint,
		pixels: c.Pixels, places: []image.Rectangle{c.Box},
		Ruling: Ruling{NotSure, CodeUnknown, l.whyUnexplained(), 0.5, false},
	}
	f.describePixels(l.described())
	l.found = append(l.found, f)
	l.inRegions(len(l.found)-1, c.Box)
}

// inRegions records the regions that a box of the after picture touches.
func (l *listing) inRegions(i int, box image.Rectangle) {
	l.Steps.Take(len(l.Regions))
	for r := range l.Regions {
		if l.Regions[r].Box.Overlaps(box) {
			l.put(i, l.Regions[r].ID)
		}
	}
}

// explains reports whether a box of the after picture lies in one of the finding's places.
func (f *Finding) explains(box image.Rectangle) bool {
	for _, place := range f.places {
		if box.In(place) {
			return true
		}
	}
	return false
}

// reaches reports whether a patch of pixels lies so close around what changed that it belongs to it: a shadow, an outline,
// the end of a slanted letter.
func (f *Finding) reaches(patch image.Rectangle) bool {
	around := shadowReach
	switch f.Change {
	case TextChanged, Repainted, Blanked, Loading:
		around = dom.GlyphReach
	case Shifted, Unexplained:
		return false
	}
	for _, place := range f.places {
		if patch.In(place.Inset(-around)) && patch.Overlaps(place.Inset(-dom.GlyphReach)) {
			return true
		}
	}
	return false
}

// grow extends what a finding explains, and its box, by a patch that it reaches.
func (f *Finding) grow(patch image.Rectangle) {
	f.places = append(f.places, patch)
	if f.Change != Vanished {
		f.Box = f.Box.Union(patch)
		return
	}
	// The places are in the after picture: first where the element was.
	moved := f.places[1].Min.Sub(f.BeforeBox.Min)
	f.BeforeBox = f.BeforeBox.Union(patch.Sub(moved))
	f.places[1] = f.BeforeBox.Add(moved)
	f.Box = f.BeforeBox
}
