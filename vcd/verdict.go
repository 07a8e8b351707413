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
	counts, worst, says := VerdictCounts{}, CategoryAllGood, ""
	for i := range v.Findings {
		f := &v.Findings[i]
		counts.add(f.Category)
		if says == "" || f.Category.Worse(worst) != worst {
			worst, says = f.Category.Worse(worst), f.Description
		}
	}
	if v.Console != nil {
		counts.add(v.Console.Category)
		if v.Console.Category.Worse(worst) != worst {
			says = v.Console.Description
		}
	}
	n := counts.Total()
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
	if v.Unlisted.Count > 0 {
		text += fmt.Sprintf(" %s more (%d px) are not listed.", Plural(v.Unlisted.Count, "change"), v.Unlisted.Pixels)
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

// Consult applies a model's opinions on regions to their findings. It does not override what the built-in rules or a feedback
// rule have settled.
func (v *Verification) Consult(said Consultation) {
	asked, answered := 0, 0
	for _, r := range regionsOf(v.Findings) {
		if r.Category != CategoryNotSure {
			continue
		}
		asked++
		if _, ok := said.Opinions[r.RegionID]; ok {
			answered++
		}
	}
	for i := range v.Findings {
		v.Findings[i].consult(said.Opinions)
	}
	v.Status = VerificationVerified
	v.Elapsed += said.Elapsed
	v.Summarize(true)
	if answered < asked {
		v.Status = VerificationFailed
		v.Summary += fmt.Sprintf(" The model was asked about %s, but %s: the rules' verdicts stand.", Plural(asked, "change"), said.Problem)
	}
}

// consult applies the opinions on the finding's regions; the most severe one counts, and all of them are needed.
func (f *Finding) consult(opinions map[int]Opinion) {
	if f.Category != CategoryNotSure || f.Certain || len(f.Regions) == 0 {
		return
	}
	worst, ok := opinions[f.Regions[0]]
	for _, region := range f.Regions[1:] {
		o, known := opinions[region]
		if ok = ok && known; o.Category.Worse(worst.Category) != worst.Category {
			worst = o
		}
	}
	if ok {
		f.Category, f.Ruled, f.Judge, f.Reason, f.Confidence = worst.Category, worst.Category, JudgeModel, worst.Reason, worst.Confidence
	}
}

// RuleMatches counts the findings and console entries that each feedback rule matched.
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
