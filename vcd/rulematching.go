package vcd

import "afterimage/internal/page"

// PassOver applies feedback rules to the regions that they match. It does not modify the given findings.
func PassOver(c *Comparison, findings []Finding, rules []*FeedbackRule) []Finding {
	judged := make([]Finding, len(findings))
	copy(judged, findings)
	for i := range judged {
		f := &judged[i]
		for _, r := range rules {
			if r.matchesRegion(c, f) {
				f.Category, f.Judge, f.RuleID = CategoryAllGood, JudgeFeedback, &r.ID
				f.Reason, f.Confidence = "The feedback rule “"+r.Description+"” silences it.", 1
				break
			}
		}
	}
	return judged
}

// matchesRegion reports whether the relevant changes in a region are all covered by the rule: the same kind of change of the
// same element, wherever it is now, or the identical change of an element of the same kind. A rule created from a harmless
// change does not pass over an alert. The caller checks whether the rule is active and applies to the page.
func (r *FeedbackRule) matchesRegion(c *Comparison, f *Finding) bool {
	if r.Type != RuleVisual || r.Region == nil {
		return false
	}
	region := regionOfFinding(c, f)
	if len(r.Region.Changes) == 0 {
		return r.matchesByPlace(c, f, region)
	}
	if f.Ruled == CategoryAlert && r.Region.Category != CategoryAlert {
		return false
	}
	sameDevice := r.Device == c.Device
	own := 0
	for i := range f.Changes {
		change := &f.Changes[i]
		if i > 0 && change.Category == CategoryAllGood {
			continue
		}
		if !r.knows(change, sameDevice) {
			return false
		}
		own++
	}
	return own > 0
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
// horizontal position.
func (r *FeedbackRule) matchesByPlace(c *Comparison, f *Finding, region *ChangedRegion) bool {
	return region != nil && f.Ruled != CategoryAlert && r.Device == c.Device && r.Region.Fingerprint == region.Fingerprint &&
		page.SameColumn(r.Region.Box, region.Box())
}

func regionOfFinding(c *Comparison, f *Finding) *ChangedRegion {
	for i := range c.Difference.Regions {
		if c.Difference.Regions[i].ID == f.RegionID {
			return &c.Difference.Regions[i]
		}
	}
	return nil
}
