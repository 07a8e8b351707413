package vcd

import (
	"context"

	"afterimage/internal/page"
)

// Suspect is a comparison that may speak against an update. Of the comparison it has what is weighed, and of each finding only the
// category.
type Suspect struct {
	*Comparison
	Wall page.WallKind // what the page shows instead of its content since; "" for nothing
}

// UncomparedPage is a page on a device that was to be compared and was not.
type UncomparedPage struct {
	Address string
	Reason  string // why its screenshot failed, one word of a closed list; "" if it did not
	Seen    bool   // there was, or was to be, an earlier screenshot
	Failed  string // why the comparison failed; "" if it did not, or was never to be made
}

// GateStore reads what may speak against an update, of a batch that has finished.
type GateStore interface {
	// Suspects reads up to most comparisons that are open or to be fixed, or that nobody judged although their page answers with an
	// error, is hidden from search engines, or has script errors that it did not have: the gravest first.
	Suspects(ctx context.Context, batch ID, most int) ([]*Suspect, error)
	// UncomparedPages reads up to most pages, without those that left their group meanwhile.
	UncomparedPages(ctx context.Context, batch ID, most int) ([]*UncomparedPage, error)
}
