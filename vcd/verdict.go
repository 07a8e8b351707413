package vcd

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// Skip records that no verdict was needed. Findings are kept.
func (v *Verification) Skip(why string) { v.Status, v.Summary = VerificationSkipped, why }

// Summarize sets Summary to the verdicts in words: how many changes somebody has to look at, by how much the page is longer, and the
// gravest of the changes. A change counts once, however many regions of the picture show it.
func (v *Verification) Summarize() {
	parts := v.headline()
	if v.Console != nil {
		var console VerdictCounts
		console.add(v.Console.Category)
		parts = append(parts, console.inWords("change of the browser console", "changes of the browser console", ""))
	}
	if len(parts) == 0 {
		parts = append(parts, "No change was found")
	}
	text := strings.TrimSpace(strings.Join(parts, "; ") + ". " + v.worstInWords())
	if v.LeftOut > 0 {
		text += fmt.Sprintf(" %s not examined.", Plural(v.LeftOut, "further region"))
	}
	if v.Unlisted.Count > 0 {
		text += fmt.Sprintf(" %s (%d px) not listed.", Plural(v.Unlisted.Count, "further change"), v.Unlisted.Pixels)
	}
	v.Summary = text
}

// headline counts the changes of the page, and says by how much it is longer or shorter.
func (v *Verification) headline() []string {
	var found VerdictCounts
	for i := range v.Findings {
		found.add(v.Findings[i].Category)
	}
	if found.Total() == 0 {
		return nil
	}
	where := ""
	if v.Page != "" {
		where = " on " + v.Page
	}
	parts := []string{found.inWords("change", "changes", where)}
	switch {
	case v.Longer > 0:
		parts = append(parts, fmt.Sprintf("the page is %d px longer", v.Longer))
	case v.Longer < 0:
		parts = append(parts, fmt.Sprintf("the page is %d px shorter", -v.Longer))
	}
	return parts
}

// worstInWords describes the gravest of all changes, of equally grave ones the one that says most.
func (v *Verification) worstInWords() string {
	var worst *Finding
	for i := range v.Findings {
		if f := &v.Findings[i]; worst == nil || byGravity(f, worst) < 0 {
			worst = f
		}
	}
	category, says := CategoryAllGood, ""
	if worst != nil {
		category, says = worst.Category, worst.Description
	}
	if v.Console != nil && v.Console.Category.Worse(category) != category {
		says = v.Console.Description
	}
	return says
}

// inWords says how many are to be looked at, how many of them are alerts, and how many are harmless.
func (c VerdictCounts) inWords(one, many, where string) string {
	count := func(n int) string {
		if n == 1 {
			return "1 " + one
		}
		return fmt.Sprintf("%d %s", n, many)
	}
	look := c.Alerts + c.NotSure
	switch {
	case look == 0 && c.AllGood == 1:
		return "1 harmless " + one + where
	case look == 0:
		return fmt.Sprintf("%d harmless %s%s", c.AllGood, many, where)
	}
	text := count(look) + " to review" + where
	switch {
	case c.Alerts == 0:
	case look == 1:
		text += ", an alert"
	case c.Alerts == look:
		text += ", all of them alerts"
	default:
		text += ", " + Plural(c.Alerts, "alert") + " among them"
	}
	if c.AllGood > 0 {
		text += fmt.Sprintf(", and %d harmless", c.AllGood)
	}
	return text
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
		v.Summary += fmt.Sprintf(" The model was asked about %s, but %s: the verdicts of the rules apply.",
			Plural(asked, "change"), said.Problem)
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

// Gravity is the worst verdict on anything that a comparison shows. A page that became blank and an alarm beside the pixels are
// alerts; what nobody judged is not sure.
func (c *Comparison) Gravity() Category {
	v := c.Verification
	switch {
	case c.alarmsAnyway() || v != nil && v.Issue == IssueAfterBlank:
		return CategoryAlert
	case v == nil || len(v.Judged()) == 0:
		return CategoryNotSure
	}
	worst := CategoryAllGood
	for _, f := range v.Judged() {
		worst = worst.Worse(f.Category)
	}
	if v.Unlisted.Count > 0 {
		worst = worst.Worse(v.Unlisted.Category)
	}
	if v.LeftOut > 0 {
		worst = worst.Worse(CategoryNotSure)
	}
	if v.Console != nil {
		worst = worst.Worse(v.Console.Category)
	}
	return worst
}

// GravestFirst orders comparisons by gravity, and equally grave ones by the percentage that is judged.
func GravestFirst(a, b *Comparison) int {
	if is, other := a.Gravity(), b.Gravity(); is != other {
		if is.Worse(other) == is {
			return -1
		}
		return 1
	}
	return cmp.Compare(b.JudgedPercent(), a.JudgedPercent())
}
