package vcd

import (
	"time"
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
