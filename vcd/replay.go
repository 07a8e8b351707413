package vcd

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
