package vcd

import (
	"fmt"
	"math"
	"time"
)

// Limits of filters.
const (
	maxFilterIDs  = 1000
	maxFilterText = 200
	maxChanges    = 100
)

// ComparisonFilter filters a list of comparisons; nil fields match everything.
type ComparisonFilter struct {
	IDs            *[]ID
	Token          *string
	AboveThreshold *bool
	From, To       *time.Time // created at or after From, before To
	Statuses       *[]ComparisonStatus
	GroupIDs       *[]ID
	BatchIDs       *[]ID
	URLIDs         *[]ID
	WebsiteIDs     *[]ID // that its group belongs to
	Devices        *[]Device
	Sources        *[]BatchSource
	Changes        *[]string // fingerprints; comparisons that show one of these changes
	// OnlyThese leaves out comparisons that show any other change that is not harmless.
	OnlyThese     bool
	Text          *string  // part of its URL's address or title, or of the description of a change that it shows
	LeastPercent  *float64 // of the plain difference
	MostPercent   *float64
	Categories    *[]Category // of its gravest verdict
	Verifications *[]VerificationStatus
	ConsoleChange *[]ConsoleChange
	Confirmations *[]ChangeConfirmation
	PageAlarm     *bool
	Flapping      *bool
	Truncated     *bool
	ReviewerIDs   *[]ID           // tokens or users, of its latest review
	Shown         bool            // leaves out comparisons whose group or URL is deleted
	Order         ComparisonOrder // all but OrderCreatedAt are for numbered pages only
	Ascending     bool
}

// Narrows reports whether the filter excludes anything.
func (f ComparisonFilter) Narrows() bool {
	f.Order, f.Ascending, f.OnlyThese, f.Shown = "", false, false, false
	return f != ComparisonFilter{}
}

// Measured reports whether the filter has a condition on something that is kept with single comparisons only.
func (f ComparisonFilter) Measured() bool {
	return f.Text != nil || f.LeastPercent != nil || f.MostPercent != nil || f.Verifications != nil || f.Confirmations != nil ||
		f.PageAlarm != nil || f.Flapping != nil || f.Truncated != nil || f.ReviewerIDs != nil
}

// Validate checks the bounds of the filter. Lists of ids may be empty, and then match nothing.
func (f ComparisonFilter) Validate() error {
	v := &Validation{}
	few(v, "filter.ids", f.IDs, maxFilterIDs)
	few(v, "filter.groupIds", f.GroupIDs, maxFilterIDs)
	few(v, "filter.batchIds", f.BatchIDs, maxFilterIDs)
	few(v, "filter.urlIds", f.URLIDs, maxFilterIDs)
	few(v, "filter.websiteIds", f.WebsiteIDs, maxFilterIDs)
	few(v, "filter.changes", f.Changes, maxChanges)
	some(v, "filter.reviewerIds", f.ReviewerIDs, maxFilterIDs)
	some(v, "filter.devices", f.Devices, maxFilterIDs)
	some(v, "filter.categories", f.Categories, maxFilterIDs)
	some(v, "filter.verificationStatuses", f.Verifications, maxFilterIDs)
	some(v, "filter.consoleChanges", f.ConsoleChange, maxFilterIDs)
	some(v, "filter.confirmations", f.Confirmations, maxFilterIDs)
	if f.Text != nil {
		v.Required("filter.text", *f.Text, maxFilterText)
	}
	percent(v, "filter.minPercent", f.LeastPercent)
	percent(v, "filter.maxPercent", f.MostPercent)
	if f.LeastPercent != nil && f.MostPercent != nil {
		v.Check(*f.LeastPercent <= *f.MostPercent, "filter.maxPercent", "gte", "The {field} field must not be less than minPercent.")
	}
	return v.Err()
}

func percent(v *Validation, path string, n *float64) {
	v.Check(n == nil || *n >= 0 && *n <= 100 && !math.IsNaN(*n), path, "between", "The {field} field must be between 0 and 100.")
}

// few checks that a list of a filter is not too long.
func few[T any](v *Validation, path string, list *[]T, limit int) {
	v.Check(list == nil || len(*list) <= limit, path, "max", fmt.Sprintf("The {field} field must not have more than %d items.", limit))
}

// some checks that a list of a filter, if given, is neither empty nor too long.
func some[T any](v *Validation, path string, list *[]T, limit int) {
	v.Check(list == nil || len(*list) > 0, path, "min", "The {field} field must have at least one item; omit it to match everything.")
	few(v, path, list, limit)
}

// Facet is a number of comparisons with a value.
type Facet[T any] struct {
	Value T
	Count int
}

// ComparisonFacets count the comparisons of a filtered list by several criteria, most frequent first. Without a value are
// comparisons that nothing was judged in (CategoryNone), and those whose group belongs to no website ("").
type ComparisonFacets struct {
	Total      int
	Statuses   []Facet[ComparisonStatus]
	Devices    []Facet[Device]
	Categories []Facet[Category]
	Groups     []Facet[ID]
	Websites   []Facet[ID]
}

// CategoryNone stands for a comparison without verdicts.
const CategoryNone Category = "none"

// Replay decides a stored comparison again.
func (c *Comparison) Replay(threshold float64, rules []*FeedbackRule) bool {
	v := c.Verification
	dismissed := c.Flapping && !c.Alarmed && c.AboveThreshold() && (v == nil || v.Status == VerificationSkipped)
	if dismissed || c.Confirmation == ChangeVanished {
		return false
	}
	again := *c
	again.Threshold = threshold
	if v != nil && v.Issue == "" {
		anew := *v
		anew.Status, anew.Findings = VerificationVerified, PassOver(&again, withoutRules(v.Findings), rules)
		again.Verification = &anew
	}
	return again.Decide() == ComparisonNew
}

// withoutRules returns the findings as they were before feedback rules.
func withoutRules(findings []Finding) []Finding {
	out := make([]Finding, len(findings))
	for i, f := range findings {
		f.Category, f.RuleID = f.Ruled, nil
		out[i] = f
	}
	return out
}
