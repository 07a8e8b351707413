package vcd

import (
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
