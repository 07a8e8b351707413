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

// changesOf lists what a comparison shows, each change once: what decided about its regions.
func (s *Service) changesOf(c *Comparison) []*ShownChange {
	if c.Verification == nil {
		return nil
	}
	var list []*ShownChange
	known := map[string]*ShownChange{}
	for _, f := range c.Verification.Judged() {
		if len(f.Changes) == 0 {
			continue
		}
		change := f.Changes[0]
		shown := known[change.Fingerprint]
		if shown == nil {
			shown = &ShownChange{
				ID: s.IDs.NewID(), Fingerprint: change.Fingerprint, Kind: change.Kind, Description: f.Description, Category: f.Category,
				Ruled: f.Ruled, Element: change.selector(),
			}
			known[change.Fingerprint] = shown
			list = append(list, shown)
		}
		shown.Category, shown.Ruled = shown.Category.worse(f.Category), shown.Ruled.worse(f.Ruled)
		if f.RuleID != nil {
			shown.RuleID = f.RuleID
		}
	}
	return list
}

// selector leads to the element that the change happened to; empty where none is known.
func (c *FoundChange) selector() string {
	switch {
	case c.After != nil:
		return c.After.Selector
	case c.Before != nil:
		return c.Before.Selector
	}
	return ""
}

// ChangesOfBatches lists the changes of several batches: what is the same on several pages and devices is one. A batch
// without any has an empty list.
func (s *Service) ChangesOfBatches(
	ctx context.Context, actor Actor, batches []ID, f ChangeFilter, p Page,
) (map[ID]*List[*BatchChange], error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (map[ID]*List[*BatchChange], error) {
		return tx.ChangesOfBatches(ctx, batches, f, p)
	})
}
