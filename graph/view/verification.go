package view

import (
	"time"

	"afterimage/graph/model"
	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/review"
)

// AiRegions are the changed regions, which verification looks at; null for accounts without it.
func (c *Comparison) AiRegions() []*model.AiRegion {
	if !c.Features.AIVerification {
		return nil
	}
	if v := c.Comparison.Verification; v != nil && v.Issue != "" { // a blank page has no regions to speak of
		return []*model.AiRegion{}
	}
	regions := make([]*model.AiRegion, len(c.Difference.Regions))
	for i, r := range c.Difference.Regions {
		regions[i] = &model.AiRegion{ID: r.ID, Bbox: &model.Bbox{X: r.X, Y: r.Y, W: r.Width, H: r.Height}, PixelCount: r.Pixels}
	}
	return regions
}

// verification is what is known of the comparison. One that was made before its account had verification was not verified.
func (c *Comparison) verification() *vcd.Verification {
	if v := c.Comparison.Verification; v != nil {
		return v
	}
	return &vcd.Verification{Status: vcd.VerificationSkipped,
		Summary: "Not verified: the account did not have AI verification at the time."}
}

// AiVerificationStatus is how far verification has come; null like AiRegions.
func (c *Comparison) AiVerificationStatus() *scalar.Word {
	if !c.Features.AIVerification {
		return nil
	}
	return word(c.verification().Status)
}

// AiVerificationResult is what verification found; null like AiRegions.
func (c *Comparison) AiVerificationResult() *model.AiVerificationResult {
	if !c.Features.AIVerification {
		return nil
	}
	v := c.verification()
	counts := v.Counts()
	result := &model.AiVerificationResult{
		CaptureIssue: optionalWord(v.Issue), Summary: v.Summary, ProcessingTimeMs: int(v.Elapsed.Milliseconds()),
		AllGood: counts.AllGood, NotSure: counts.NotSure, Alerts: counts.Alerts,
	}
	if v.Issue == "" {
		result.TotalRegions = len(c.Difference.Regions)
		result.Regions = []*model.AiRegionVerdict{}
		for _, r := range v.Regions() {
			result.Regions = append(result.Regions, regionVerdict(&r))
		}
	}
	if console := v.Console; console != nil && v.Status != vcd.VerificationSkipped {
		result.ConsoleAnalysis = &model.AiConsoleAnalysis{Category: *word(console.Category), Description: console.Description}
	}
	return result
}

func regionVerdict(r *vcd.RegionVerdict) *model.AiRegionVerdict {
	return &model.AiRegionVerdict{
		RegionID: r.RegionID, Category: *word(r.Category), Description: r.Description, Confidence: r.Confidence, Reason: r.Reason,
		Judge: *word(r.Judge), MatchedFeedbackRule: (*string)(r.RuleID), Kind: word(r.Kind), ChangeFingerprint: &r.Fingerprint,
		Element: elementOf(r.Finding), FindingsCount: len(r.Findings),
	}
}

// elementOf is the element of a finding in the after page, otherwise in the before page.
func elementOf(f *vcd.Finding) *model.AiRegionElement {
	e := f.After
	if e == nil {
		e = f.Before
	}
	if e == nil {
		return nil
	}
	return &model.AiRegionElement{Selector: e.Selector, Role: e.Role, Text: e.Text}
}

func word[T ~string](value T) *scalar.Word {
	w := scalar.Word(value)
	return &w
}

func optionalWord[T ~string](value T) *scalar.Word {
	if value == "" {
		return nil
	}
	return word(value)
}

// AiSummary is null for accounts without AI verification, until the batch is finished, and where there was nothing to verify.
func (b *Batch) AiSummary() *model.AiSummary {
	s := b.Batch.Summary
	if s == nil || !b.Features.AIVerification {
		return nil
	}
	return &model.AiSummary{Summary: s.Summary, OverallStatus: *word(s.Overall), ProcessingTimeMs: int(s.Elapsed.Milliseconds())}
}

// BatchChange shows a change of a batch.
type BatchChange struct {
	*vcd.BatchChange
}

// NewBatchChange shows c.
func NewBatchChange(c *vcd.BatchChange) *BatchChange { return &BatchChange{c} }

// Kind is what happened.
func (c *BatchChange) Kind() scalar.Word { return *word(c.BatchChange.Kind) }

// Category is the worst verdict on the change.
func (c *BatchChange) Category() scalar.Word { return *word(c.BatchChange.Category()) }

// ComparisonsCount is how many comparisons show it.
func (c *BatchChange) ComparisonsCount() int { return c.Comparisons }

// DesktopCount is how many of these are of the desktop form of a page.
func (c *BatchChange) DesktopCount() int { return c.Desktop }

// MobileCount is how many of these are of the mobile form of a page.
func (c *BatchChange) MobileCount() int { return c.Mobile() }

// AllGoodCount is in how many it is harmless.
func (c *BatchChange) AllGoodCount() int { return c.Verdicts.AllGood }

// NotSureCount is in how many it is unclear.
func (c *BatchChange) NotSureCount() int { return c.Verdicts.NotSure }

// AlertCount is in how many it is a fault.
func (c *BatchChange) AlertCount() int { return c.Verdicts.Alerts }

// FirstSeenAt is when it was first seen.
func (c *BatchChange) FirstSeenAt() time.Time { return c.CreatedAt }

// ChangeExample shows a change of a batch as one comparison shows it.
type ChangeExample struct {
	Comparison *Comparison
	Finding    *model.Finding // nil if it is not among the comparison's findings
}

// NewChangeExample shows the change of the fingerprint on c.
func NewChangeExample(c *Comparison, fingerprint string) *ChangeExample {
	example := &ChangeExample{Comparison: c}
	for _, f := range c.Findings() {
		if f.Fingerprint == fingerprint {
			example.Finding = f
			break
		}
	}
	return example
}

// RuleProblem shows a feedback rule that somebody should look at.
type RuleProblem struct {
	review.RuleProblem
}

// AiFeedbackRule is the rule.
func (p *RuleProblem) AiFeedbackRule() *FeedbackRule { return NewFeedbackRule(p.Rule) }

// Kind is what is wrong with it.
func (p *RuleProblem) Kind() scalar.Word { return *word(p.RuleProblem.Kind) }

// RulePreview shows what a rule would have done.
type RulePreview struct {
	*review.RulePreview
}

// ComparisonsCount is how many comparisons it holds for.
func (p *RulePreview) ComparisonsCount() int { return p.Comparisons }

// SilencedCount is how many of these were alarms and would have been none.
func (p *RulePreview) SilencedCount() int { return p.Silenced }

// Simulation shows what alarms there would have been.
type Simulation struct {
	*review.Simulation
}

// ComparisonsCount is how many comparisons were replayed.
func (s *Simulation) ComparisonsCount() int { return s.Comparisons }
