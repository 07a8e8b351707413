package view

import (
	"afterimage/internal/page"
)

// PageContent shows the content of a screenshot.
type PageContent struct {
	*page.Content
}

// NewPageContent shows p, which may be nil.
func NewPageContent(p *page.Content) *PageContent {
	if p == nil {
		return nil
	}
	return &PageContent{p}
}

// ElementsCount is the number of visible elements.
func (p *PageContent) ElementsCount() int { return len(p.Elements) }

// PageElement shows a visible element of a screenshot.
type PageElement struct {
	page.Element
}

// NewPageElements shows elements.
func NewPageElements(found []page.Element) []*PageElement {
	elements := make([]*PageElement, len(found))
	for i, e := range found {
		elements[i] = &PageElement{e}
	}
	return elements
}

// Role is the element's WAI-ARIA role.
func (e *PageElement) Role() *string { return nonEmpty(e.Element.Role) }

// Text is the element's own text.
func (e *PageElement) Text() *string { return nonEmpty(e.Element.Text) }
