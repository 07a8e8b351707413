package view

import (
	"afterimage/graph/model"
	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// FeedbackRule shows a feedback rule.
type FeedbackRule struct {
	*vcd.FeedbackRule
}

// NewFeedbackRule shows r.
func NewFeedbackRule(r *vcd.FeedbackRule) *FeedbackRule { return &FeedbackRule{r} }

// Type is what the rule passes over.
func (r *FeedbackRule) Type() scalar.Word { return scalar.Word(r.FeedbackRule.Type) }

// Scope is how far the rule reaches.
func (r *FeedbackRule) Scope() scalar.Word { return scalar.Word(r.FeedbackRule.Scope) }

// ConsoleEntry is the entry of the console; nil for rules about regions.
func (r *FeedbackRule) ConsoleEntry() *string { return nonEmpty(r.FeedbackRule.ConsoleEntry) }

// Context is where the rule was created.
func (r *FeedbackRule) Context() *model.AiRuleContext {
	context := &model.AiRuleContext{PageURL: r.URLAddress}
	if r.Region != nil {
		context.Bbox = boxOfRule(r.Region)
	}
	return context
}

func boxOfRule(r *vcd.RuleRegion) *model.Bbox {
	return &model.Bbox{X: r.Box.X, Y: r.Box.Y, W: r.Box.Width, H: r.Box.Height}
}

// RegionContext is the region that the rule was made out of; nil for rules about the console.
func (r *FeedbackRule) RegionContext() *model.AiRegionContext {
	region := r.Region
	if region == nil {
		return nil
	}
	shown := &model.AiRegionContext{
		Bbox: boxOfRule(region), PageURL: r.URLAddress, Fingerprint: region.Fingerprint,
	}
	if e := region.Element; e != nil {
		shown.Element = &model.AiRegionElement{Selector: e.Selector, Role: e.Role, Text: e.Text}
	}
	return shown
}
