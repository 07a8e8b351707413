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

// RegionContext is the region that the rule was made out of; nil for rules about the console.
func (r *FeedbackRule) RegionContext() *model.AiRegionContext {
	region := r.Region
	if region == nil {
		return nil
	}
	shown := &model.AiRegionContext{
		Bbox:    &model.Bbox{X: region.Box.X, Y: region.Box.Y, W: region.Box.Width, H: region.Box.Height},
		PageURL: r.URLAddress, Fingerprint: region.Fingerprint,
	}
	if e := region.Element; e != nil {
		shown.Element = &model.AiRegionElement{Selector: e.Selector, Role: e.Role, Text: e.Text}
	}
	return shown
}
