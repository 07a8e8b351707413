package vcd

import "context"

// ReplayStore reads comparisons to be decided anew.
type ReplayStore interface {
	// EachComparison hands out the comparisons that the filter leaves, the newest first and at most limit, with what
	// deciding them takes, and tells whether those were all.
	EachComparison(ctx context.Context, f ComparisonFilter, limit int, do func(*Comparison)) (complete bool, err error)
	// AllFeedbackRules lists the account's rules, oldest first.
	AllFeedbackRules(ctx context.Context) ([]*FeedbackRule, error)
}

// Replay decides anew about a stored comparison.
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

// withoutRules are findings as they were before feedback rules.
func withoutRules(findings []Finding) []Finding {
	out := make([]Finding, len(findings))
	for i, f := range findings {
		f.Category, f.RuleID = f.Ruled, nil
		out[i] = f
	}
	return out
}
