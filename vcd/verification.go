package vcd

import (
	"slices"
	"time"

	"afterimage/internal/page"
)

// VerificationStatus is the state of a comparison's verification.
type VerificationStatus string

// The states. A comparison is pending while a model is being asked; all others are final.
const (
	VerificationPending  VerificationStatus = "pending"
	VerificationVerified VerificationStatus = "verified"
	VerificationFailed   VerificationStatus = "failed"  // a model was needed and did not answer; the rules' verdicts stand
	VerificationSkipped  VerificationStatus = "skipped" // there was nothing to decide
)

// Category is the verdict on a change.
type Category string

// The categories, from harmless to severe.
const (
	CategoryAllGood Category = "all_good"
	CategoryNotSure Category = "not_sure"
	CategoryAlert   Category = "alert"
)

// Worse returns the more severe of two categories.
func (c Category) Worse(o Category) Category {
	order := []Category{CategoryAllGood, CategoryNotSure, CategoryAlert}
	if slices.Index(order, o) > slices.Index(order, c) {
		return o
	}
	return c
}

// CaptureIssue is a blank page, which makes other findings irrelevant; empty for none.
type CaptureIssue string

// The capture issues.
const (
	IssueAfterBlank  CaptureIssue = "after_blank"
	IssueBeforeBlank CaptureIssue = "before_blank"
	IssueBothBlank   CaptureIssue = "both_blank"
)

// ChangeKind is what happened to an element, in the words of package verify.
type ChangeKind string

// Judge is who decided about a region.
type Judge string

// The judges.
const (
	JudgeRules    Judge = "rules"
	JudgeModel    Judge = "model"
	JudgeFeedback Judge = "feedback" // a feedback rule
)

// Finding is the verification result for one changed region.
type Finding struct {
	RegionID    int      `json:"region"`
	Category    Category `json:"category"`
	Ruled       Category `json:"ruled"` // the category before feedback rules
	Judge       Judge    `json:"judge"`
	Description string   `json:"description"`
	Reason      string   `json:"reason"`
	Confidence  float64  `json:"confidence"` // 0 to 1
	// Certain reports that no model may lower the category.
	Certain bool          `json:"certain,omitempty"`
	Changes []FoundChange `json:"changes"`        // in the region, the deciding change first
	RuleID  *ID           `json:"rule,omitempty"` // the feedback rule that matched the region
}

// FoundChange is one change of one element.
type FoundChange struct {
	Kind     ChangeKind `json:"kind"`
	Category Category   `json:"category"` // what the rules decide on this change alone
	// Fingerprint is equal for the same change of the same element on any page and device.
	Fingerprint string `json:"fingerprint"`
	// Before and After identify the element in each picture; nil where it is absent or unknown.
	Before *page.ElementIdentity `json:"before,omitempty"`
	After  *page.ElementIdentity `json:"after,omitempty"`
}

// ConsoleVerdict is the verdict on the difference between two browser consoles.
type ConsoleVerdict struct {
	Category    Category `json:"category"`
	Description string   `json:"description"`
}

// Verification is the verification result of a comparison.
type Verification struct {
	Status   VerificationStatus
	Issue    CaptureIssue
	Summary  string
	Elapsed  time.Duration
	Findings []Finding // one for each changed region, in the same order; also for comparisons that needed no verdict
	Console  *ConsoleVerdict
	// LeftOut is how many changed regions exceed the number stored; they were not examined.
	LeftOut int
}

// VerdictCounts counts verdicts by category.
type VerdictCounts struct {
	AllGood, NotSure, Alerts int
}

// Total is the number of verdicts.
func (c VerdictCounts) Total() int { return c.AllGood + c.NotSure + c.Alerts }

func (c *VerdictCounts) add(category Category) {
	switch category {
	case CategoryAllGood:
		c.AllGood++
	case CategoryNotSure:
		c.NotSure++
	case CategoryAlert:
		c.Alerts++
	}
}

// Judged returns the findings that are verdicts: those of a comparison that was verified, or is about to be.
func (v *Verification) Judged() []Finding {
	if v.Status == VerificationSkipped || v.Issue != "" {
		return nil
	}
	return v.Findings
}

// Counts counts the verdicts on regions. A blank page counts as one alert.
func (v *Verification) Counts() VerdictCounts {
	var counts VerdictCounts
	if v.Issue == IssueAfterBlank {
		counts.Alerts = 1
	}
	for i := range v.Judged() {
		counts.add(v.Findings[i].Category)
	}
	return counts
}

// Gravest is the most severe verdict that is not all good, and among equals the most confident one; nil when there is none.
func (v *Verification) Gravest() *Finding {
	var gravest *Finding
	findings := v.Judged()
	for i := range findings {
		f := &findings[i]
		switch {
		case f.Category == CategoryAllGood:
		case gravest == nil, f.Category != gravest.Category && f.Category.Worse(gravest.Category) == f.Category,
			f.Category == gravest.Category && f.Confidence > gravest.Confidence:
			gravest = f
		}
	}
	return gravest
}

// allGood reports whether every change was examined and found harmless.
func (v *Verification) allGood() bool {
	counts := v.Counts()
	return v.Issue == "" && counts.AllGood > 0 && counts.AllGood == counts.Total() && v.LeftOut == 0 &&
		(v.Console == nil || v.Console.Category == CategoryAllGood)
}

// Unsure counts the regions on which a model could give an opinion.
func (v *Verification) Unsure() int {
	n := 0
	for i := range v.Findings {
		if v.Findings[i].Category == CategoryNotSure {
			n++
		}
	}
	return n
}

// Finding is the finding for a region; nil when the region was not examined.
func (c *Comparison) Finding(region int) *Finding {
	if c.Verification == nil {
		return nil
	}
	i := slices.IndexFunc(c.Verification.Findings, func(f Finding) bool { return f.RegionID == region })
	if i < 0 {
		return nil
	}
	return &c.Verification.Findings[i]
}
