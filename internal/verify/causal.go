package verify

import (
	"cmp"
	"errors"
	"image"
	"slices"

	"afterimage/imgdiff"
	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// causal reports whether enough is known of a pair to tell changes from what follows from them: all that paints the elements of both
// pages, and both pictures. Otherwise changes are found by where pixels differ.
func (p *Pair) causal() bool {
	return p.Changed != nil && p.Pixels != nil && len(p.Before.Styles) > 0 && len(p.After.Styles) > 0 &&
		len(p.Before.Elements) > 0 && len(p.After.Elements) > 0
}

// gatherCauses judges and lists what changed of the page itself; what follows from a change is counted with it.
func (l *listing) gatherCauses(v *view) error {
	l.view = v
	v.Pixels.Bind(v.Steps.Context())
	styles := v.Restyle()
	s, err := v.layOut(styles, v.ownChanges(styles)).inspect()
	if err != nil {
		return err
	}
	s.attribute()
	l.refused = s.holdTrue()
	if err := errors.Join(s.subtle(), s.tinted()); err != nil {
		return err
	}
	v.movements = s.layout
	follows := s.consequences()
	for i := range s.own {
		s.measure(&s.own[i], i)
	}
	l.distribute(s)
	l.listGroups(s, follows, s.harms())
	l.complete = true
	l.assign()
	return nil
}

// measure sets where a change is in both pictures.
func (s *inspection) measure(f *Finding, i int) {
	f.cause = i + 1
	if f.pixels = s.seen[i]; f.byElement() {
		f.Box, f.BeforeBox = s.boxes(f)
	} else if b := s.ToBefore[f.at]; b >= 0 {
		f.BeforeBox = f.Box.Sub(image.Pt(int(s.moved[f.at].X), int(s.moved[f.at].Y)))
	}
	f.places = s.placesOf(f)
	for _, mover := range f.members {
		f.places = append(f.places, s.AfterTree.Extent(mover, true))
	}
}

// mostClusters is with how many of the clusters upon it a change is judged, those that have most in common with it.
const mostClusters = 6

// manyChanges is from how many changes on each is judged with one cluster only.
const manyChanges = 100

// distribute gives the changes to the clusters of pixels that they lie upon, and judges each there; a change without any has one of its
// own.
func (l *listing) distribute(s *inspection) {
	for i := range s.own {
		f := &s.own[i]
		on := l.clustersOf(f)
		if len(s.own) > manyChanges {
			on = on[:min(len(on), 1)]
		}
		if len(on) == 0 {
			c := cluster{Region: Region{Box: f.Box, BeforeBox: f.BeforeBox, Pixels: f.pixels, Fingerprint: f.Shape}}
			if f.pixels < imgdiff.SpeckPixels {
				c.SSIM = imgdiff.SpeckSSIM // imgdiff keeps those below as regions
			}
			on = []int{len(l.clusters)}
			l.clusters, l.shown, l.ruled = append(l.clusters, c), append(l.shown, nil), append(l.ruled, false)
		}
		for _, c := range on {
			l.shown[c] = append(l.shown[c], *f)
			for _, part := range f.inline {
				part.cause = f.cause
				part.Box, part.BeforeBox = s.boxes(&part)
				l.shown[c] = append(l.shown[c], part)
			}
		}
	}
	for c := range l.clusters {
		l.rule(c)
	}
}

// clustersOf lists the clusters that a change lies upon.
func (l *listing) clustersOf(f *Finding) []int {
	type share struct{ at, common int }
	var on []share
	l.Steps.Take(1 + len(l.clusters)/4)
	for c := range l.clusters {
		if common := l.clusters[c].common(f); common > 0 {
			on = append(on, share{c, common})
		}
	}
	slices.SortStableFunc(on, func(a, b share) int { return cmp.Compare(b.common, a.common) })
	found := make([]int, 0, mostClusters)
	for _, one := range on[:min(len(on), mostClusters)] {
		found = append(found, one.at)
	}
	return found
}

// common is how much of a cluster lies in the places of a change.
func (c *cluster) common(f *Finding) int {
	most := 0
	for _, place := range f.places {
		most = max(most, dom.Area(place.Intersect(c.Box)))
	}
	if !c.BeforeBox.Empty() {
		most = max(most, dom.Area(f.BeforeBox.Intersect(c.BeforeBox)))
	}
	return most
}

// listGroups lists the changes, equal ones once, each with the worst that was said of any of its elements.
func (l *listing) listGroups(s *inspection, follows []consequence, harms map[int]Ruling) {
	rulings := make([]*Ruling, len(s.own))
	for c := range l.shown {
		for i := range l.shown[c] {
			f := &l.shown[c][i]
			if at := f.cause - 1; rulings[at] == nil || f.Ruling.Category.rank() > rulings[at].Category.rank() {
				rulings[at] = &f.Ruling
			}
		}
	}
	unseen := 0
	for _, g := range s.groups() {
		f := s.own[g.members[0]]
		f.Description, f.Before, f.After = wording.SentenceEnds.Replace(g.says), g.before, g.after
		f.Touched, f.Variable = g.touched, g.varName
		if g.loose {
			f.Change = Unexplained
		}
		f.Same = s.sameness(&g)
		var all consequence
		visible := false
		f.Ruling = *rulings[g.members[0]]
		for n, i := range g.members {
			member := &s.own[i]
			visible = visible || s.visible(i, &follows[i])
			all.add(&follows[i])
			if rulings[i].Category.rank() > f.Ruling.Category.rank() {
				f.Ruling = *rulings[i]
			}
			if harm, ok := harms[i]; ok && harm.Category.rank() > f.Ruling.Category.rank() {
				f.Ruling = harm
			}
			if n > 0 {
				f.places = append(f.places, member.places...)
				f.pixels += member.pixels
			}
			if len(g.members) > 1 && member.Element != nil && member.tree == s.AfterTree && len(f.Members) < MaxMembers {
				f.Members = append(f.Members, member.Element)
			}
		}
		f.Consequences = Consequences{all.moved, all.resized, all.words()}
		if !visible {
			if unseen++; unseen > maxFaint {
				continue
			}
			f.Ruling = Ruling{AllGood, CodeUnseen, "No pixel differs enough to count.", 0.7, false}
		}
		l.found = append(l.found, f)
	}
}

// visible reports whether a pixel shows a change, or something moved because of it.
func (s *inspection) visible(i int, follows *consequence) bool {
	f := &s.own[i]
	if s.seen[i] > 0 || follows.moved+follows.resized > 0 || f.Change == Moved || f.Change == Resized || f.Change == Reordered {
		return true
	}
	if f.tree == s.AfterTree && s.ToBefore[f.at] >= 0 && s.grown[f.at].Beyond(dom.OwnMove) {
		return true
	}
	if s.replaced(f) {
		return true
	}
	s.Steps.Take(len(f.places))
	for _, place := range f.places { // rows that were inserted, or taken for others
		if s.Changed.CountIn(place) > 0 && f.Change != StyleChanged || s.inBand(place) {
			return true
		}
	}
	return f.Change == Vanished && s.inBand(f.BeforeBox)
}

// replaced reports whether the place of another text or picture, or of what came or went, looks otherwise than before, as far as it
// moved.
func (s *inspection) replaced(f *Finding) bool {
	within, box := -1, f.Box
	switch f.Change {
	case TextChanged, ImageReplaced:
		within, box = f.at, s.painted(f.at)
	case Appeared:
		within = s.AfterTree.Parent(f.at)
	case Vanished:
		within = s.anchor(f.at)
	}
	if within < 0 {
		return false
	}
	by := displacements(s.moved[within])[0]
	if f.Change == Vanished {
		box = box.Add(by)
	}
	box = box.Intersect(s.clip[within])
	s.Steps.Take(1 + box.Dy())
	differs, err := s.Pixels.Differs(box, by)
	if err == nil && !differs && f.Change == TextChanged { // a comma in place of a point may be taken for its edge
		n, err := s.pixelsOtherwise(within, box, imgdiff.Exchange{})
		return n > 0 && err == nil
	}
	return differs && err == nil
}

// inBand reports whether a box lies in rows that only one picture has.
func (v *view) inBand(box image.Rectangle) bool {
	for i := range v.Bands {
		b := &v.Bands[i]
		switch {
		case b.Kind == BandInserted && box.Overlaps(image.Rect(b.X0, b.YAfter, b.X1, b.YAfter+b.Rows)) && !b.Surface.Blank,
			b.Kind == BandDeleted && box.Overlaps(image.Rect(b.X0, b.YBefore, b.X1, b.YBefore+b.Rows)) && !b.Surface.Blank:
			return true
		}
	}
	return false
}

func (c *consequence) add(other *consequence) {
	c.moved, c.resized = c.moved+other.moved, c.resized+other.resized
	for by, n := range other.by {
		if c.by == nil {
			c.by = make(map[image.Point]int)
		}
		c.by[by] += n
	}
}

// assign records in which regions the changes lie. What a region shows beside them follows from the change with most consequences, or
// only shifted.
func (l *listing) assign() {
	gravest := -1
	for i := range l.found {
		f := &l.found[i]
		l.Steps.Take(len(l.Regions))
		for r := range l.Regions {
			region := &l.Regions[r]
			if (&cluster{Region: *region}).common(f) > 0 {
				l.put(i, region.ID)
			}
		}
		if n := f.Consequences.Moved + f.Consequences.Resized; n > 0 && (gravest < 0 || n > l.weightOf(gravest)) {
			gravest = i
		}
	}
	for r := range l.Regions {
		region := &l.Regions[r]
		l.judged[region.ID] = true
		switch {
		case len(l.of[region.ID]) > 0:
		case gravest >= 0:
			l.put(gravest, region.ID)
		case len(l.found) > 0:
			l.put(0, region.ID)
		default:
			l.shift(region)
		}
	}
}

func (l *listing) weightOf(i int) int {
	return l.found[i].Consequences.Moved + l.found[i].Consequences.Resized
}
