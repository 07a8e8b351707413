package vcd

import (
	"slices"

	"afterimage/internal/page"
)

// PassOver applies feedback rules to the findings that they match. It does not modify the given findings.
func PassOver(c *Comparison, findings []Finding, rules []*FeedbackRule) []Finding {
	judged := make([]Finding, len(findings))
	copy(judged, findings)
	for i := range judged {
		f := &judged[i]
		for _, r := range rules {
			if r.matches(c, f) {
				f.Category, f.Judge, f.RuleID = CategoryAllGood, JudgeFeedback, &r.ID
				f.Reason, f.Confidence = "The feedback rule “"+r.Description+"” silences it.", 1
				break
			}
		}
	}
	return judged
}

// matches reports whether a finding is covered by the rule: the same kind of change of the same element, wherever it is now,
// or the identical change of an element of the same kind. Other findings of the same region are none of its business. A rule
// created from a harmless change does not pass over an alert. The caller checks whether the rule is active and applies to the
// page.
func (r *FeedbackRule) matches(c *Comparison, f *Finding) bool {
	if r.Type != RuleVisual || r.Region == nil {
		return false
	}
	if len(r.Region.Changes) == 0 {
		return r.matchesByPlace(c, f)
	}
	if f.Ruled == CategoryAlert && r.Region.Category != CategoryAlert {
		return false
	}
	return r.knows(&f.FoundChange, r.Device == c.Device)
}

// knows reports whether a change is one of those from which the rule was created.
func (r *FeedbackRule) knows(change *FoundChange, sameDevice bool) bool {
	for i := range r.Region.Changes {
		known := &r.Region.Changes[i]
		if known.Fingerprint == change.Fingerprint {
			return true
		}
		if known.Kind != change.Kind {
			continue
		}
		for _, was := range []*page.ElementIdentity{known.After, known.Before} {
			if page.SameElement(was, change.After, sameDevice) || page.SameElement(was, change.Before, sameDevice) {
				return true
			}
		}
	}
	return false
}

// matchesByPlace is for rules created before changes were identified: the pixels changed in the same shape at the same
// horizontal position, in each of the finding's regions.
func (r *FeedbackRule) matchesByPlace(c *Comparison, f *Finding) bool {
	if f.Ruled == CategoryAlert || r.Device != c.Device || len(f.Regions) == 0 {
		return false
	}
	same := 0
	for i := range c.Difference.Regions {
		region := &c.Difference.Regions[i]
		if slices.Contains(f.Regions, region.ID) && r.Region.Fingerprint == region.Fingerprint &&
			page.SameColumn(r.Region.Box, region.Box()) {
			same++
		}
	}
	return same == len(f.Regions)
}
