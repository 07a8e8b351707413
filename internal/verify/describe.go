package verify

import (
	"context"
	"image"

	"afterimage/internal/noise"
	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// view is a pair with the data that its description needs.
type view struct {
	*Pair
	*dom.Matching
	wording.Facts             // of pairs of texts
	clusters      []cluster   // differences that remain after row alignment, and inserted or deleted rows
	shown         [][]Finding // by cluster
	ruled         []bool      // by cluster: its findings have their rulings
	pushed        []place     // elements that moved or grew only as a consequence of findings

	seen      *noise.Sight // see sight
	judged    bool
	state     *opinion // of the page as a whole, once judged
	evident   pageEvidence
	pagers    map[int]bool                // see pagerIn
	rolls     map[int]bool                // see entriesMove
	said      map[*wording.ErrorSign]bool // whether the before page showed an error
	movements *layout                     // how elements moved; nil when that is not known
}

// cluster is a place with a change of its own.
type cluster struct {
	Region
	band *Band // set if it is inserted or deleted rows
}

// stepsFor are the steps that may be taken for a pair.
func stepsFor(ctx context.Context, p *Pair) *dom.Steps {
	return dom.NewSteps(ctx, len(p.Before.Elements)+len(p.After.Elements)+len(p.Regions)+len(p.Remaining)+len(p.Bands))
}

// tree is the page's elements with derived data.
func (p *Page) tree(s *dom.Steps) *dom.Tree {
	return dom.NewTree(s, p.Elements, p.Styles, image.Pt(p.Width, p.Height))
}

func newView(s *dom.Steps, p *Pair) *view {
	v := &view{Pair: p, Matching: dom.Match(p.Before.tree(s), p.After.tree(s)), said: make(map[*wording.ErrorSign]bool)}
	remaining := p.Remaining
	if remaining == nil {
		remaining = p.Regions
	}
	for _, r := range remaining {
		v.clusters = append(v.clusters, cluster{Region: r})
	}
	for i := range p.Bands {
		if c, ok := bandCluster(&p.Bands[i]); ok {
			v.clusters = append(v.clusters, c)
		}
	}
	v.shown, v.ruled = make([][]Finding, len(v.clusters)), make([]bool, len(v.clusters))
	if p.causal() {
		v.MatchMoved()
		return v // its changes are found for the page as a whole
	}
	for i := range v.clusters {
		v.shown[i] = v.describe(&v.clusters[i])
	}
	for i := range v.clusters {
		v.adopt(i)
	}
	v.tellUnseen()
	return v
}

// tellUnseen adds elements that appeared or vanished to inserted or deleted rows, unless a cluster has reported them: of
// two equal parts it is ambiguous which one is new, and elements and rows may disagree.
func (v *view) tellUnseen() {
	told := make(map[*page.Element]bool)
	for _, found := range v.shown {
		for i := range found {
			told[found[i].Element] = true
		}
	}
	for i := range v.clusters {
		band := v.clusters[i].band
		if band == nil {
			continue
		}
		page, partner, start := v.AfterTree, v.ToBefore, band.YAfter
		switch band.Kind {
		case BandInserted:
		case BandDeleted:
			page, partner, start = v.BeforeTree, v.ToAfter, band.YBefore
		default:
			continue
		}
		v.Steps.Take(len(page.Content))
		for at := range page.Content {
			parent, box := page.Parent(at), page.Box(at)
			if partner[at] >= 0 || parent >= 0 && partner[parent] < 0 || told[page.Element(at)] || box.Empty() ||
				box.Min.Y > start+band.Rows+edge || box.Max.Y < start-edge {
				continue
			}
			told[page.Element(at)] = true
			if page == v.AfterTree {
				v.shown[i] = append(v.shown[i], v.appeared(at))
			} else {
				v.shown[i] = append(v.shown[i], v.vanished(at))
			}
		}
	}
}

// adopt explains a cluster, of which only differing pixels are known, by a change of an element that contains it: a
// paragraph with changed text rarely consists of one cluster.
func (v *view) adopt(i int) {
	c, own := &v.clusters[i], v.shown[i]
	if c.band != nil && c.band.Surface.Blank {
		return
	}
	for n := range own {
		if cause := v.causeOf(i, &own[n]); cause != nil {
			own[n] = *cause
			return
		}
	}
}

// causeOf is the change of an element, shown by another cluster, to which the pixels of a cluster are due; nil for none.
func (v *view) causeOf(i int, own *Finding) *Finding {
	c, alone := &v.clusters[i], len(v.shown[i]) == 1
	if own.Change != Blanked && !(alone && (own.Change == Repainted || own.Change == Shifted)) {
		return nil
	}
	for j := range v.shown {
		v.Steps.Take(1 + len(v.shown[j]))
		for n := range v.shown[j] {
			if cause := &v.shown[j][n]; j != i && c.isDueTo(own, cause) {
				return cause
			}
		}
	}
	return nil
}

// isDueTo reports whether a change of an element explains a cluster of which only the pixels are known.
func (c *cluster) isDueTo(own, cause *Finding) bool {
	switch cause.Change {
	case TextChanged, ImageReplaced, Appeared:
		return own.Change != Blanked && c.liesIn(cause)
	case Vanished, Moved: // where it was is nothing now
		return own.Change == Blanked && cause.elementBefore != nil && !c.BeforeBox.Empty() &&
			c.BeforeBox.In(cause.elementBefore.Box.Rect().Inset(-2*slack))
	}
	return false
}

// liesIn reports whether the cluster lies in the element of a finding, before or after; for whole rows it suffices that
// the rows are those of the element.
func (c *cluster) liesIn(f *Finding) bool {
	boxes := []image.Rectangle{f.Box}
	if f.elementBefore != nil {
		boxes = append(boxes, f.elementBefore.Box.Rect())
	}
	for i, own := range []image.Rectangle{c.Box, c.BeforeBox}[:len(boxes)] {
		around := 2 * slack
		if c.band != nil {
			own.Min.X, own.Max.X = boxes[i].Min.X, boxes[i].Max.X
			around = edge // margins are not part of a box, and its rows may be confused with adjacent ones
		}
		if !own.Empty() && own.In(boxes[i].Inset(-around)) {
			return true
		}
	}
	return false
}

// bandCluster makes a cluster of rows that are in only one picture, or at another place in the other.
func bandCluster(b *Band) (cluster, bool) {
	after := image.Rect(b.X0, b.YAfter, b.X1, b.YAfter+b.Rows)
	before := image.Rect(b.X0, b.YBefore, b.X1, b.YBefore+b.Rows)
	area := b.Rows * (b.X1 - b.X0)
	switch b.Kind {
	case BandInserted:
		return cluster{Region{Box: after, Pixels: area, MeanDelta: 1, After: b.Surface}, b}, true
	case BandDeleted:
		gone := image.Rectangle{Min: after.Min, Max: image.Pt(after.Max.X, after.Min.Y)}
		return cluster{Region{Box: gone, BeforeBox: before, Pixels: area, MeanDelta: 1, Before: b.Surface}, b}, true
	case BandMoved:
		return cluster{Region{Box: after, BeforeBox: before, Pixels: area, After: b.Surface, Before: b.Surface}, b}, true
	}
	return cluster{}, false
}

// touches reports whether the cluster contributes to the differing pixels of a region.
func (c *cluster) touches(r *Region) bool {
	return c.Box.Overlaps(r.Box) || c.band != nil && c.band.Kind == BandDeleted && c.BeforeBox == r.BeforeBox
}

// of lists the clusters that touch a region.
func (v *view) of(r *Region) []int {
	var found []int
	for i := range v.clusters {
		if v.Remaining == nil && v.clusters[i].band == nil {
			if v.clusters[i].ID == r.ID {
				found = append(found, i)
			}
		} else if v.clusters[i].touches(r) {
			found = append(found, i)
		}
	}
	return found
}

// telling ranks changes by their significance.
var telling = map[Change]float64{
	Blanked: 9, Loading: 8, TextChanged: 7, ImageReplaced: 7, Vanished: 6, Appeared: 6, Reordered: 6, StyleChanged: 4,
	Moved: 3, Resized: 2, Repainted: 1, Unexplained: 1, Shifted: 0,
}

// Weight is the significance of the finding among others of a region.
func (f *Finding) Weight() float64 { return telling[f.Change] }
