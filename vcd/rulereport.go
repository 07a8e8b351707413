package vcd

import (
	"context"
	"fmt"
	"time"
)

// What makes a rule stale, or over-broad.
const (
	staleDays       = 30
	broadElements   = 5 // different elements in the last 30 days
	broadAlertPages = 3 // pages on which it passed over what the rules call an alert
)

// RuleProblemKind is what is wrong with a feedback rule.
type RuleProblemKind string

// The kinds.
const (
	RuleStale     RuleProblemKind = "stale"
	RuleOverBroad RuleProblemKind = "over_broad"
)

// RuleProblem is a rule that somebody should look at.
type RuleProblem struct {
	Rule   *FeedbackRule
	Kind   RuleProblemKind
	Reason string
}

// RuleUse is what a rule has passed over lately.
type RuleUse struct {
	Elements   int // different ones
	AlertPages int // pages on which it passed over what the rules call an alert
}

// RuleUseStore tells what feedback rules pass over.
type RuleUseStore interface {
	RuleUses(ctx context.Context, since time.Time) (map[ID]RuleUse, error)
}

// FeedbackRuleProblems lists the active rules that have matched nothing for 30 days, and those that pass over more than one
// change can explain.
func (s *Service) FeedbackRuleProblems(ctx context.Context, actor Actor) ([]RuleProblem, error) {
	since := s.Clock.Now().AddDate(0, 0, -staleDays)
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) ([]RuleProblem, error) {
		rules, err := tx.AllFeedbackRules(ctx)
		if err != nil {
			return nil, err
		}
		uses, err := tx.RuleUses(ctx, since)
		if err != nil {
			return nil, err
		}
		problems := []RuleProblem{}
		for _, r := range rules {
			if kind, reason := r.problem(uses[r.ID], since); kind != "" && r.IsActive {
				problems = append(problems, RuleProblem{Rule: r, Kind: kind, Reason: reason})
			}
		}
		return problems, nil
	})
}

func (r *FeedbackRule) problem(use RuleUse, since time.Time) (RuleProblemKind, string) {
	switch {
	case use.Elements > broadElements:
		return RuleOverBroad, fmt.Sprintf("In the last %d days it passed over changes of %d different elements.", staleDays, use.Elements)
	case use.AlertPages > broadAlertPages:
		return RuleOverBroad, fmt.Sprintf("In the last %d days it passed over what would be an alert on %d pages.", staleDays, use.AlertPages)
	case r.CreatedAt.Before(since) && r.LastMatchedAt == nil:
		return RuleStale, "It has never matched."
	case r.CreatedAt.Before(since) && r.LastMatchedAt.Before(since):
		return RuleStale, fmt.Sprintf("It has matched nothing for %d days.", staleDays)
	}
	return "", ""
}
