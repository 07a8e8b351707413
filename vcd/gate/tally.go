package gate

import "afterimage/vcd"

// key is what pages of one reason have in common.
type key struct {
	kind     Kind
	name     string // of the wall that they show; "" for none
	decision Decision
	strict   bool
}

// place is a page that a reason counts, on whatever devices.
type place struct {
	reason  key
	address string
}

// tally counts the pages of reasons.
type tally struct {
	of    map[key]*Reason
	pages map[place]bool
}

func newTally() *tally { return &tally{of: map[key]*Reason{}, pages: map[place]bool{}} }

func (t *tally) note(k key, address string) *Reason {
	r := t.reason(k)
	if at := (place{k, address}); !t.pages[at] {
		t.pages[at] = true
		r.Pages++
	}
	return r
}

func (t *tally) reason(k key) *Reason {
	if t.of[k] == nil {
		t.of[k] = &Reason{Kind: k.kind, Decision: k.decision, MustBeFine: k.strict}
	}
	return t.of[k]
}

// reasons are those for anything but keeping the update, in no order.
func (t *tally) reasons() []Reason {
	reasons := []Reason{}
	for _, r := range t.of {
		if r.Decision != Keep {
			r.Sentence = words(r)
			reasons = append(reasons, *r)
		}
	}
	return reasons
}

// show names a comparison of a reason.
func (r *Reason) show(comparison vcd.ID) {
	if len(r.Comparisons) < MaxNamed {
		r.Comparisons = append(r.Comparisons, comparison)
	}
}
