package vcd

import "slices"

// OpenReason is why a comparison stays open although one of its changes was accepted.
type OpenReason string

// The reasons.
const (
	OpenOtherChanges OpenReason = "other_changes" // it shows changes that were not accepted and are not harmless
	OpenUnlisted     OpenReason = "unlisted"      // it shows more changes than are listed
	OpenUnexplained  OpenReason = "unexplained"   // some of its changed pixels have no known cause, or were not examined
	OpenPageAlarm    OpenReason = "page_alarm"    // it has a serious change beside its pixels
	OpenConsole      OpenReason = "console"       // its browser console needs attention
	OpenTruncated    OpenReason = "truncated"     // a part of the page was not compared
)

// OtherChanges are the changes of a comparison that were not accepted.
type OtherChanges struct {
	Count        int
	Descriptions []string // of some of them, at most MaxOtherChanges
}

// MaxOtherChanges is how many changes that were not accepted are described.
const MaxOtherChanges = 5

// StaysOpen lists why accepting some changes does not accept the comparison; empty when all that it shows is accepted or
// harmless.
func (c *Comparison) StaysOpen(others OtherChanges) []OpenReason {
	var reasons []OpenReason
	because := func(holds bool, reason OpenReason) {
		if holds {
			reasons = append(reasons, reason)
		}
	}
	v := c.Verification
	because(others.Count > 0, OpenOtherChanges)
	because(v != nil && v.Unlisted.Count+v.LeftOut > 0, OpenUnlisted)
	// An uploaded page has no elements that could explain anything: its changed pixels are all there is, and they are listed.
	because(v == nil || !v.Explained && !c.Uploaded && v.Unlisted.Count+v.LeftOut == 0 && !c.Truncated, OpenUnexplained)
	because(c.PageAlarm, OpenPageAlarm)
	because(v != nil && v.Console != nil && v.Console.Category != CategoryAllGood, OpenConsole)
	because(c.Truncated, OpenTruncated)
	return reasons
}

// Unseen lists why accepting a comparison together with others does not accept it: what it shows is not known completely, or
// is more than its pixels. Its changes are no reason: whoever accepts a whole batch accepts what is listed. Without
// verification nothing is listed, and nobody can expect more than pictures.
func (c *Comparison) Unseen() []OpenReason {
	if c.Status.Accepts() {
		return nil
	}
	reasons := c.StaysOpen(OtherChanges{})
	return slices.DeleteFunc(reasons, func(reason OpenReason) bool {
		return reason == OpenConsole || reason == OpenUnexplained && c.Verification == nil
	})
}

// Accepts reports whether a status says that a comparison is as it should be.
func (s ComparisonStatus) Accepts() bool { return s == ComparisonOK || s == ComparisonFalsePositive }
