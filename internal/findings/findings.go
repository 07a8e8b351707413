// Package findings words what package verify found in the types of package vcd: with the identity of the elements, and with the
// fingerprint by which the same change is recognised on other pages. The service stores them; the command line prints them.
package findings

import (
	"image"
	"strings"

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
			Error: found.Ruling.ErrorText(),
		}
		was, is := found.Sides()
		f.Before, f.After = before.Identify(was), after.Identify(is)
		f.Fingerprint = ofElement(&f, found)
		if found.Same != "" {
			f.OfElement, f.Fingerprint = f.Fingerprint, vcd.FingerprintOfSame(found.Same)
		}
		if n := len(found.Members); n > 1 && n <= vcd.MaxMembers {
			for _, e := range found.Members {
				f.Members = append(f.Members, after.Identify(e))
			}
		}
		f.Cause, f.Consequences = causeOf(found), consequencesOf(found)
		if f.Consequences != nil {
			f.Reason = strings.TrimSpace(f.Reason + " As a result, " + f.Consequences.Words + ".")
		}
		out[i] = f
	}
	return out
}

// ofElement identifies a change by its element and what changed, and what several elements share by what changed, whichever they are.
// Feedback rules that are stored know changes by it: it must stay what it is.
func ofElement(f *vcd.Finding, found *verify.Finding) string {
	if len(found.Members) > 1 && found.Before+found.After != "" {
		return vcd.FingerprintOf(&vcd.FoundChange{Kind: f.Kind}, found.Before, found.After, "")
	}
	return vcd.FingerprintOf(&f.FoundChange, found.Before, found.After, found.Shape)
}

func causeOf(found *verify.Finding) *vcd.Cause {
	if len(found.Members) < 2 && found.Variable == "" {
		return nil
	}
	c := &vcd.Cause{Elements: max(len(found.Members), 1), Touched: found.Touched, Variable: found.Variable}
	for _, e := range found.Members {
		c.Places = append(c.Places, &e.Box)
	}
	return c
}

func consequencesOf(found *verify.Finding) *vcd.Consequences {
	c := found.Consequences
	if c.Words == "" {
		return nil
	}
	return &vcd.Consequences{Moved: c.Moved, Resized: c.Resized, Words: c.Words}
}

// BoxOf is a box of a picture, nil for an empty one.
func BoxOf(r image.Rectangle) *page.Box {
	if r.Empty() {
		return nil
	}
	box := page.BoxOf(r)
	return &box
}
