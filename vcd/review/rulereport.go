package review

import (
	"context"

	"afterimage/vcd"
)

// RuleProblem is a rule that needs attention.
type RuleProblem struct {
	Rule   *vcd.FeedbackRule
	Kind   vcd.RuleProblemKind
	Reason string
}

// FeedbackRuleProblems lists the active rules that have matched nothing for 30 days, and those that match more than a single
// change can explain.
func (s *Service) FeedbackRuleProblems(ctx context.Context, actor vcd.Actor) ([]RuleProblem, error) {
	since := s.clock.Now().AddDate(0, 0, -vcd.StaleDays)
	return vcd.Read(ctx, s.store.Rules(), actor, func(ctx context.Context, tx RuleTx) ([]RuleProblem, error) {
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
			if kind, reason := r.Problem(uses[r.ID], since); kind != "" && r.IsActive {
				problems = append(problems, RuleProblem{Rule: r, Kind: kind, Reason: reason})
			}
		}
		return problems, nil
	})
}

// CountRuleMatches adds up to limit recent matches of feedback rules to their usage counts.
func (s *Service) CountRuleMatches(ctx context.Context, limit int) (int, error) {
	return s.store.CountRuleMatches(ctx, limit)
}
