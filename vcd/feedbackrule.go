package vcd

import (
	"fmt"
	"slices"
	"time"

	"afterimage/internal/page"
)

// Limits of feedback rules.
const (
	MaxConsoleEntry = 500
)

// RuleType is what a feedback rule ignores.
type RuleType string

// The types of feedback rules.
const (
	RuleVisual  RuleType = "visual"  // a changed region
	RuleConsole RuleType = "console" // an entry of the browser console
)

// RuleScope is where a feedback rule applies.
type RuleScope string

// The scopes.
const (
	ScopeURL     RuleScope = "url"
	ScopeGroup   RuleScope = "group"
	ScopeWebsite RuleScope = "website"
)

// FeedbackRule teaches verification to ignore a recurring change. It is created from a comparison that shows the change.
type FeedbackRule struct {
	ID, Account   ID
	Type          RuleType
	Scope         RuleScope
	URLID         ID  // of the comparison, like GroupID; the scope says which of them the rule applies to
	GroupID       ID  // a rule outlives both, but matches nothing once the one it applies to is deleted
	ComparisonID  *ID // nil once the comparison is gone
	Device        Device
	Description   string
	Region        *RuleRegion // of a visual rule
	ConsoleEntry  string      // of a console rule
	ConsoleSource *string     // of a console rule that only matches entries from this source
	IsActive      bool
	MatchCount    int
	LastMatchedAt *time.Time
	CreatedAt     time.Time
	UpdatedAt     time.Time
	// WebsiteID is the website that the rule applies to; for a narrower rule, the current website of its group. Filled in by
	// reads, like all fields below.
	WebsiteID   *ID
	URLAddress  string
	GroupName   string
	WebsiteName *string // its domain
}

// RuleRegion is the changed region from which a visual rule was created and with which later regions are compared.
type RuleRegion struct {
	Box         page.Box // in the after picture
	Fingerprint string   // of the shape of the changed pixels
	Element     *RuleElement
	// Changes are the changes found in it; empty for rules created from unverified comparisons.
	Changes  []FoundChange
	Category Category // the verdict on it without the rule; only set with Changes
}

// RuleElement is the smallest element of the page that covered the region. It locates the region after the page has moved.
type RuleElement struct {
	Selector, Role, Text string
}

// FeedbackRuleFilter filters a list of feedback rules; nil fields match everything.
type FeedbackRuleFilter struct {
	Types      *[]RuleType
	Scopes     *[]RuleScope
	IsActive   *bool
	URLIDs     *[]ID
	GroupIDs   *[]ID
	WebsiteIDs *[]ID
}

// PassOver applies feedback rules to the findings that they match. It does not modify the given findings.
func PassOver(c *Comparison, findings []Finding, rules []*FeedbackRule) []Finding {
	judged := make([]Finding, len(findings))
	copy(judged, findings)
	for i := range judged {
		f := &judged[i]
		if r := ruleFor(c, f, rules); r != nil {
			f.Category, f.Judge, f.RuleID = CategoryAllGood, JudgeFeedback, &r.ID
			f.Reason, f.Confidence = "The feedback rule “"+r.Description+"” silences it.", 1
		}
	}
	return judged
}

// ruleFor is the rule that covers a finding, nil for none. What several elements share is covered, too, when rules cover it of each of
// them: the first one is named.
func ruleFor(c *Comparison, f *Finding, rules []*FeedbackRule) *FeedbackRule {
	for _, r := range rules {
		if r.matches(c, f) {
			return r
		}
	}
	var first *FeedbackRule
	for _, member := range f.Members {
		one := Finding{FoundChange: FoundChange{Kind: f.Kind, Category: f.Category, After: member}, Ruled: f.Ruled}
		i := slices.IndexFunc(rules, func(r *FeedbackRule) bool {
			return r.Region != nil && len(r.Region.Changes) > 0 && r.matches(c, &one)
		})
		if i < 0 {
			return nil
		}
		if first == nil {
			first = rules[i]
		}
	}
	return first
}

// matches reports whether a finding is covered by the rule: the same kind of change of the same element, wherever it is now,
// or the identical change of an element of the same kind. Other findings of the same region are none of its business. A rule
// created from a harmless change does not pass over an alert. The caller checks whether the rule is active and applies to the
// page.
func (r *FeedbackRule) matches(c *Comparison, f *Finding) bool {
	if r.Type != RuleVisual || r.Region == nil {
		return false
	}
	if len(r.Region.Changes) == 0 {
		return r.matchesByPlace(c, f)
	}
	if f.Ruled == CategoryAlert && r.Region.Category != CategoryAlert {
		return false
	}
	shared := f.Cause != nil && f.Cause.Elements > 1
	return r.knows(&f.FoundChange, shared, r.Device == c.Device)
}

// knows reports whether a change is one of those from which the rule was created. That the rule knows one of several elements which share
// the change says nothing of the others.
func (r *FeedbackRule) knows(change *FoundChange, shared, sameDevice bool) bool {
	for i := range r.Region.Changes {
		known := &r.Region.Changes[i]
		if id := known.ofElement(); id != "" && id == change.ofElement() {
			return true
		}
		if known.Kind != change.Kind || shared {
			continue
		}
		for _, was := range []*page.ElementIdentity{known.After, known.Before} {
			if page.SameElement(was, change.After, sameDevice) || page.SameElement(was, change.Before, sameDevice) {
				return true
			}
		}
	}
	return false
}

// matchesByPlace is for rules created before changes were identified: the pixels changed in the same shape at the same
// horizontal position, in each of the finding's regions.
func (r *FeedbackRule) matchesByPlace(c *Comparison, f *Finding) bool {
	if f.Ruled == CategoryAlert || r.Device != c.Device || len(f.Regions) == 0 {
		return false
	}
	same := 0
	for i := range c.Difference.Regions {
		region := &c.Difference.Regions[i]
		if slices.Contains(f.Regions, region.ID) && r.Region.Fingerprint == region.Fingerprint &&
			page.SameColumn(r.Region.Box, region.Box()) {
			same++
		}
	}
	return same == len(f.Regions)
}

// Thresholds for stale and over-broad rules.
const (
	StaleDays       = 30
	broadElements   = 5 // different elements in the last 30 days
	broadAlertPages = 3 // pages on which it ignored what the built-in rules rate an alert
)

// RuleProblemKind is a kind of problem with a feedback rule.
type RuleProblemKind string

// The kinds.
const (
	RuleStale     RuleProblemKind = "stale"
	RuleOverBroad RuleProblemKind = "over_broad"
)

// RuleUse is what a rule has ignored recently.
type RuleUse struct {
	Elements   int // different ones
	AlertPages int // pages on which it ignored what the built-in rules rate an alert
}

// Problem is the problem with the rule, with a sentence for its owner; empty when there is none.
func (r *FeedbackRule) Problem(use RuleUse, since time.Time) (RuleProblemKind, string) {
	switch {
	case use.Elements > broadElements:
		return RuleOverBroad, fmt.Sprintf("In the last %d days, it silenced changes of %d different elements.", StaleDays, use.Elements)
	case use.AlertPages > broadAlertPages:
		return RuleOverBroad, fmt.Sprintf("In the last %d days, it silenced changes that would have been alerts on %d pages.",
			StaleDays, use.AlertPages)
	case r.CreatedAt.Before(since) && r.LastMatchedAt == nil:
		return RuleStale, "It has never matched."
	case r.CreatedAt.Before(since) && r.LastMatchedAt.Before(since):
		return RuleStale, fmt.Sprintf("It has not matched anything for %d days.", StaleDays)
	}
	return "", ""
}
