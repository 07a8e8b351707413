package verify

import "fmt"

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
	LeftOut                  int // regions beyond those that a comparison keeps, not judged
	Summary                  string
}

// Harmless reports whether nobody has to look: everything was judged and all is good, or there is nothing to compare
// because the before picture is blank.
func (r *Result) Harmless() bool { return r.NotSure == 0 && r.Alerts == 0 && r.LeftOut == 0 }

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
		r.Summary += fmt.Sprintf(" %d smaller changes were not examined.", r.LeftOut)
	}
}

// summarize writes the summary, the worst first.
func (r *Result) summarize() string {
	if len(r.Verdicts) == 0 {
		return "Nothing changed."
	}
	worst := &r.Verdicts[0]
	for i := range r.Verdicts {
		if r.Verdicts[i].Category.rank() > worst.Category.rank() {
			worst = &r.Verdicts[i]
		}
	}
	n := len(r.Verdicts)
	switch {
	case r.Alerts > 0:
		return fmt.Sprintf("%d of %s need attention. %s", r.Alerts, changes(n), worst.Description)
	case r.NotSure > 0:
		return fmt.Sprintf("%d of %s may need attention. %s", r.NotSure, changes(n), worst.Description)
	case n == 1:
		return "One harmless change. " + worst.Description
	}
	return fmt.Sprintf("%d harmless changes. %s", n, worst.Description)
}

func changes(n int) string {
	if n == 1 {
		return "1 change"
	}
	return fmt.Sprintf("%d changes", n)
}
