package verify

import (
	"afterimage/internal/noise"
	"afterimage/internal/page"
)

// markedAsContent: a part of which a person has said that each of its changes counts.
func markedAsContent(s *scene) string {
	if e := s.known(); e.Marked == noise.MarkContent {
		return e.Reason
	}
	return ""
}

// learnedHabit: a part that has changed by itself in earlier visits, and shows what lies within its form. No habit excuses a control
// or a landmark that is gone.
func learnedHabit(s *scene) string {
	if e := s.known(); e.Quiet && (s.Change != Vanished || !stays(s.Element)) {
		return e.Reason
	}
	return ""
}

// known is what earlier visits tell of the part that changed. It is computed once.
func (s *scene) known() noise.Explanation {
	if s.learned == nil {
		s.learned = new(noise.Explanation)
		if c, ok := s.noiseChange(); ok && s.sight() != nil {
			*s.learned = s.view.sight().Explain(c)
		}
	}
	return *s.learned
}

// noiseChange is the finding in the terms of package noise; ok is false for what noise does not explain.
func (s *scene) noiseChange() (c noise.Change, ok bool) {
	if s.Change == Shifted && s.cluster.band != nil {
		was, is := page.BoxOf(s.cluster.BeforeBox), page.BoxOf(s.cluster.Box)
		return noise.Change{Before: -1, After: -1, Rows: true, Box: is, BeforeBox: was}, true
	}
	if s.at < 0 {
		return c, false
	}
	switch s.Change {
	case Blanked, Loading, Shifted:
		return c, false
	case Vanished:
		return noise.Change{Before: s.at, After: -1}, true
	case Appeared:
		return noise.Change{Before: -1, After: s.at}, true
	}
	if s.tree != s.AfterTree || s.ToBefore[s.at] < 0 {
		return c, false
	}
	repainted := s.Change == Repainted || s.Change == ImageReplaced && s.Before == s.After
	return noise.Change{Before: s.ToBefore[s.at], After: s.at, Repainted: repainted, Box: page.BoxOf(s.cluster.Box)}, true
}

// sight is what earlier visits tell of this pair; nil when nothing is known. It is computed once.
func (v *view) sight() *noise.Sight {
	if v.seen == nil && v.Noise != nil {
		v.Steps.Take(len(v.Pair.Before.Elements) + len(v.Pair.After.Elements))
		v.seen = v.Noise.On(v.Pair.Before.Elements, v.Pair.After.Elements)
	}
	return v.seen
}
