package vcd

import (
	"fmt"
	"time"
)

// Thresholds for stale and over-broad rules.
const (
	StaleDays       = 30
	broadElements   = 5 // different elements in the last 30 days
	broadAlertPages = 3 // pages on which it ignored what the built-in rules rate an alert
)

// RuleProblemKind is a kind of problem with a feedback rule.
type RuleProblemKind string

// The kinds.
const (
	RuleStale     RuleProblemKind = "stale"
	RuleOverBroad RuleProblemKind = "over_broad"
)

// RuleUse is what a rule has ignored recently.
type RuleUse struct {
	Elements   int // different ones
	AlertPages int // pages on which it ignored what the built-in rules rate an alert
}

// Problem is the problem with the rule, with a sentence for its owner; empty when there is none.
func (r *FeedbackRule) Problem(use RuleUse, since time.Time) (RuleProblemKind, string) {
	switch {
	case use.Elements > broadElements:
		return RuleOverBroad, fmt.Sprintf("In the last %d days, it silenced changes of %d different elements.", StaleDays, use.Elements)
	case use.AlertPages > broadAlertPages:
		return RuleOverBroad, fmt.Sprintf("In the last %d days, it silenced would-be alerts on %d pages.", StaleDays, use.AlertPages)
	case r.CreatedAt.Before(since) && r.LastMatchedAt == nil:
		return RuleStale, "It has never matched."
	case r.CreatedAt.Before(since) && r.LastMatchedAt.Before(since):
		return RuleStale, fmt.Sprintf("It has not matched anything for %d days.", StaleDays)
	}
	return "", ""
}
