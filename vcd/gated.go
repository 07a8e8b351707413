package vcd

import (
	"context"

	"afterimage/internal/page"
)

// Suspect is a comparison that may speak against an update. Of the comparison it has what is weighed: of the console new errors and mixed
// content, of each finding only the category and the kind of error.
type Suspect struct {
	*Comparison
	Wall   *page.Wall           // what the page shows instead of its content since; nil for nothing
	Failed []page.FailedRequest // scripts and style sheets that did not load
	Gone   []AssetChange        // scripts and style sheets that were loaded before, and not since
}

// UncomparedPage is a page on a device that was to be compared and was not.
type UncomparedPage struct {
	GroupID ID
	Address string
	Reason  string     // why its screenshot failed, one word of a closed list; "" if it did not
	Seen    bool       // there was, or was to be, an earlier screenshot
	Failed  string     // why the comparison failed; "" if it did not, or was never to be made
	Wall    *page.Wall // what the page shows instead of its content; nil for nothing
}

// GateStore reads what may speak against an update, of a batch that has finished.
type GateStore interface {
	// Suspects reads up to most comparisons that are open or to be fixed, or that nobody judged although their page answers with an
	// error, is hidden from search engines, leads to another host, has another theme or language, or has script errors, mixed content, or
	// scripts and style sheets that fail to load, which it did not have: the gravest first.
	Suspects(ctx context.Context, batch ID, most int) ([]*Suspect, error)
	// UncomparedPages reads up to most pages, without those that left their group meanwhile.
	UncomparedPages(ctx context.Context, batch ID, most int) ([]*UncomparedPage, error)
	// GateRules reads the rules of those groups that have their own, also of deleted ones.
	GateRules(ctx context.Context, groups []ID) (map[ID]GateRules, error)
	// ComparedPages counts the pages of which there are comparisons, on whatever devices.
	ComparedPages(ctx context.Context, batch ID) (int, error)
}
