package vcd

import (
	"fmt"
	"strings"
	"time"
)

// Skip records that no verdict was needed. Findings are kept.
func (v *Verification) Skip(why string) { v.Status, v.Summary = VerificationSkipped, why }

// Summarize sets Summary to the verdicts in words, the worst change last. It counts what the figures of a
// verification count: regions, and apart from them the changes that are too small for one.
func (v *Verification) Summarize() {
	regions, small := v.Counts(), v.smallChanges()
	var parts []string
	if regions.Total() > 0 {
		parts = append(parts, regions.inWords("region"))
	}
	if small.Total() > 0 {
		parts = append(parts, small.inWords("smaller change"))
	}
	if v.Console != nil {
		var console VerdictCounts
		console.add(v.Console.Category)
		parts = append(parts, console.inWords("change of the browser console"))
	}
	if len(parts) == 0 {
		parts = append(parts, "No change was found")
	}
	text := strings.TrimSpace(strings.Join(parts, ", ") + ". " + v.worstInWords())
	if v.LeftOut > 0 {
		text += fmt.Sprintf(" %s more were not looked at.", Plural(v.LeftOut, "region"))
	}
	if v.Unlisted.Count > 0 {
		text += fmt.Sprintf(" %s more (%d px) are not listed.", Plural(v.Unlisted.Count, "change"), v.Unlisted.Pixels)
	}
	v.Summary = text
}

// smallChanges counts the verdicts on findings outside every region.
func (v *Verification) smallChanges() VerdictCounts {
	var counts VerdictCounts
	for i := range v.Findings {
		if len(v.Findings[i].Regions) == 0 {
			counts.add(v.Findings[i].Category)
		}
	}
	return counts
}

// worstInWords describes the gravest of all changes.
func (v *Verification) worstInWords() string {
	worst, says := CategoryAllGood, ""
	for i := range v.Findings {
		f := &v.Findings[i]
		if says == "" || f.Category.Worse(worst) != worst {
			worst, says = f.Category.Worse(worst), f.Description
		}
	}
	if v.Console != nil && v.Console.Category.Worse(worst) != worst {
		says = v.Console.Description
	}
	return says
}

// inWords says how many need attention.
func (c VerdictCounts) inWords(noun string) string {
	need := func(n int, one, many string) string {
		verb := many
		if n == 1 {
			verb = one
		}
		return fmt.Sprintf("%d of %s %s attention", n, Plural(c.Total(), noun), verb)
	}
	switch {
	case c.Alerts > 0:
		return need(c.Alerts, "needs", "need")
	case c.NotSure > 0:
		return need(c.NotSure, "may need", "may need")
	}
	return Plural(c.Total(), noun) + " without a fault"
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
	v.Summarize()
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
