package review

import (
	"context"
	"time"

	"afterimage/vcd"
)

// Limits of feedback rules.
const (
	maxFeedbackRules = 1000 // per account: a verification checks all of them
	maxConsoleSource = vcd.MaxAddressLength
)

// RuleReach is the scope that a client requests. The service decides whether the wider one is a group or a website.
type RuleReach string

// The values of RuleReach.
const (
	ReachURL            RuleReach = "url"
	ReachGroupOrWebsite RuleReach = "group_or_website"
)

// FeedbackRuleChange holds the changeable fields of a feedback rule.
type FeedbackRuleChange struct {
	IsActive vcd.Optional[bool]
	Reach    vcd.Optional[RuleReach]
}

// UpdateFeedbackRule changes the given fields only.
func (s *Service) UpdateFeedbackRule(ctx context.Context, actor vcd.Actor, id vcd.ID, in FeedbackRuleChange) (*vcd.FeedbackRule, error) {
	if reach := in.Reach.Value; reach != nil {
		v := &vcd.Validation{}
		vcd.OneOf(v, "scope", *reach, ReachURL, ReachGroupOrWebsite)
		if err := v.Err(); err != nil {
			return nil, err
		}
	}
	return vcd.Write(ctx, s.store.Rules(), actor, func(ctx context.Context, tx RuleTx) (*vcd.FeedbackRule, error) {
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

// lockWithScope locks a rule and sets the requested scope, if any. It locks the website before the rule, as deleting the
// website does.
func lockWithScope(ctx context.Context, tx RuleTx, id vcd.ID, reach *RuleReach) (*vcd.FeedbackRule, error) {
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

// settleScope returns the effective scope and, if that is a website, the website, which then cannot be deleted before the
// transaction ends.
func settleScope(ctx context.Context, tx RuleTx, reach RuleReach, group vcd.ID) (vcd.RuleScope, *vcd.ID, error) {
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

// RuleNarrower is what NarrowFeedbackRules needs of a transaction.
type RuleNarrower interface {
	NarrowFeedbackRules(ctx context.Context, website vcd.ID, now time.Time) ([]vcd.ID, error)
}

// NarrowFeedbackRules keeps the rules of a website that is about to be deleted: each then applies to the group it was created
// in.
func (s *Service) NarrowFeedbackRules(ctx context.Context, tx RuleNarrower, website vcd.ID) ([]*vcd.Event, error) {
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

// DeleteFeedbackRule removes a feedback rule permanently.
func (s *Service) DeleteFeedbackRule(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.Rules().InTx(ctx, actor, func(ctx context.Context, tx RuleTx) error {
		if err := tx.DeleteFeedbackRule(ctx, id); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventFeedbackRuleDeleted, vcd.SubjectFeedbackRule, id))
	})
}

// FeedbackRule is one of the actor's feedback rules.
func (s *Service) FeedbackRule(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.FeedbackRule, error) {
	return vcd.Read(ctx, s.store.Rules(), actor, func(ctx context.Context, tx RuleTx) (*vcd.FeedbackRule,
		error) {
		return tx.FeedbackRule(ctx, id)
	})
}

// FeedbackRules lists the actor's feedback rules, newest first.
func (s *Service) FeedbackRules(
	ctx context.Context, actor vcd.Actor, f vcd.FeedbackRuleFilter, p vcd.Page,
) (*vcd.List[*vcd.FeedbackRule], error) {
	return vcd.Read(ctx, s.store.Rules(), actor, func(ctx context.Context, tx RuleTx) (*vcd.List[*vcd.FeedbackRule], error) {
		return tx.FeedbackRules(ctx, f, p)
	})
}

// FeedbackRulesByIDs looks several feedback rules up at once; unknown ids are left out.
func (s *Service) FeedbackRulesByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.FeedbackRule, error) {
	return vcd.Read(ctx, s.store.Rules(), actor, func(ctx context.Context, tx RuleTx) ([]*vcd.FeedbackRule, error) {
		return tx.FeedbackRulesByIDs(ctx, ids)
	})
}
