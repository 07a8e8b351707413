// Package findings words what package verify found in the types of package vcd: with the identity of the elements, and with the
// fingerprint by which the same change is recognised on other pages. The service stores them; the command line prints them.
package findings

import (
	"image"

	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/vcd"
)

// Of returns the findings of a result, in its order.
func Of(pair *verify.Pair, result *verify.Result) []vcd.Finding {
	before, after := page.NewIdentifier(pair.Before.Elements), page.NewIdentifier(pair.After.Elements)
	out := make([]vcd.Finding, len(result.Findings))
	for i := range result.Findings {
		found := &result.Findings[i]
		f := vcd.Finding{
			FoundChange: vcd.FoundChange{Kind: vcd.ChangeKind(found.Change), Category: vcd.Category(found.Ruling.Category)},
			Description: found.Description, BoxBefore: BoxOf(found.BeforeBox), BoxAfter: BoxOf(found.AfterBox()),
			Regions: append([]int{}, found.Regions...), Weight: found.Weight(), Ruled: vcd.Category(found.Ruling.Category),
			Judge: vcd.JudgeRules, Reason: found.Ruling.Reason, Confidence: found.Ruling.Confidence, Certain: found.Ruling.Certain,
		}
		was, is := found.Sides()
		f.Before, f.After = before.Identify(was), after.Identify(is)
		f.Fingerprint = vcd.FingerprintOf(&f.FoundChange, found.Before, found.After, found.Shape)
		out[i] = f
	}
	return out
}

// BoxOf is a box of a picture, nil for an empty one.
func BoxOf(r image.Rectangle) *page.Box {
	if r.Empty() {
		return nil
	}
	box := page.BoxOf(r)
	return &box
}
