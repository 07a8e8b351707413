package vcd

import "context"

// ReplayStore reads comparisons to be decided again.
type ReplayStore interface {
	// EachComparison calls do for up to limit of the filtered comparisons, newest first, with everything needed to decide
	// them, and reports whether those were all.
	EachComparison(ctx context.Context, f ComparisonFilter, limit int, do func(*Comparison)) (complete bool, err error)
	// AllFeedbackRules lists the account's rules, oldest first.
	AllFeedbackRules(ctx context.Context) ([]*FeedbackRule, error)
}

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
