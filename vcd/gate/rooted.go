package gate

import (
	"slices"

	"afterimage/vcd"
)

// rooted is a root with what is found on its pages.
type rooted struct {
	reason Reason
	plain  Decision // what it would lead to if no page had to be fine
	pages  map[string]bool
	strict map[string]bool // pages that must be fine
	below  *tally
}

// lookForRoots notes the roots of a page, and returns the first of those that do not keep the update; nil for none.
func (f *findings) lookForRoots(s *vcd.Suspect, rules *Rules) *rooted {
	on := f.roots.on[s]
	slices.SortStableFunc(on, func(a, b *extent) int { return slices.Index(order, a.kind) - slices.Index(order, b.kind) })
	var first *rooted
	noted := map[*extent]*rooted{}
	for _, e := range on {
		decision := f.roots.decide(e, rules)
		if decision == Keep {
			continue
		}
		if above := noted[e.under]; above != nil {
			f.add(above.below, key{kind: e.kind, name: e.name}, decision, s).tell(e)
			continue
		}
		r := f.root(e)
		r.note(s, decision, rules.strict(s.URLAddress))
		if noted[e] = r; first == nil {
			first = r
		}
	}
	return first
}

// root is what a root is told as.
func (f *findings) root(e *extent) *rooted {
	r := f.rooted[e.key]
	if r == nil {
		r = &rooted{reason: Reason{Kind: e.kind, Decision: Keep}, plain: Keep, pages: map[string]bool{}, strict: map[string]bool{},
			below: newTally()}
		f.rooted[e.key] = r
	}
	if e.key.name != "" {
		r.reason.tell(e)
	}
	return r
}

// tell adds what is said of a root.
func (r *Reason) tell(e *extent) {
	if !slices.Contains(r.what.names, e.says) {
		r.what.names = append(r.what.names, e.says)
	}
	if r.what.because == "" {
		r.what.because = e.because
	}
	r.what.known = r.what.known || e.known
}

// note counts a page. Once for each comparison: several parts may be lost together.
func (r *rooted) note(s *vcd.Suspect, decision Decision, strict bool) {
	r.plain = graver(r.plain, decision)
	if strict {
		r.strict[s.URLAddress] = true
		if decision == Ask {
			decision = RollBack
		}
	}
	r.reason.Decision = graver(r.reason.Decision, decision)
	r.pages[s.URLAddress] = true
	if !slices.Contains(r.reason.Comparisons, s.ID) {
		r.reason.show(s.ID)
	}
}

func graver(a, b Decision) Decision {
	if a.weight() < b.weight() {
		return b
	}
	return a
}

// asReason is the root in words, with what is folded below it.
func (r *rooted) asReason(total int) Reason {
	told := r.reason
	told.Pages, told.total = len(r.pages), total
	if told.MustBeFine = r.plain.weight() < told.Decision.weight(); told.MustBeFine {
		told.what.strict = len(r.strict)
	}
	told.Sentence = rootWords(&told)
	told.Folded = r.below.reasons()
	sortReasons(told.Folded)
	for _, folded := range told.Folded {
		told.Decision = graver(told.Decision, folded.Decision)
	}
	return told
}
