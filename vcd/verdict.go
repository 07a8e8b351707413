package vcd

import (
	"fmt"
	"strings"
	"time"
)

// Skip records that no verdict was needed. Findings are kept.
func (v *Verification) Skip(why string) { v.Status, v.Summary = VerificationSkipped, why }

// Summarize sets Summary to the verdicts in words, worst first, and who judged.
func (v *Verification) Summarize(model bool) {
	counts := v.Counts()
	if v.Console != nil {
		counts.add(v.Console.Category)
	}
	n := counts.Total()
	worst, says := CategoryAllGood, ""
	for i := range v.Findings {
		if f := &v.Findings[i]; says == "" || f.Category.Worse(worst) != worst {
			worst, says = f.Category.Worse(worst), f.Description
		}
	}
	if v.Console != nil && v.Console.Category.Worse(worst) != worst {
		says = v.Console.Description
	}
	var text string
	switch {
	case counts.Alerts > 0:
		text = fmt.Sprintf("%d of %s need attention. %s", counts.Alerts, Plural(n, "change"), says)
	case counts.NotSure > 0:
		text = fmt.Sprintf("%d of %s may need attention. %s", counts.NotSure, Plural(n, "change"), says)
	default:
		text = fmt.Sprintf("%s without a fault. %s", Plural(n, "change"), says)
	}
	if v.LeftOut > 0 {
		text += fmt.Sprintf(" %s more were not looked at.", Plural(v.LeftOut, "change"))
	}
	if counts.NotSure > 0 && !model {
		text += " Judged by rules only: no model is configured."
	}
	v.Summary = strings.TrimSpace(text)
}

// Plural formats a count with its noun.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Consultation is a model's answer about the regions that the rules were not sure of.
type Consultation struct {
	Opinions map[int]Opinion // by region; regions without an answer are missing
	Problem  string          // why some are missing, as the end of a sentence; empty when none are
	Elapsed  time.Duration
}

// Opinion is a model's verdict on one region.
type Opinion struct {
	Category   Category
	Reason     string
	Confidence float64
}

// Consult applies a model's opinions. It does not override what the built-in rules or a feedback rule have settled.
func (v *Verification) Consult(said Consultation) {
	asked, answered := v.Unsure(), 0
	for i := range v.Findings {
		f := &v.Findings[i]
		o, ok := said.Opinions[f.RegionID]
		if !ok || f.Category != CategoryNotSure || f.Certain {
			continue
		}
		answered++
		f.Category, f.Ruled, f.Judge, f.Reason, f.Confidence = o.Category, o.Category, JudgeModel, o.Reason, o.Confidence
	}
	v.Status = VerificationVerified
	v.Elapsed += said.Elapsed
	v.Summarize(true)
	if answered < asked {
		v.Status = VerificationFailed
		v.Summary += fmt.Sprintf(" The model was asked about %s, but %s: the rules' verdicts stand.", Plural(asked, "change"), said.Problem)
	}
}

// RuleMatches counts the regions and console entries that each feedback rule matched.
func (c *Comparison) RuleMatches() map[ID]int {
	matches := map[ID]int{}
	if c.Verification != nil {
		for _, f := range c.Verification.Judged() {
			if f.RuleID != nil {
				matches[*f.RuleID]++
			}
		}
	}
	for _, entries := range [][]DifferentEntry{c.Console.Added, c.Console.Removed} {
		for _, e := range entries {
			if e.Rule != nil {
				matches[*e.Rule]++
			}
		}
	}
	return matches
}
