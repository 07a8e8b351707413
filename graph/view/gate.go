package view

import (
	"slices"

	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/gate"
	"afterimage/vcd/review"
)

// BatchGate shows the verdict on an update.
type BatchGate struct{ *review.Gate }

// NewBatchGate shows g.
func NewBatchGate(g *review.Gate) *BatchGate { return &BatchGate{g} }

// Decision is what to do with the update.
func (g *BatchGate) Decision() scalar.Word { return scalar.Word(g.Gate.Decision) }

// Reasons are why.
func (g *BatchGate) Reasons() []*GateReason { return gateReasons(g.Gate.Reasons) }

func gateReasons(found []gate.Reason) []*GateReason {
	reasons := make([]*GateReason, len(found))
	for i, r := range found {
		reasons[i] = &GateReason{r}
	}
	return reasons
}

// ComparisonIDs are the comparisons that show a reason.
func (g *BatchGate) ComparisonIDs() []vcd.ID {
	all := []vcd.ID{}
	for _, r := range g.Gate.Reasons {
		for _, id := range r.Comparisons {
			if !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	return all
}

// GateReason shows why a decision was taken.
type GateReason struct{ gate.Reason }

// Kind is what the reason is about.
func (r *GateReason) Kind() scalar.Word { return scalar.Word(r.Reason.Kind) }

// Decision is what it alone would lead to.
func (r *GateReason) Decision() scalar.Word { return scalar.Word(r.Reason.Decision) }

// ComparisonIDs are comparisons that show it.
func (r *GateReason) ComparisonIDs() []vcd.ID { return append([]vcd.ID{}, r.Comparisons...) }

// Folded are what else was found on its pages.
func (r *GateReason) Folded() []*GateReason { return gateReasons(r.Reason.Folded) }
