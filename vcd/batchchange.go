package vcd

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"afterimage/internal/page"
)

// BatchChange is the same change on several pages and devices of a batch.
type BatchChange struct {
	ID, Account ID
	BatchID     ID
	Fingerprint string
	Kind        ChangeKind
	Description string        // as on the page where it was first seen
	Comparisons int           // that show it
	Desktop     int           // of these
	Verdicts    VerdictCounts // on it, counting the worst of each comparison
	CreatedAt   time.Time     // when it was first seen
}

// Category is the worst verdict on the change.
func (c *BatchChange) Category() Category {
	switch {
	case c.Verdicts.Alerts > 0:
		return CategoryAlert
	case c.Verdicts.NotSure > 0:
		return CategoryNotSure
	}
	return CategoryAllGood
}

// Mobile is how many of the comparisons are of a page's mobile layout.
func (c *BatchChange) Mobile() int { return c.Comparisons - c.Desktop }

// ChangeStanding is what has become of a batch's change.
type ChangeStanding struct {
	Open    int // comparisons that show it and are new
	Example ID  // a comparison that shows it: a new one if there is any, and one where the verdict is worst
}

// ChangeOrder is the sort order of a batch's changes.
type ChangeOrder string

// The orders.
const (
	OrderFirstSeen   ChangeOrder = "first_seen"
	OrderComparisons ChangeOrder = "comparisons"
)

// ChangeFilter filters a list of changes; nil fields match everything.
type ChangeFilter struct {
	Categories *[]Category // the worst verdict
	Kinds      *[]ChangeKind
	Order      ChangeOrder // OrderComparisons is for numbered pages only
	Ascending  bool
}

// ShownChange is one change as a comparison shows it.
type ShownChange struct {
	ID          ID // of the batch's change if this is the first comparison to show it
	Fingerprint string
	Kind        ChangeKind
	Description string
	Category    Category // the worst of its regions
	Ruled       Category // the same without feedback rules
	Element     string   // selector of the changed element; empty when unknown
	RuleID      *ID      // a feedback rule that ignored one of the regions
}

// Selector is the CSS selector of the changed element; empty when unknown.
func (c *FoundChange) Selector() string {
	switch {
	case c.After != nil:
		return c.After.Selector
	case c.Before != nil:
		return c.Before.Selector
	}
	return ""
}

// ofElement identifies the change together with its element.
func (c *FoundChange) ofElement() string { return cmp.Or(c.OfElement, c.Fingerprint) }

// ChangeVerdict is what somebody decided about a change wherever it occurs in a batch. It holds until somebody decides otherwise
// or undoes the review that it is part of.
type ChangeVerdict struct {
	Account, Batch ID
	Fingerprint    string
	Status         ComparisonStatus
	Review         ID
	Reviewer       Person // of the review
	CreatedAt      time.Time
}

// fingerprintSteps is how many trailing steps of an element's path count: steps further up differ from page to page.
const fingerprintSteps = 4

// placed are the kinds of change whose details are positions or sizes, which differ by page and device.
var placed = map[ChangeKind]bool{"moved": true, "resized": true, "shifted": true, "reordered": true}

// seen are the kinds of change of which only the pixels are known.
var seen = map[ChangeKind]bool{"repainted": true, "unexplained": true, "blank": true, "loading": true}

// FingerprintOf identifies a change by what happened to which element, so that it is the same on every page and device that
// shares the element. It covers the kind of change, the end of the element's path without numbers, the element's text or
// content before and after, and the details as far as they are known; of what moved or was resized, by how much. A change that is
// known by its pixels only, or shows another picture of the same address, also has the shape of the changed pixels: who accepts
// one accepts no other.
func FingerprintOf(c *FoundChange, before, after, shape string) string {
	parts := []string{string(c.Kind)}
	e := c.After
	if e == nil {
		e = c.Before
	}
	if e != nil {
		parts = append(parts, e.Tag, e.Role, e.PathEnd(fingerprintSteps))
	}
	details := []string{page.WithoutQuery(before), page.WithoutQuery(after)}
	if e != nil && (before == "" && after == "" || placed[c.Kind]) {
		details = []string{e.Text, page.WithoutQuery(e.Source), e.Context}
	}
	if c.Before != nil && c.After != nil {
		switch was, is := c.Before.Box, c.After.Box; c.Kind {
		case "moved":
			details = append(details, fmt.Sprint(is.X-was.X, is.Y-was.Y))
		case "resized":
			details = append(details, fmt.Sprint(is.Width-was.Width, is.Height-was.Height))
		}
	}
	if strings.Join(details, "") == "" || seen[c.Kind] || c.Kind == "image_replaced" && details[0] == details[1] {
		details = append(details, shape)
	}
	return hashOf(append(parts, details...)...)
}

// FingerprintOfSame identifies a change of which it is known what makes it the same on every page and device, whatever element of a
// page it is of.
func FingerprintOfSame(same string) string { return hashOf("same", same) }

func hashOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// OpenReason is why a comparison remains open although one of its changes was accepted.
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
