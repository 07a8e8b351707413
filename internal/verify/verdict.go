package verify

import (
	"fmt"

	"afterimage/internal/verify/wording"
)

// Category says whether somebody has to look.
type Category string

// The categories, from harmless to alarming.
const (
	AllGood Category = "all_good"
	NotSure Category = "not_sure"
	Alert   Category = "alert"
)

// rank orders categories.
func (c Category) rank() int {
	switch c {
	case AllGood:
		return 0
	case Alert:
		return 2
	}
	return 1
}

// WorseThan reports whether a category is nearer to an alert than another one.
func (c Category) WorseThan(other Category) bool { return c.rank() > other.rank() }

// CaptureIssue means that there is nothing to verify because a picture is blank.
type CaptureIssue string

// The capture issues.
const (
	AfterBlank  CaptureIssue = "after_blank"
	BeforeBlank CaptureIssue = "before_blank"
	BothBlank   CaptureIssue = "both_blank"
)

// Verdict is the judgment of one region.
type Verdict struct {
	RegionID    int
	Category    Category
	Description string    // what happened, one line
	Confidence  float64   // 0 to 1
	Code        Code      // the rule of this package that decided
	Reason      string    // why, one sentence
	Certain     bool      // no model may lower it
	Findings    []Finding // of the region, the decisive one first; at most maxFindings
	ByModel     bool      // a model decided
}

// Result is the judgment of a comparison.
type Result struct {
	CaptureIssue             CaptureIssue // empty for none; otherwise there are no verdicts
	Verdicts                 []Verdict    // one for each region, in their order
	AllGood, NotSure, Alerts int
	// Findings are all changes of the page in reading order, also those too small for a region; at most MaxListed.
	Findings []Finding
	Unlisted Unlisted // changes beyond these
	// Explained reports that every changed pixel lies in the box of a listed finding that says what happened, or shifted as a
	// whole with rows or an element. It is never set when Pair.Changed is unknown.
	Explained bool
	Refused   int // statements that were not made, because what they say does not hold; should be 0
	LeftOut   int // regions beyond those that a comparison keeps, if they were not examined
	Summary   string
}

// Harmless reports whether nobody has to look: everything was judged and all is good, or there is nothing to compare
// because the before picture is blank.
func (r *Result) Harmless() bool {
	for i := range r.Findings {
		if r.Findings[i].Ruling.Category != AllGood {
			return false
		}
	}
	return r.Alerts == 0 && r.LeftOut == 0 && (r.Unlisted.Count == 0 || r.Unlisted.Category == AllGood)
}

// Tally recounts the verdicts and rewrites the summary after verdicts have changed.
func (r *Result) Tally() {
	if r.CaptureIssue != "" {
		return
	}
	r.AllGood, r.NotSure, r.Alerts = 0, 0, 0
	for _, v := range r.Verdicts {
		switch v.Category {
		case AllGood:
			r.AllGood++
		case Alert:
			r.Alerts++
		default:
			r.NotSure++
		}
	}
	r.Summary = r.summarize()
	if r.LeftOut > 0 {
		r.Summary += " " + wording.Counted(r.LeftOut, "smaller change was", "smaller changes were") + " not examined."
	}
	if r.Unlisted.Count > 0 {
		r.Summary += " " + wording.Counted(r.Unlisted.Count, "more is", "more are") + " not listed."
	}
}

// summarize writes the summary, the worst first: each change counts once, whichever regions show it.
func (r *Result) summarize() string {
	counts, worst, says, n := map[Category]int{}, Category(""), "", 0
	count := func(category Category, description string) {
		if n++; n == 1 || category.rank() > worst.rank() {
			worst, says = category, description
		}
		counts[category]++
	}
	for i := range r.Findings {
		count(r.Findings[i].Ruling.Category, r.Findings[i].Description)
	}
	if n == 0 { // a model's opinions are on regions
		for i := range r.Verdicts {
			count(r.Verdicts[i].Category, r.Verdicts[i].Description)
		}
	}
	switch {
	case n == 0:
		return "Nothing changed."
	case counts[Alert] > 0:
		return fmt.Sprintf("%d of %s %s attention. %s", counts[Alert], changes(n), needs(counts[Alert]), says)
	case counts[NotSure] > 0:
		return fmt.Sprintf("%d of %s may need attention. %s", counts[NotSure], changes(n), says)
	case n == 1:
		return "One harmless change. " + says
	}
	return fmt.Sprintf("%d harmless changes. %s", n, says)
}

func changes(n int) string { return wording.Counted(n, "change", "changes") }

func needs(n int) string {
	if n == 1 {
		return "needs"
	}
	return "need"
}
