package verify

import "afterimage/internal/verify/dom"

// consequenceRules are applied to what only follows from a change: the change is an alert if what follows from it is broken.
var consequenceRules = []rule[*scene]{
	{"broken picture", Alert, CodePicture, 0.97, true, brokenPicture},
	{"distorted picture", Alert, CodeLayout, 0.85, false, distortedPicture},
	{"overlapping texts", Alert, CodeLayout, 0.85, false, overlappingTexts},
}

// mostFollowing is how many of the elements that moved within their surroundings or have another size are looked at.
const mostFollowing = 400

// harms finds what is broken among what follows from changes, by change.
func (s *inspection) harms() map[int]Ruling {
	found := make(map[int]Ruling)
	looked := 0
	for a := range s.AfterTree.Content {
		b, parent := s.ToBefore[a], s.AfterTree.Parent(a)
		e := s.AfterTree.Element(a)
		if b < 0 || parent < 0 || e.Text == "" && !dom.ShowsPixels(e.Tag) {
			continue
		}
		cause, change := s.sizedBy[a], Resized
		if !s.grown[a].Beyond(dom.OwnMove) {
			if !s.moved[a].Minus(s.moved[parent]).Beyond(dom.OwnMove) {
				continue
			}
			cause, change = s.movedBy[a], Moved
		}
		if cause < 0 {
			continue
		}
		if looked++; looked > mostFollowing {
			return found
		}
		f := Finding{Element: e, Change: change, Box: e.Box.Rect(), tree: s.AfterTree, at: a, elementBefore: s.BeforeTree.Element(b)}
		about := &scene{view: s.view, Finding: &f, cluster: &cluster{}}
		if o := decide(consequenceRules, about); o != nil {
			if _, known := found[cause]; !known {
				o.reason = s.AfterTree.Name(a) + ": " + o.reason
				found[cause] = o.ruling()
			}
		}
	}
	return found
}
