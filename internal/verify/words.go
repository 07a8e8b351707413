package verify

import (
	"fmt"
	"image"

	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// describeChange describes the change of an element that both pages have.
func describeChange(e *page.Element, change Change, before, after string) string {
	switch change {
	case TextChanged:
		switch {
		case before == "":
			return fmt.Sprintf("%s (%s) now has the text %s.", dom.KindOf(e), dom.PlaceOf(e), wording.Quote(after))
		case after == "":
			return fmt.Sprintf("%s (%s) no longer has the text %s.", dom.KindOf(e), dom.PlaceOf(e), wording.Quote(before))
		}
		return fmt.Sprintf("%s (%s): text changed from %s to %s.", dom.KindOf(e), dom.PlaceOf(e),
			wording.Quote(before), wording.Quote(after))
	case ImageReplaced:
		if before != after {
			was, is := wording.FileNames(before, after)
			return fmt.Sprintf("%s shows %s instead of %s.", dom.NameOf(e), is, was)
		}
		return fmt.Sprintf("%s shows different content.", dom.NameOf(e))
	case StyleChanged:
		return fmt.Sprintf("%s looks different: %s became %s.", dom.NameOf(e), before, after)
	case Moved:
		if before == after {
			return dom.NameOf(e) + " kept its position while its surroundings moved."
		}
		return fmt.Sprintf("%s moved from %s to %s.", dom.NameOf(e), before, after)
	case Resized:
		return fmt.Sprintf("%s changed its size from %s to %s pixels.", dom.NameOf(e), before, after)
	case Shifted:
		return fmt.Sprintf("%s moved from %s to %s, because the content above it changed its height.", dom.NameOf(e), before, after)
	case Reordered:
		return fmt.Sprintf("%s changed its position among its neighbours.", dom.NameOf(e))
	}
	return dom.NameOf(e) + " changed."
}

func (v *view) appeared(a int) Finding {
	e := v.AfterTree.Element(a)
	text := v.AfterTree.Words(a)
	return Finding{
		Element: e, Box: e.Box.Rect(), Change: Appeared, After: text, Confidence: 0.85, tree: v.AfterTree, at: a,
		Description: fmt.Sprintf("%s (%s) appeared%s.", dom.KindOf(e), dom.PlaceOf(e), wording.Saying(text)),
	}
}

func (v *view) vanished(b int) Finding {
	e := v.BeforeTree.Element(b)
	text := v.BeforeTree.Words(b)
	return Finding{
		Element: e, Box: e.Box.Rect(), Change: Vanished, Before: text, Confidence: 0.85,
		elementBefore: e, tree: v.BeforeTree, at: b,
		Description: fmt.Sprintf("%s (%s) is gone%s.", dom.KindOf(e), dom.PlaceOf(e), wording.Saying(text)),
	}
}

// movedBand describes rows that are at another place.
func (v *view) movedBand(c *cluster) Finding {
	at := v.covering(c.Box)
	e := v.AfterTree.ElementAt(at)
	return Finding{
		Element: e, tree: v.AfterTree, at: at, Box: c.Box, Change: Moved, Confidence: 0.8,
		Before: fmt.Sprintf("row %d", c.band.YBefore), After: fmt.Sprintf("row %d", c.band.YAfter),
		Description: fmt.Sprintf("%s: %s moved from row %d to row %d.", dom.NameOf(e), wording.Counted(c.band.Rows, "row", "rows"),
			c.band.YBefore, c.band.YAfter),
	}
}

// shifted describes a region that only moved because rows above it were inserted or deleted.
func (v *view) shifted(r *Region) Finding {
	at := v.covering(r.Box)
	moved := v.shift(r.Box.Min)
	if moved == 0 {
		moved = v.shift(r.Box.Max.Sub(image.Pt(1, 1)))
	}
	direction := "down"
	if moved < 0 {
		direction = "up"
	}
	return Finding{
		Element: v.AfterTree.ElementAt(at), tree: v.AfterTree, at: at, Box: r.Box, Change: Shifted, Confidence: 0.9,
		Description: fmt.Sprintf("The content shifted %s by %s because of a change above.", direction,
			wording.Counted(abs(moved), "pixel", "pixels")),
	}
}

// covering returns the index of the smallest element of the after page that covers a box, -1 when none does.
func (v *view) covering(box image.Rectangle) int {
	smallest := -1
	v.Steps.Take(len(v.AfterTree.Content))
	for i := range v.AfterTree.Content {
		if outer := v.AfterTree.Box(i); box.In(outer) && (smallest < 0 || dom.Area(outer) <= dom.Area(v.AfterTree.Box(smallest))) {
			smallest = i
		}
	}
	return smallest
}

// covered is the share of a cluster that lies in the boxes of findings, sampled on a grid of points.
func covered(c *cluster, found []Finding) float64 {
	const points = 16
	box := c.Box
	if box.Empty() {
		box = c.BeforeBox
	}
	in := 0
	for i := range points * points {
		at := image.Pt(box.Min.X+box.Dx()*(2*(i%points)+1)/(2*points), box.Min.Y+box.Dy()*(2*(i/points)+1)/(2*points))
		for j := range found {
			if c.band != nil && at.Y >= found[j].Box.Min.Y && at.Y < found[j].Box.Max.Y && found[j].Change != Resized {
				in++ // rows are inserted or deleted as a whole, with everything in them
				break
			}
			if found[j].Change == Resized && len(found[j].tree.Children[found[j].at]) > 0 {
				continue // a box around what actually changed
			}
			if at.In(found[j].Box.Inset(-between)) || found[j].elementBefore != nil && at.In(found[j].elementBefore.Box.Rect()) {
				in++
				break
			}
		}
	}
	return float64(in) / (points * points)
}

// unexplained is a finding for the pixels of a cluster that no other finding explains; nil when there are few.
func (v *view) unexplained(c *cluster, found []Finding) *Finding {
	if covered(c, found) > enough {
		return nil
	}
	page, at := v.AfterTree, v.covering(c.Box)
	if c.Box.Empty() {
		page, at = v.BeforeTree, -1
	}
	e := page.ElementAt(at)
	f := &Finding{
		Element: e, tree: page, at: at, Box: c.Box, Change: Repainted, Confidence: 0.4, Description: dom.NameOf(e) + " looks different.",
	}
	switch {
	case c.After.Known && c.After.Blank && c.Before.Known && !c.Before.Blank:
		f.Change, f.Confidence, f.Description = Blanked, 0.8, dom.NameOf(e)+" is now blank."
		if f.holds() && e != nil && dom.Area(c.Box) < dom.Area(e.Box.Rect())/2 {
			f.Description = dom.NameOf(e) + " is now partly blank."
		}
	case c.band != nil:
		f.Change, f.Confidence, f.Description = Shifted, 0.7, c.band.words()
	}
	return f
}

// words describes rows that were inserted or deleted.
func (b *Band) words() string {
	one, many, happened := "row was", "rows were", "inserted"
	if b.Kind == BandDeleted {
		happened = "removed"
	}
	if b.Surface.Known && b.Surface.Blank {
		one, many = "blank "+one, "blank "+many
	}
	return fmt.Sprintf("%s %s here, which moved the content below.", wording.Counted(b.Rows, one, many), happened)
}
