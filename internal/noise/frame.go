package noise

import "strings"

const (
	frameLevels = 4 // parts around an element whose sizes count
	frameFactor = 2 // by which they may be smaller or larger than ever
)

// framed takes back that a change is quiet if a part around the element has a size that is quite another one than it ever had: what
// shows known values in a part that was squeezed is damaged all the same.
func (s *Sight) framed(e Explanation, c Change) Explanation {
	if !e.Quiet || c.Rows {
		return e
	}
	holder := -1
	if c.After >= 0 {
		holder = s.after.parent(c.After)
	} else if up := s.before.parent(c.Before); up >= 0 {
		holder = s.toAfter[up]
	}
	for range frameLevels {
		if holder < 0 || whole[s.after.elements[holder].Tag] {
			break
		}
		if s.misshapen(holder) {
			e.Quiet, e.InForm = false, false
			e.Reason = strings.TrimSuffix(e.Reason, ".") + ", but the part around it never had a similar size."
			break
		}
		holder = s.after.parent(holder)
	}
	return e
}

// misshapen reports whether an element is less than half as wide or high as it ever was, or more than twice.
func (s *Sight) misshapen(a int) bool {
	b := s.toBefore[a]
	if b < 0 {
		return false
	}
	was, is := s.before.elements[b].Box, s.after.elements[a].Box
	var widths, heights values
	if p := s.newParts[a]; p != nil {
		widths, heights = s.families[p.Path].widths, s.families[p.Path].heights
	}
	return farFrom(widths, was.Width, is.Width) || farFrom(heights, was.Height, is.Height)
}

// farFrom reports whether a measure is far from what it was and from all that is known of it.
func farFrom(seen values, was, is int) bool {
	least, most := was, was
	if len(seen) > 0 {
		low, high := seen.reach()
		least, most = min(least, low-measureZero), max(most, high-measureZero)
	}
	return off(was, is) && (frameFactor*is < least || is > frameFactor*most)
}
