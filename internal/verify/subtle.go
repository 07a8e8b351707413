package verify

import (
	"fmt"
	"image"
	"slices"

	"afterimage/imgdiff"
	"afterimage/internal/verify/css"
	"afterimage/internal/verify/dom"
)

// A comparison of pixels counts neither colours that differ a little nor edges of letters that are somewhat thicker. People may see both.
// Where the style of an element says that it looks different and no pixel counts, its pixels are therefore compared more strictly.

// Limits of the stricter comparison.
const (
	leastLevels = 3   // of 255, by which a channel of a colour differs at least
	mostSubtle  = 200 // changes that are looked at, and elements that are looked at for one

	mostAround = 2000 // how far around an element its generated content is looked for, in pixels
)

// subtle counts the pixels of the changes of style that only a stricter comparison shows.
func (s *inspection) subtle() error {
	looked := 0
	for i := range s.own {
		f := &s.own[i]
		if s.seen[i] > 0 || !f.ofStyle() || s.ToBefore[f.at] < 0 {
			continue
		}
		if looked++; looked > mostSubtle {
			return nil
		}
		for _, c := range f.styles {
			n, err := s.subtlePixels(f, c)
			if err != nil {
				return err
			}
			if n >= imgdiff.SpeckPixels {
				s.seen[i] = max(s.seen[i], n)
			}
		}
	}
	return nil
}

// subtlePixels counts the pixels in which one property of a change shows. What only moves things shows by where they are.
func (s *inspection) subtlePixels(f *Finding, c css.Change) (int, error) {
	was, wasOpaque := rgbOf(c.Before)
	is, isOpaque := rgbOf(c.After)
	box := s.painted(f.at)
	var exchange imgdiff.Exchange
	switch name := css.Bare(c.Property); {
	case c.Is(css.OfColour) && wasOpaque && isOpaque && levelsApart(was, is) < leastLevels:
		return 0, nil
	case name == "background-color":
		if wasOpaque {
			exchange.Before = &was
		}
		if isOpaque {
			exchange.After = &is
		}
		if name != c.Property {
			box = s.aroundGenerated(f.at, wasOpaque && isOpaque)
		}
		return s.otherwise(f.at, box, exchange)
	case name != c.Property:
		return s.otherwise(f.at, s.aroundGenerated(f.at, false), exchange)
	case c.Is(css.Inheritable), name == "text-decoration-line":
		return s.otherLetters(f.at)
	case c.Is(css.OfLayout|css.OfPlace) && name != "border-width" && name != "border-style":
		return 0, nil
	}
	return s.otherEdges(f.at, box)
}

// aroundGenerated is where generated content of an element may be painted: in its box, or as far around it as the content is large, if it
// can be told by its colours.
func (s *inspection) aroundGenerated(a int, told bool) image.Rectangle {
	box := s.painted(a)
	if !told {
		return box
	}
	style := s.AfterTree.Element(a).StyleIn(s.AfterTree.Styles)
	for _, pseudo := range []string{"::before box", "::after box"} {
		var width, height int
		if n, _ := fmt.Sscanf(style[pseudo], "%d × %d", &width, &height); n == 2 {
			box = box.Union(s.AfterTree.Box(a).Inset(-min(max(width, height), mostAround)))
		}
	}
	return box.Intersect(s.clip[a])
}

// otherwise counts the pixels in a box of an element that look otherwise than before, without those of changes within the element.
func (s *inspection) otherwise(a int, box image.Rectangle, exchange imgdiff.Exchange) (int, error) {
	n, err := s.pixelsOtherwise(a, box, exchange)
	s.Steps.Take(len(s.own))
	for i := 0; i < len(s.own) && n > 0 && err == nil; i++ {
		f := &s.own[i]
		if f.tree != s.AfterTree || f.at <= a || !s.AfterTree.Within(f.at, a) {
			continue
		}
		var within int
		within, err = s.pixelsOtherwise(a, s.AfterTree.Inked(f.at).Intersect(box), exchange)
		n -= within
	}
	return n, err
}

// pixelsOtherwise counts the pixels of a box that look otherwise under the displacement of an element.
func (s *inspection) pixelsOtherwise(a int, box image.Rectangle, exchange imgdiff.Exchange) (least int, err error) {
	s.Steps.Take(1 + dom.Area(box)/1024)
	for i, by := range displacements(s.moved[a]) {
		n, err := s.Pixels.Exchanged(box, by, leastLevels, exchange)
		if err != nil {
			return 0, err
		}
		if i == 0 || n < least {
			least = n
		}
	}
	return least, nil
}

// otherLetters counts the pixels that differ in the texts of an element and of those that take its style over.
func (s *inspection) otherLetters(a int) (int, error) {
	sum, looked := 0, 0
	for at := a; at < len(s.AfterTree.Content) && looked < mostSubtle && s.AfterTree.Within(at, a); at++ {
		if at != a && s.styles.Origin[at] != a || s.ToBefore[at] < 0 || s.AfterTree.Element(at).Text == "" {
			continue
		}
		looked++
		n, err := s.otherwise(at, s.painted(at), imgdiff.Exchange{})
		if err != nil {
			return sum, err
		}
		sum += n
	}
	return sum, nil
}

// otherEdges counts the pixels that differ around an element, where its border, its shadow and its corners are, and all of its pixels if it
// holds nothing else.
func (s *inspection) otherEdges(a int, box image.Rectangle) (int, error) {
	sum := 0
	if len(s.AfterTree.Children[a]) == 0 {
		n, err := s.otherwise(a, box, imgdiff.Exchange{})
		if err != nil {
			return 0, err
		}
		sum = n
	}
	for _, strip := range strips(box, box.Inset(-max(dom.CastOf(s.AfterTree, a), dom.CastOf(s.BeforeTree, s.ToBefore[a])))) {
		n, err := s.otherwise(a, strip, imgdiff.Exchange{})
		if err != nil {
			return sum, err
		}
		sum += n
	}
	return sum, nil
}

// levelsApart is by how much two colours differ, in the channel in which they differ most.
func levelsApart(a, b [3]uint8) int {
	most := 0
	for i := range a {
		d := int(a[i]) - int(b[i])
		most = max(most, d, -d)
	}
	return most
}

// Of pictures, drawings and frames no style tells that a colour in them changed a little. Where an area of one changed evenly, it did;
// where pixels differ each in its own way, it may have been encoded again.

// leastTinted is how many pixels such an area has: a square with sides of 20 pixels.
const leastTinted = 400

// tinted lists pictures in which an area has another colour, by so little that no pixel counts.
func (s *inspection) tinted() error {
	looked := 0
	for a := range s.AfterTree.Content {
		if !dom.ShowsPixels(s.AfterTree.Element(a).Tag) && !s.pictured(a) {
			continue
		}
		own := s.otherSource(a)
		if own < 0 && !s.mayBeTinted(a) {
			continue
		}
		if looked++; looked > mostSubtle {
			return nil
		}
		even, err := s.evenPixels(a)
		switch {
		case err != nil:
			return err
		case even < leastTinted:
		case own >= 0:
			s.seen[own] = max(s.seen[own], even)
		default:
			s.ownPixels(&remnant{at: a, pixels: even, box: s.painted(a)})
		}
	}
	return nil
}

// otherSource is the change by which a picture has another address, if no pixel counts; -1 for none.
func (s *inspection) otherSource(a int) int {
	s.Steps.Take(1 + len(s.own)/16)
	return slices.IndexFunc(s.own, func(f Finding) bool { return f.at == a && f.tree == s.AfterTree && f.Change == ImageReplaced })
}

// mayBeTinted reports whether nothing that is known to have changed makes a picture look different.
func (s *inspection) mayBeTinted(a int) bool {
	box := s.painted(a)
	if s.ToBefore[a] < 0 || s.grown[a].Beyond(dom.Follows) || dom.Area(box) < leastTinted {
		return false
	}
	s.Steps.Take(1 + len(s.own))
	return !slices.ContainsFunc(s.own, func(f Finding) bool {
		switch {
		case f.at < 0 || f.tree != s.AfterTree:
			return true // who knows where
		case s.AfterTree.Within(a, f.at) && a != f.at:
			return slices.ContainsFunc(f.styles, func(c css.Change) bool {
				return c.Is(css.OfEffect) || !c.Is(css.Inheritable|css.OfLayout)
			})
		}
		return s.painted(f.at).Inset(-dom.CastOf(s.AfterTree, f.at)).Overlaps(box)
	})
}

// evenPixels counts the pixels of a picture in areas whose colour changed evenly; none if most of what differs does so unevenly.
func (s *inspection) evenPixels(a int) (least int, err error) {
	box := s.painted(a)
	for i, by := range displacements(s.moved[a]) {
		s.Steps.Take(1 + dom.Area(box)/1024)
		even, all, err := s.Pixels.Tinted(box, by, leastLevels)
		if err != nil {
			return 0, err
		}
		if 2*even < all {
			even = 0
		}
		if i == 0 || even < least {
			least = even
		}
	}
	return least, nil
}
