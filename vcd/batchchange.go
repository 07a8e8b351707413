package vcd

import (
	"context"
	"time"
)

// BatchChange is the same change on several pages and devices of a batch.
type BatchChange struct {
	ID, Account ID
	BatchID     ID
	Fingerprint string
	Kind        ChangeKind
	Description string        // as on the page where it was seen first
	Comparisons int           // that show it
	Desktop     int           // of these
	Verdicts    VerdictCounts // on it; of each comparison the worst
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

// Mobile is how many of the comparisons are of the mobile form of a page.
func (c *BatchChange) Mobile() int { return c.Comparisons - c.Desktop }

// ChangeOrder is what a batch's changes are sorted by.
type ChangeOrder string

// The orders.
const (
	OrderFirstSeen   ChangeOrder = "first_seen"
	OrderComparisons ChangeOrder = "comparisons"
)

// ChangeFilter narrows a list of changes; nil fields do not narrow.
type ChangeFilter struct {
	Categories *[]Category // the worst verdict
	Kinds      *[]ChangeKind
	Order      ChangeOrder // OrderComparisons is for numbered pages only
	Ascending  bool
}

// ShownChange is one change as a comparison shows it.
type ShownChange struct {
	ID          ID // for the batch's change, should this be the first comparison that shows it
	Fingerprint string
	Kind        ChangeKind
	Description string
	Category    Category // the worst of its regions
	Ruled       Category // the same without feedback rules
	Element     string   // selector of the element that it happened to; empty where none is known
	RuleID      *ID      // a feedback rule that passed over one of them
}

// ChangeStore keeps which comparisons show which changes.
type ChangeStore interface {
	// RecordChanges notes what a comparison shows, once it is decided: it joins the changes of its batch.
	RecordChanges(ctx context.Context, c *Comparison, shown []*ShownChange) error
	// ChangesOfBatches lists the changes of each batch.
	ChangesOfBatches(ctx context.Context, batches []ID, f ChangeFilter, p Page) (map[ID]*List[*BatchChange], error)
}

// Selector leads to the element that the change happened to; empty where none is known.
func (c *FoundChange) Selector() string {
	switch {
	case c.After != nil:
		return c.After.Selector
	case c.Before != nil:
		return c.Before.Selector
	}
	return ""
}
