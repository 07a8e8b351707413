package vcdtest

import (
	"fmt"
	"strings"
	"time"

	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// Verifying enables verification for the account.
func (w *World) Verifying() {
	w.T.Helper()
	w.AsSystem("UPDATE accounts SET ai_verification = true WHERE id = $1", string(w.Actor.Account))
}

// Price is an element that shows a price, in a card of a shop.
func Price(place int, text, context string, y int) *page.ElementIdentity {
	return &page.ElementIdentity{
		Selector: fmt.Sprintf("html > body > main > article:nth-of-type(%d) > p", place), Tag: "p", Role: "paragraph", Text: text,
		Context: context,
		Box:     page.Box{X: 40, Y: y, Width: 120, Height: 24},
	}
}

// Found is the finding for a region whose text changed.
func Found(region int, category vcd.Category, before, after *page.ElementIdentity) vcd.Finding {
	change := vcd.FoundChange{Kind: "text_changed", Category: category, Before: before, After: after}
	change.Fingerprint = vcd.FingerprintOf(&change, before.Text, after.Text, "")
	return vcd.Finding{
		FoundChange: change, Regions: []int{region}, Ruled: category, Judge: vcd.JudgeRules, Description: "Paragraph: text changed",
		BoxBefore: &before.Box, BoxAfter: &after.Box, Reason: "A test says so.", Confidence: 0.9,
	}
}

// Lamp is a finding about a picture of a lamp.
func Lamp(category vcd.Category) vcd.Finding {
	return Found(1, category, Price(1, "€ 10", "Desk lamp in brass", 100), Price(1, "€ 12", "Desk lamp in brass", 100))
}

// Result is a worker's result when the regions of the findings changed.
func (w *World) Result(task *run.CompareTask, percent float64, findings ...vcd.Finding) run.CompareResult {
	p := w.Picture("mask of " + string(task.Entry.ID))
	p.Over = task.After.Image.Hash
	r := run.CompareResult{Difference: vcd.Difference{Percent: percent, AlignedPercent: percent, Width: 1280, Height: 800}, Picture: &p}
	known := map[int]bool{}
	for _, f := range findings {
		for _, region := range f.Regions {
			if !known[region] {
				r.Difference.Regions = append(r.Difference.Regions, vcd.ChangedRegion{ID: region, X: 40, Y: 100, Width: 120, Height: 24,
					Pixels: 600, Fingerprint: "f"})
			}
			known[region] = true
		}
	}
	if task.Verify(&r) {
		r.Verification = &vcd.Verification{Findings: findings, Explained: true, Elapsed: 3 * time.Millisecond}
	}
	return r
}

// Round captures a group of pages before and after, and compares each with findings.
func (w *World) Round(g *vcd.Group, model bool, percent float64, findings ...vcd.Finding) (batch vcd.ID, compared []*vcd.Comparison) {
	w.T.Helper()
	w.Take(vcd.QueuePre, g)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "before")
	}
	batch = w.Take(vcd.QueuePost, g).Batches[0].ID
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "after "+string(entry))
	}
	for _, entry := range w.Jobs("compare") {
		task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
		Must(w.T, err)
		r := w.Result(task, percent, findings...)
		r.Model = model
		compared = append(compared, w.Finish(task, r))
	}
	return batch, compared
}

// Told summarises what a comparison and its batch say after verification.
func (w *World) Told(batch vcd.ID) string {
	w.T.Helper()
	list, err := w.Service.Reviews.Comparisons(w.T.Context(), w.Actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 1}, false)
	Must(w.T, err)
	c, b := list.Items[0], w.Batch(batch)
	parts := []string{string(c.Status)}
	if v := c.Verification; v != nil {
		counts := v.Counts()
		parts = append(parts, string(v.Status), fmt.Sprintf("%d/%d/%d", counts.AllGood, counts.NotSure, counts.Alerts), string(v.Issue))
	}
	if b.Summary != nil {
		parts = append(parts, string(b.Summary.Overall))
	}
	if b.FinishedAt == nil {
		parts = append(parts, "running")
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}
