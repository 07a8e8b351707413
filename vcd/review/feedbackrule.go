package review

import (
	"context"

	"afterimage/vcd"
)

// Limits of feedback rules.
const (
	maxFeedbackRules = 1000 // of an account: a verification looks at all of them
	maxConsoleSource = vcd.MaxAddressLength
)

// RuleReach is the scope that a client asks for. Whether the wider one is a group or a website is for the service to tell.
type RuleReach string

// What can be asked for.
const (
	ReachURL            RuleReach = "url"
	ReachGroupOrWebsite RuleReach = "group_or_website"
)

// FeedbackRuleChange holds what can be changed about a feedback rule.
type FeedbackRuleChange struct {
	IsActive vcd.Optional[bool]
	Reach    vcd.Optional[RuleReach]
}

// UpdateFeedbackRule changes the given fields and leaves the others.
func (s *Service) UpdateFeedbackRule(ctx context.Context, actor vcd.Actor, id vcd.ID, in FeedbackRuleChange) (*vcd.FeedbackRule, error) {
	if reach := in.Reach.Value; reach != nil {
		v := &vcd.Validation{}
		vcd.OneOf(v, "scope", *reach, ReachURL, ReachGroupOrWebsite)
		if err := v.Err(); err != nil {
			return nil, err
		}
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) (*vcd.FeedbackRule, error) {
		r, err := lockWithScope(ctx, tx, id, in.Reach.Value)
		if err != nil {
			return nil, err
		}
		vcd.Assign(&r.IsActive, in.IsActive)
		r.UpdatedAt = s.clock.Now()
		if err := tx.UpdateFeedbackRule(ctx, r); err != nil {
			return nil, err
		}
		if err := tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventFeedbackRuleUpdated, vcd.SubjectFeedbackRule, id)); err != nil {
			return nil, err
		}
		return tx.FeedbackRule(ctx, id)
	})
}

// lockWithScope locks a rule and gives it the scope that is asked for, if any. The website is locked before the rule, as by
// who deletes the website.
func lockWithScope(ctx context.Context, tx vcd.Tx, id vcd.ID, reach *RuleReach) (*vcd.FeedbackRule, error) {
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
func settleScope(ctx context.Context, tx vcd.Tx, reach RuleReach, group vcd.ID) (vcd.RuleScope, *vcd.ID, error) {
	if reach == ReachURL {
		return vcd.ScopeURL, nil, nil
	}
	websites, err := tx.WebsitesOfGroups(ctx, []vcd.ID{group})
	if err != nil {
		return "", nil, err
	}
	if websites[group] == nil {
		return vcd.ScopeGroup, nil, nil
	}
	w, err := vcd.OrGone(tx.LockWebsite(ctx, websites[group].ID))
	if err != nil || w == nil {
		return vcd.ScopeGroup, nil, err
	}
	return vcd.ScopeWebsite, &w.ID, nil
}

// NarrowFeedbackRules keeps the rules for a website that is about to be deleted: each holds for the group it was made in.
func (s *Service) NarrowFeedbackRules(ctx context.Context, tx vcd.Tx, website vcd.ID) ([]*vcd.Event, error) {
	ids, err := tx.NarrowFeedbackRules(ctx, website, s.clock.Now())
	if err != nil {
		return nil, err
	}
	events := make([]*vcd.Event, len(ids))
	for i, id := range ids {
		events[i] = vcd.NewEvent(s.clock.Now(), vcd.EventFeedbackRuleUpdated, vcd.SubjectFeedbackRule, id)
	}
	return events, nil
}

// DeleteFeedbackRule removes a feedback rule for good.
func (s *Service) DeleteFeedbackRule(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx vcd.Tx) error {
		if err := tx.DeleteFeedbackRule(ctx, id); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventFeedbackRuleDeleted, vcd.SubjectFeedbackRule, id))
	})
}

// FeedbackRule is one of the actor's feedback rules.
func (s *Service) FeedbackRule(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.FeedbackRule, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) (*vcd.FeedbackRule,
		error) {
		return tx.FeedbackRule(ctx, id)
	})
}

// FeedbackRules lists the actor's feedback rules, newest first.
func (s *Service) FeedbackRules(
	ctx context.Context, actor vcd.Actor, f vcd.FeedbackRuleFilter, p vcd.Page,
) (*vcd.List[*vcd.FeedbackRule], error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) (*vcd.List[*vcd.FeedbackRule], error) {
		return tx.FeedbackRules(ctx, f, p)
	})
}

// FeedbackRulesByIDs looks several feedback rules up at once; unknown ids are left out.
func (s *Service) FeedbackRulesByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.FeedbackRule, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) ([]*vcd.FeedbackRule, error) {
		return tx.FeedbackRulesByIDs(ctx, ids)
	})
}
