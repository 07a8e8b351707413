package vcdtest

import (
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

// Number returns a pointer to n.
func Number(n int) *int { return &n }

// Seen returns a comparison with a changed region, number 1, of a group's only URL.
func (w *World) Seen(name string) (*vcd.Group, *vcd.Comparison) {
	w.T.Helper()
	g, _ := w.Group(name, 1, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
	w.compareOnce(g)
	list, err := w.Service.Reviews.Comparisons(w.T.Context(), w.Actor, vcd.ComparisonFilter{GroupIDs: &[]vcd.ID{g.ID}},
		vcd.Page{Size: 1}, false)
	Must(w.T, err)
	return g, list.Items[0]
}

func (w *World) compareOnce(g *vcd.Group) {
	w.T.Helper()
	for _, kind := range []vcd.QueueType{vcd.QueuePre, vcd.QueuePost} {
		w.Take(kind, g)
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, string(kind))
		}
	}
	for _, entry := range w.Jobs("compare") {
		w.Compare(entry, 2)
	}
}

// Rule creates a feedback rule from the newest comparison, by default for its URL.
func (w *World) Rule(in review.FeedbackRuleInput) *vcd.FeedbackRule {
	w.T.Helper()
	if in.ComparisonID == "" {
		list, err := w.Service.Reviews.Comparisons(w.T.Context(), w.Actor, vcd.ComparisonFilter{}, vcd.Page{Size: 1}, false)
		Must(w.T, err)
		in.ComparisonID = string(list.Items[0].ID)
	}
	if in.Reach == "" {
		in.Reach = review.ReachURL
	}
	w.Clock.Advance(time.Second)
	made, err := w.Service.Reviews.CreateFeedbackRule(w.T.Context(), w.Actor, in)
	Must(w.T, err)
	return made
}
