package noise

import (
	"errors"
	"slices"
)

// Comparisons are the ids of the comparisons from whose pairs of visits something was learned.
func (k *Knowledge) Comparisons() []string {
	var ids []string
	for _, v := range k.Visits {
		if v.Comparison != "" {
			ids = append(ids, v.Comparison)
		}
	}
	return ids
}

// Review applies the reviews of comparisons: what a rejected one reported is a real change and no noise; what a confirmed one
// reported is noise, even if it was reported as an alarm. Reviews are not stored with the knowledge: they may change.
func (k *Knowledge) Review(rejected, confirmed []string) {
	k.Rejected, k.Confirmed = k.of(rejected), k.of(confirmed)
}

func (k *Knowledge) of(comparisons []string) Pairs {
	var pairs Pairs
	for i, v := range k.Visits {
		if v.Comparison != "" && slices.Contains(comparisons, v.Comparison) {
			pairs |= 1 << i
		}
	}
	return pairs
}

// excluded are the pairs in which the part changed otherwise than by itself, as far as is known.
func (k *Knowledge) excluded(p *Part) Pairs {
	return p.Alert&^k.Confirmed | p.Loud&k.Rejected
}

// Find returns the part with a selector; nil when nothing is known of it.
func (k *Knowledge) Find(selector string) *Part {
	for _, p := range k.Parts {
		if p.Selector == selector {
			return p
		}
	}
	return nil
}

// Forget removes what is known of the part with a selector, and reports whether something was.
func (k *Knowledge) Forget(selector string) bool {
	before := len(k.Parts)
	k.Parts = slices.DeleteFunc(k.Parts, func(p *Part) bool { return p.Selector == selector })
	return len(k.Parts) < before
}

// ErrTooManyMarks means that so many parts of the page are marked that no other can be.
var ErrTooManyMarks = errors.New("too many parts of the page are marked")

// SetMark marks the part with a selector; MarkNone removes the mark.
func (k *Knowledge) SetMark(selector string, mark Mark) error {
	p := k.Find(selector)
	if p == nil && mark == MarkNone {
		return nil
	}
	marked := 0
	for _, other := range k.Parts {
		if other.Mark != MarkNone && other != p {
			marked++
		}
	}
	if mark != MarkNone && marked >= maxMarks {
		return ErrTooManyMarks
	}
	if p == nil {
		p = &Part{Selector: selector}
		k.Parts = append(k.Parts, p)
	}
	p.Mark = mark
	return nil
}
