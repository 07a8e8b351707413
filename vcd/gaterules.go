package vcd

import (
	"fmt"
	"slices"
	"strings"

	"afterimage/internal/page"
)

// GateRule is the decision to which a kind of finding after an update leads.
type GateRule string

// The rules. ByExtent is for script errors and failed resources: what the site itself lost on most pages rolls back, other pages ask.
const (
	GateRollBack GateRule = "roll_back"
	GateAsk      GateRule = "ask"
	GateIgnore   GateRule = "ignore"
	GateByExtent GateRule = "by_extent"
)

// GateRules are a group's own rules for the verdict on updates.
type GateRules struct {
	Alert           GateRule `json:"alert"`            // changes of CategoryAlert, and pages that are lost, blank or to be fixed
	NotSure         GateRule `json:"not_sure"`         // changes of CategoryNotSure, and those that were not judged
	ScriptErrors    GateRule `json:"script_errors"`    // new ones that nobody caught
	FailedResources GateRule `json:"failed_resources"` // scripts and style sheets that fail to load, and mixed content
	MissingPages    GateRule `json:"missing_pages"`    // pages that the site no longer serves
	// MustBeFine are the pages on which ask becomes roll_back, in lower case: a part of a path ("checkout"), a path
	// ("/shop/*") or a URL without scheme. A star stands for any characters.
	MustBeFine []string `json:"must_be_fine"`
}

// DefaultGateRules are the rules of a group that has none of its own.
func DefaultGateRules() GateRules {
	return GateRules{Alert: GateRollBack, NotSure: GateAsk, ScriptErrors: GateByExtent, FailedResources: GateByExtent,
		MissingPages: GateRollBack, MustBeFine: []string{
			"shop", "cart", "basket", "checkout", "account", "my-account", "contact", "contact-us",
			"warenkorb", "kasse", "konto", "mein-konto", "kontakt",
		}}
}

// Limits of a group's rules for the verdict on updates.
const (
	maxMustBeFine       = 50
	maxMustBeFineLength = 200 // characters
	maxMustBeFineStars  = 5
)

var plainGateRules = []GateRule{GateRollBack, GateAsk, GateIgnore}

// Check records what is wrong with the rules of a field.
func (r *GateRules) Check(v *Validation, path string) {
	for field, rule := range map[string]GateRule{"alert": r.Alert, "notSure": r.NotSure, "missingPages": r.MissingPages} {
		v.Check(slices.Contains(plainGateRules, rule), path+"."+field, "in",
			"The selected {field} is invalid: give roll_back, ask or ignore.")
	}
	for field, rule := range map[string]GateRule{"scriptErrors": r.ScriptErrors, "failedResources": r.FailedResources} {
		v.Check(rule == GateByExtent || slices.Contains(plainGateRules, rule), path+"."+field, "in",
			"The selected {field} is invalid: give by_extent, roll_back, ask or ignore.")
	}
	field := path + ".mustBeFine"
	v.Check(len(r.MustBeFine) <= maxMustBeFine, field, "max",
		fmt.Sprintf("The {field} field must not have more than %d items.", maxMustBeFine))
	for i, page := range r.MustBeFine[:min(len(r.MustBeFine), maxMustBeFine)] {
		at := Indexed(field, i)
		v.Required(at, page, maxMustBeFineLength)
		v.Check(strings.Count(page, "*") <= maxMustBeFineStars, at, "max",
			fmt.Sprintf("The {field} field must not have more than %d asterisks (*).", maxMustBeFineStars))
		v.Check(!strings.ContainsFunc(strings.TrimSpace(page), func(c rune) bool { return c == ' ' || Hidden(c) }), at, "format",
			"The {field} field must be a part of a path such as checkout, a path such as /shop/*, or a URL.")
	}
}

// Tidy spells the pages that must be fine as addresses are compared.
func (r GateRules) Tidy() GateRules {
	pages := make([]string, len(r.MustBeFine))
	for i, page := range r.MustBeFine {
		page = strings.ToLower(strings.TrimSpace(page))
		if _, address, ok := strings.Cut(page, "://"); ok {
			page = address
		}
		pages[i] = page
	}
	r.MustBeFine = pages
	return r
}

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
