package vcd

import (
	"context"
	"time"

	"afterimage/internal/page"
)

// Limits of feedback rules.
const (
	maxFeedbackRules = 1000 // of an account: a verification looks at all of them
	maxConsoleEntry  = 500
	maxConsoleSource = maxAddressLength
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

// RuleReach is the scope that a client asks for. Whether the wider one is a group or a website is for the service to tell.
type RuleReach string

// What can be asked for.
const (
	ReachURL            RuleReach = "url"
	ReachGroupOrWebsite RuleReach = "group_or_website"
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

// FeedbackRuleChange holds what can be changed about a feedback rule.
type FeedbackRuleChange struct {
	IsActive Optional[bool]
	Reach    Optional[RuleReach]
}

// UpdateFeedbackRule changes the given fields and leaves the others.
func (s *Service) UpdateFeedbackRule(ctx context.Context, actor Actor, id ID, in FeedbackRuleChange) (*FeedbackRule, error) {
	if reach := in.Reach.Value; reach != nil {
		v := &validation{}
		oneOf(v, "scope", *reach, ReachURL, ReachGroupOrWebsite)
		if err := v.err(); err != nil {
			return nil, err
		}
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*FeedbackRule, error) {
		r, err := lockWithScope(ctx, tx, id, in.Reach.Value)
		if err != nil {
			return nil, err
		}
		assign(&r.IsActive, in.IsActive)
		r.UpdatedAt = s.Clock.Now()
		if err := tx.UpdateFeedbackRule(ctx, r); err != nil {
			return nil, err
		}
		if err := tx.AppendEvents(ctx, s.event(EventFeedbackRuleUpdated, SubjectFeedbackRule, id)); err != nil {
			return nil, err
		}
		return tx.FeedbackRule(ctx, id)
	})
}

// lockWithScope locks a rule and gives it the scope that is asked for, if any. The website is locked before the rule, as by
// who deletes the website.
func lockWithScope(ctx context.Context, tx Tx, id ID, reach *RuleReach) (*FeedbackRule, error) {
	if reach == nil {
		return tx.LockFeedbackRule(ctx, id)
	}
	known, err := tx.FeedbackRule(ctx, id)
	if err != nil {
		return nil, err
	}
	scope, website, err := settleScope(ctx, tx, *reach, known.GroupID)
	if err != nil {
		return nil, err
	}
	r, err := tx.LockFeedbackRule(ctx, id)
	if err != nil {
		return nil, err
	}
	r.Scope, r.WebsiteID = scope, website
	return r, nil
}

// settleScope tells the scope that is meant, with the website where it is that. The website cannot be deleted before the
// transaction ends.
func settleScope(ctx context.Context, tx Tx, reach RuleReach, group ID) (RuleScope, *ID, error) {
	if reach == ReachURL {
		return ScopeURL, nil, nil
	}
	websites, err := tx.WebsitesOfGroups(ctx, []ID{group})
	if err != nil {
		return "", nil, err
	}
	if websites[group] == nil {
		return ScopeGroup, nil, nil
	}
	w, err := orGone(tx.LockWebsite(ctx, websites[group].ID))
	if err != nil || w == nil {
		return ScopeGroup, nil, err
	}
	return ScopeWebsite, &w.ID, nil
}

// narrowFeedbackRules keeps the rules for a website that is about to be deleted: each holds for the group it was made in.
func (s *Service) narrowFeedbackRules(ctx context.Context, tx Tx, website ID) ([]*Event, error) {
	ids, err := tx.NarrowFeedbackRules(ctx, website, s.Clock.Now())
	if err != nil {
		return nil, err
	}
	events := make([]*Event, len(ids))
	for i, id := range ids {
		events[i] = s.event(EventFeedbackRuleUpdated, SubjectFeedbackRule, id)
	}
	return events, nil
}

// DeleteFeedbackRule removes a feedback rule for good.
func (s *Service) DeleteFeedbackRule(ctx context.Context, actor Actor, id ID) error {
	return s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		if err := tx.DeleteFeedbackRule(ctx, id); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, s.event(EventFeedbackRuleDeleted, SubjectFeedbackRule, id))
	})
}

// FeedbackRule is one of the actor's feedback rules.
func (s *Service) FeedbackRule(ctx context.Context, actor Actor, id ID) (*FeedbackRule, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*FeedbackRule, error) { return tx.FeedbackRule(ctx, id) })
}

// FeedbackRules lists the actor's feedback rules, newest first.
func (s *Service) FeedbackRules(ctx context.Context, actor Actor, f FeedbackRuleFilter, p Page) (*List[*FeedbackRule], error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*List[*FeedbackRule], error) { return tx.FeedbackRules(ctx, f, p) })
}

// FeedbackRulesByIDs looks several feedback rules up at once; unknown ids are left out.
func (s *Service) FeedbackRulesByIDs(ctx context.Context, actor Actor, ids []ID) ([]*FeedbackRule, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) ([]*FeedbackRule, error) { return tx.FeedbackRulesByIDs(ctx, ids) })
}
