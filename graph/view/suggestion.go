package view

import (
	"afterimage/graph/scalar"
	"afterimage/vcd/pageset"
)

// SuggestedPage shows a page that is worth checking.
type SuggestedPage struct{ pageset.Suggestion }

// NewSuggestedPages shows what was chosen.
func NewSuggestedPages(chosen []pageset.Suggestion) []*SuggestedPage {
	pages := make([]*SuggestedPage, len(chosen))
	for i, s := range chosen {
		pages[i] = &SuggestedPage{s}
	}
	return pages
}

// URL is the page.
func (p *SuggestedPage) URL() *URL { return NewURL(p.Suggestion.URL) }

// Reason is why it is worth checking.
func (p *SuggestedPage) Reason() scalar.Word { return scalar.Word(p.Suggestion.Reason) }
