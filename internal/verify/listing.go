package verify

import (
	"cmp"
	"fmt"
	"image"
	"slices"

	"afterimage/internal/page"
	"afterimage/internal/verify/wording"
)

// listing gathers the findings of a page, each change of each element once.
type listing struct {
	*view
	found []Finding
	index map[changeKey]int
	of    map[int][]int // by region: indices of its findings
	// judged are the regions of which every finding is listed.
	judged map[int]bool
	// unlisted are changed places that could not be examined.
	unlisted Unlisted
	refused  int  // statements that were not made because they do not hold
	complete bool // every changed pixel was examined
}

// changeKey identifies the change of an element. What is known by its place only has no key.
type changeKey struct {
	element   *page.Element
	change    Change
	byElement bool
}

func newListing() *listing {
	return &listing{index: make(map[changeKey]int), of: make(map[int][]int), judged: make(map[int]bool)}
}

// gather judges and lists what the clusters show: first by region, then what lies outside of all regions.
func (l *listing) gather(v *view) {
	l.view = v
	listed := make([]bool, len(v.clusters))
	for i := range v.Regions {
		r := &v.Regions[i]
		clusters := v.of(r)
		for _, c := range clusters {
			v.rule(c)
			l.cluster(c, r.ID)
			listed[c] = true
		}
		if len(clusters) == 0 {
			l.shift(r)
		}
		l.judged[r.ID] = true
	}
	for c := range v.clusters {
		if !listed[c] {
			v.rule(c)
			l.beside(c)
		}
	}
}

// cluster lists the findings of a cluster as those of a region, 0 for none.
func (l *listing) cluster(i, region int) {
	c := &l.clusters[i]
	for _, f := range l.shown[i] {
		if !f.byElement() {
			f.Shape, f.pixels = c.shape(), c.Pixels
		}
		l.add(f, region, c.Box, c.BeforeBox)
	}
}

// beside lists the findings of a cluster outside of all regions. If no region was left out, no pixel differs there from the
// one at the same place, only from that of the row that corresponds to it: then a change of content is real, and another place
// or size is what the alignment makes of it.
func (l *listing) beside(i int) {
	if l.LeftOut == 0 {
		l.shown[i] = slices.DeleteFunc(l.shown[i], func(f Finding) bool {
			switch f.Change {
			case TextChanged, ImageReplaced, StyleChanged, Appeared, Vanished, Reordered:
				return false
			}
			return true
		})
	}
	l.cluster(i, 0)
}

// shift lists a region whose content only moved, together with others that moved as far.
func (l *listing) shift(r *Region) {
	f := l.shifted(r)
	f.Ruling = Ruling{AllGood, CodeShift, "Only the position changed.", 0.9, false}
	f.BeforeBox = r.BeforeBox
	for i := range l.found {
		if other := &l.found[i]; other.Change == Shifted && other.Description == f.Description {
			other.Box, other.BeforeBox = other.Box.Union(f.Box), other.BeforeBox.Union(f.BeforeBox)
			l.put(i, r.ID)
			return
		}
	}
	l.found = append(l.found, f)
	l.put(len(l.found)-1, r.ID)
}

// shape tells clusters without a known element apart by their pixels.
func (c *cluster) shape() string {
	if c.band == nil {
		return c.Fingerprint
	}
	s := &c.band.Surface
	return fmt.Sprintf("%s %d × %d %.2f %.2f", c.band.Kind, c.band.X1-c.band.X0, c.band.Rows, s.Mean, s.Deviation)
}

// byElement reports whether the finding is about a known change of an element, not only about pixels.
func (f *Finding) byElement() bool {
	switch f.Change {
	case Repainted, Unexplained, Blanked, Loading:
		return false
	case Shifted, Moved:
		return f.elementBefore != nil
	}
	return f.Element != nil
}

// add lists a finding, or joins it with the same change of the same element.
func (l *listing) add(f Finding, region int, box, beforeBox image.Rectangle) {
	if f.byElement() {
		f.Box, f.BeforeBox = l.boxes(&f)
	} else {
		f.Box, f.BeforeBox, f.places = box, beforeBox, []image.Rectangle{box}
		f.name()
	}
	key := changeKey{f.Element, f.Change, f.byElement()}
	i, known := l.index[key]
	if known && (key.byElement || !f.holds()) {
		l.found[i].join(&f)
	} else {
		i = len(l.found)
		f.Description = wording.SentenceEnds.Replace(f.Description)
		l.found = append(l.found, f)
		l.index[key] = i
	}
	l.put(i, region)
}

// put records that a finding lies in a region.
func (l *listing) put(i, region int) {
	if region == 0 || slices.Contains(l.found[i].Regions, region) {
		return
	}
	l.found[i].Regions = append(l.found[i].Regions, region)
	l.of[region] = append(l.of[region], i)
}

// holds reports whether the finding's element surrounds others and has no text of its own, so that pixels in its box may be
// those of any of them. So does no element at all.
func (f *Finding) holds() bool {
	return f.at < 0 || f.Element == nil || len(f.tree.Children[f.at]) > 0 && f.Element.Text == ""
}

// name turns a finding about pixels in a part that holds other elements into one that names the pixels: nothing says which
// of these elements changed, or whether any did.
func (f *Finding) name() {
	if f.Change == Repainted && f.Ruling.Category != AllGood && f.holds() {
		f.Change = Unexplained
		f.describePixels(f.tree == nil || len(f.tree.Elements) > 0)
	}
}

// describePixels words a finding about pixels. Where elements are known, it says that they explain nothing.
func (f *Finding) describePixels(described bool) {
	box := f.Box
	if box.Empty() {
		box = f.BeforeBox
	}
	f.Description = fmt.Sprintf("%d px differ at %d, %d (%d × %d px).", f.pixels, box.Min.X, box.Min.Y, box.Dx(), box.Dy())
	if described {
		f.Description = "Unexplained: " + f.Description
	}
}

// join adds what another cluster shows of the same change. The worse ruling counts.
func (f *Finding) join(other *Finding) {
	if other.Ruling.Category.rank() > f.Ruling.Category.rank() {
		f.Ruling = other.Ruling
	}
	if f.byElement() {
		return
	}
	f.Box, f.BeforeBox = f.Box.Union(other.Box), f.BeforeBox.Union(other.BeforeBox)
	f.pixels += other.pixels
	f.Shape += other.Shape
	f.places = append(f.places, other.places...)
}

// sort puts the findings into reading order: from top to bottom, then from left to right, where they are in the after
// picture or would be.
func (l *listing) sort() {
	at := make(map[*Finding]image.Point, len(l.found))
	order := make([]*Finding, len(l.found))
	for i := range l.found {
		f := &l.found[i]
		order[i], at[f] = f, f.Box.Min
		if f.AfterBox().Empty() && len(f.places) > 1 {
			at[f] = f.places[1].Min
		}
	}
	slices.SortStableFunc(order, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(at[a].Y, at[b].Y), cmp.Compare(at[a].X, at[b].X))
	})
	sorted := make([]Finding, len(order))
	for i, f := range order {
		slices.Sort(f.Regions)
		sorted[i] = *f
	}
	l.found = sorted
}

// Unlisted counts the changes beyond those that a result lists.
type Unlisted struct {
	Count    int
	Pixels   int      // of those known by their pixels only
	Category Category // the worst of them; empty when there are none
}

func (u *Unlisted) add(n, pixels int, category Category) {
	if n == 0 {
		return
	}
	if u.Count == 0 || category.rank() > u.Category.rank() {
		u.Category = category
	}
	u.Count += n
	u.Pixels += pixels
}

// cut keeps the gravest findings, if there are too many, and counts the others.
func (l *listing) cut() {
	if len(l.found) <= MaxListed {
		return
	}
	slices.SortStableFunc(l.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Ruling.Category.rank(), a.Ruling.Category.rank()), cmp.Compare(b.Weight(), a.Weight()))
	})
	for i := MaxListed; i < len(l.found); i++ {
		l.unlisted.add(1, l.found[i].pixels, l.found[i].Ruling.Category)
	}
	l.found = l.found[:MaxListed]
}

// giveUp lists the regions beyond the limit of steps, once: a redesign that nothing can explain is one thing to look at.
func (l *listing) giveUp(regions []Region) {
	at, places := -1, 0
	for i := range regions {
		r := &regions[i]
		if l.judged[r.ID] {
			continue
		}
		f := unjudged(r)
		if places++; at < 0 {
			at = len(l.found)
			l.found = append(l.found, f)
		} else {
			l.found[at].join(&f)
		}
		l.put(at, r.ID)
	}
	if places > 1 {
		l.found[at].Description = fmt.Sprintf(
			"%d places look different. Too much of this page changed to tell what happened in each.", places)
	}
}

// unjudged is the finding for a region beyond the limit of steps.
func unjudged(r *Region) Finding {
	return Finding{
		Change: Repainted, Confidence: 0.4, at: -1, pixels: r.Pixels, Shape: r.Fingerprint, Box: r.Box, BeforeBox: r.BeforeBox,
		Description: "Something looks different here.", places: []image.Rectangle{r.Box},
		Ruling: Ruling{NotSure, CodeUnknown, "Too much of this page changed for the rules to examine everything.", 0.5, false},
	}
}
