package vcd

import (
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
