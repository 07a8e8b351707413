package vcd

import (
	"context"
	"time"

	"afterimage/internal/page"
)

// Limits of feedback rules.
const (
	MaxConsoleEntry = 500
)

// RuleType is what a feedback rule passes over.
type RuleType string

// The types of feedback rules.
const (
	RuleVisual  RuleType = "visual"  // a changed region
	RuleConsole RuleType = "console" // an entry of the browser console
)

// RuleScope is how far a feedback rule reaches.
type RuleScope string

// The scopes.
const (
	ScopeURL     RuleScope = "url"
	ScopeGroup   RuleScope = "group"
	ScopeWebsite RuleScope = "website"
)

// FeedbackRule teaches verification to pass over a change that comes again and again. It is made out of a comparison that
// shows the change once.
type FeedbackRule struct {
	ID, Account   ID
	Type          RuleType
	Scope         RuleScope
	URLID         ID  // of the comparison, like GroupID; the scope tells which of them the rule holds for
	GroupID       ID  // a rule outlives both, and matches nothing when the one it holds for is deleted
	ComparisonID  *ID // nil when nothing is left of it
	Device        Device
	Description   string
	Region        *RuleRegion // of a visual rule
	ConsoleEntry  string      // of a console rule
	ConsoleSource *string     // of a console rule that wants the entry from there only
	IsActive      bool
	MatchCount    int
	LastMatchedAt *time.Time
	CreatedAt     time.Time
	UpdatedAt     time.Time
	// WebsiteID is the website that the rule holds for; of a narrower rule the one that its group belongs to now, filled in
	// by reads, like all below.
	WebsiteID   *ID
	URLAddress  string
	GroupName   string
	WebsiteName *string // its domain
}

// RuleRegion is the changed region that a visual rule was made out of: what a later one is held against.
type RuleRegion struct {
	Box         page.Box // in the picture after
	Fingerprint string   // of the shape of the changed pixels
	Element     *RuleElement
	// Changes are what was found to have happened in it; empty for rules made out of comparisons that were not verified.
	Changes  []FoundChange
	Category Category // the verdict on it without the rule; with Changes only
}

// RuleElement is the smallest element of the page that covered the region: it is where the region is looked for when the
// page has moved.
type RuleElement struct {
	Selector, Role, Text string
}

// FeedbackRuleFilter narrows a list of feedback rules; nil fields do not narrow.
type FeedbackRuleFilter struct {
	Types      *[]RuleType
	Scopes     *[]RuleScope
	IsActive   *bool
	URLIDs     *[]ID
	GroupIDs   *[]ID
	WebsiteIDs *[]ID
}

// FeedbackRuleStore keeps feedback rules.
type FeedbackRuleStore interface {
	FeedbackRule(ctx context.Context, id ID) (*FeedbackRule, error)
	LockFeedbackRule(ctx context.Context, id ID) (*FeedbackRule, error)
	FeedbackRules(ctx context.Context, f FeedbackRuleFilter, p Page) (*List[*FeedbackRule], error)
	FeedbackRulesByIDs(ctx context.Context, ids []ID) ([]*FeedbackRule, error)
	CountFeedbackRules(ctx context.Context) (int, error)
	InsertFeedbackRule(ctx context.Context, r *FeedbackRule) error
	UpdateFeedbackRule(ctx context.Context, r *FeedbackRule) error // its scope and whether it is active
	DeleteFeedbackRule(ctx context.Context, id ID) error
	// RulesOf lists the active rules that hold for a page in a group, oldest first.
	RulesOf(ctx context.Context, group, url ID) ([]*FeedbackRule, error)
	// RecordRuleMatches adds to the counts of rules how many regions of a comparison each has matched. Rules deleted
	// meanwhile are passed by. It waits for nobody who does the same.
	RecordRuleMatches(ctx context.Context, comparison ID, regions map[ID]int, now time.Time) error
	// NarrowFeedbackRules makes rules for their groups out of the rules for a website and returns their ids.
	NarrowFeedbackRules(ctx context.Context, website ID, now time.Time) ([]ID, error)
}

// RuleMatchStore adds up what feedback rules have matched.
type RuleMatchStore interface {
	// CountRuleMatches moves up to limit matches into the counts of their rules and returns how many it moved. Lists show
	// the same before and after.
	CountRuleMatches(ctx context.Context, limit int) (int, error)
}
