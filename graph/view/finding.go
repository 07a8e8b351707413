package view

import (
	"afterimage/graph/model"
	"afterimage/graph/scalar"
	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/review"
)

// Findings are the changes of the page; null like AiRegions.
func (c *Comparison) Findings() []*model.Finding {
	if !c.Features.AIVerification {
		return nil
	}
	judged := c.verification().Judged()
	shown := make([]*model.Finding, len(judged))
	for i := range judged {
		f := &judged[i]
		shown[i] = &model.Finding{
			Kind: *word(f.Kind), Fingerprint: f.Fingerprint, Description: f.Description, Category: *word(f.Category), Reason: f.Reason,
			Confidence: f.Confidence, Judge: *word(f.Judge), MatchedFeedbackRule: (*string)(f.RuleID), Element: elementOf(f),
			BoxBefore: bbox(f.BoxBefore), BoxAfter: bbox(f.BoxAfter), RegionIds: append([]int{}, f.Regions...),
			Cause: findingCause(f.Cause),
		}
		if c := f.Consequences; c != nil {
			shown[i].Consequences = &model.FindingConsequences{Moved: c.Moved, Resized: c.Resized, Words: c.Words}
		}
	}
	return shown
}

func findingCause(c *vcd.Cause) *model.FindingCause {
	if c == nil {
		return nil
	}
	shown := &model.FindingCause{Elements: c.Elements, Touched: c.Touched, Variable: c.Variable, Places: []*model.Bbox{}}
	for _, place := range c.Places {
		shown.Places = append(shown.Places, bbox(place))
	}
	return shown
}

func bbox(b *page.Box) *model.Bbox {
	if b == nil {
		return nil
	}
	return &model.Bbox{X: b.X, Y: b.Y, W: b.Width, H: b.Height}
}

// UnlistedFindings is how many changes there are beyond Findings; null like AiRegions.
func (c *Comparison) UnlistedFindings() *int {
	if !c.Features.AIVerification {
		return nil
	}
	n := c.verification().Unlisted.Count + c.verification().LeftOut
	return &n
}

// UnlistedPixels is how many changed pixels of these have no known element; null like AiRegions.
func (c *Comparison) UnlistedPixels() *int {
	if !c.Features.AIVerification {
		return nil
	}
	return &c.verification().Unlisted.Pixels
}

// Explained reports whether the findings explain every changed pixel.
func (c *Comparison) Explained() bool { return c.Features.AIVerification && c.verification().Explained }

// AlarmReason says what raises an alarm beside the pixels.
func (c *Comparison) AlarmReason() *string {
	if words := c.AlarmWords(); words != "" {
		return &words
	}
	return nil
}

// Unseen says what of the page its screenshots do not show; nil for nothing.
func (c *Comparison) Unseen() *string {
	if c.Comparison.NotSeen == "" {
		return nil
	}
	return &c.Comparison.NotSeen
}

// StillOpen shows a comparison that was not accepted with its changes.
type StillOpen struct{ review.StillOpen }

// StillOpen lists the comparisons that were not accepted with their changes.
func (p *VerdictPayload) StillOpen() []*StillOpen {
	shown := make([]*StillOpen, len(p.Verdict.StillOpen))
	for i, open := range p.Verdict.StillOpen {
		shown[i] = &StillOpen{open}
	}
	return shown
}

// ComparisonID is the comparison.
func (o *StillOpen) ComparisonID() vcd.ID { return o.ID }

// Reasons are why it remains open.
func (o *StillOpen) Reasons() []scalar.Word {
	words := make([]scalar.Word, len(o.StillOpen.Reasons))
	for i, reason := range o.StillOpen.Reasons {
		words[i] = *word(reason)
	}
	return words
}

// OtherChangesCount is how many of its changes were not accepted.
func (o *StillOpen) OtherChangesCount() int { return o.Others.Count }

// OtherChanges describes some of these.
func (o *StillOpen) OtherChanges() []string { return append([]string{}, o.Others.Descriptions...) }
