package view

import "afterimage/vcd"

// PageContent shows what is to be read on a screenshot.
type PageContent struct {
	*vcd.PageContent
}

// NewPageContent shows p, which may be nil.
func NewPageContent(p *vcd.PageContent) *PageContent {
	if p == nil {
		return nil
	}
	return &PageContent{p}
}

// ElementsCount is how many elements there are to be seen.
func (p *PageContent) ElementsCount() int { return len(p.Elements) }

// PageElement shows an element that is to be seen on a screenshot.
type PageElement struct {
	vcd.PageElement
}

// NewPageElements shows elements.
func NewPageElements(found []vcd.PageElement) []*PageElement {
	elements := make([]*PageElement, len(found))
	for i, e := range found {
		elements[i] = &PageElement{e}
	}
	return elements
}

// Role is the element's WAI-ARIA role.
func (e *PageElement) Role() *string { return nonEmpty(e.PageElement.Role) }

// Text is the element's own text.
func (e *PageElement) Text() *string { return nonEmpty(e.PageElement.Text) }
