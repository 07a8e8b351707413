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

// FoundChange identifies one change of one element.
type FoundChange struct {
	Kind     ChangeKind `json:"kind"`
	Category Category   `json:"category"` // the verdict on this change alone
	// Fingerprint is equal for the same change of the same element on any page and device.
	Fingerprint string `json:"fingerprint"`
	// OfElement identifies the change together with its element: feedback rules go by it. Empty when the fingerprint does so already, as
	// all did that former versions stored.
	OfElement string `json:"of_element,omitempty"`
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
	Status  VerificationStatus
	Issue   CaptureIssue
	Summary string
	Elapsed time.Duration
	// Findings are the changes of the page in reading order; also for comparisons that needed no verdict.
	Findings []Finding
	Unlisted Unlisted // changes beyond these
	// Explained reports that every changed pixel lies in the box of a finding that says what happened, or moved as a whole, and
	// that nothing is unlisted.
	Explained bool
	Console   *ConsoleVerdict
	// Longer is by how many pixels the page is longer than before, negative if it is shorter. It is told in the summary and not stored.
	Longer int
	// Page is what the page is called; likewise.
	Page string
	// LeftOut is how many changed regions exceed the number stored and were not examined.
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
	for _, r := range v.Regions() {
		counts.add(r.Category)
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
	judged := v.Judged()
	for i := range judged {
		if judged[i].Category != CategoryAllGood {
			return false
		}
	}
	unlisted := v.Unlisted.Count == 0 || v.Unlisted.Category == CategoryAllGood
	return v.Issue == "" && len(judged) > 0 && unlisted && v.LeftOut == 0 &&
		(v.Console == nil || v.Console.Category == CategoryAllGood)
}

// Unsure counts the regions on which a model could give an opinion.
func (v *Verification) Unsure() int {
	n := 0
	for _, r := range regionsOf(v.Findings) {
		if r.Category == CategoryNotSure {
			n++
		}
	}
	return n
}
