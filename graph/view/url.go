package view

import (
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// URL shows a URL.
type URL struct {
	*vcd.URL
}

// NewURL shows u.
func NewURL(u *vcd.URL) *URL { return &URL{u} }

// Scheme is what works; nil while it is not known.
func (u *URL) Scheme() *string { return nonEmpty(u.URL.Scheme) }

// Selection shows a URL inside a group.
type Selection struct {
	*vcd.Selection
}

// NewSelection shows sel, whose URL must be filled in.
func NewSelection(sel *vcd.Selection) *Selection { return &Selection{sel} }

// Address is the URL's address.
func (s *Selection) Address() string { return s.Selection.URL.Address }

// HTMLTitle is the URL's title.
func (s *Selection) HTMLTitle() string { return s.Selection.URL.HTMLTitle }

// Type is the URL's type.
func (s *Selection) Type() *string { return s.Selection.URL.Type }

// Category is the URL's category.
func (s *Selection) Category() *string { return s.Selection.URL.Category }

// LastCrawledAt is when the URL was last captured.
func (s *Selection) LastCrawledAt() *time.Time { return s.Selection.URL.LastCrawledAt }

// Tags are the URL's tags.
func (s *Selection) Tags() []string { return s.Selection.URL.Tags }

// Tag shows a tag.
type Tag struct {
	*vcd.Tag
}

// NewTag shows t.
func NewTag(t *vcd.Tag) *Tag { return &Tag{t} }

// UrlsCount is how many URLs have it.
func (t *Tag) UrlsCount() int { return t.URLs }

// RemovedURL shows the settings that a URL had in a group.
type RemovedURL struct {
	*vcd.Selection
}

// ID is the URL's id.
func (r *RemovedURL) ID() vcd.ID { return r.URLID }

// EditPayload is what an edit of many URLs came to.
type EditPayload struct {
	MatchedCount int
	ChangedIds   []string
	Removed      []*RemovedURL
	GroupID      vcd.ID
}

// IDs shows ids.
func IDs(ids []vcd.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}

// NewEditPayload shows e.
func NewEditPayload(e *inventory.EditedURLs, group vcd.ID) *EditPayload {
	p := &EditPayload{MatchedCount: e.Matched, ChangedIds: IDs(e.Changed), GroupID: group}
	for _, sel := range e.Removed {
		p.Removed = append(p.Removed, &RemovedURL{sel})
	}
	return p
}

// SelectionFigures counts what is selected in a group.
type SelectionFigures struct {
	SelectedUrlsCount   int
	SelectedChecksCount int
}

// NewSelectionFigures shows f.
func NewSelectionFigures(f vcd.SelectionFigures) SelectionFigures {
	return SelectionFigures{SelectedUrlsCount: f.SelectedURLs, SelectedChecksCount: f.SelectedChecks}
}

// SelectionConnection is a page of a group's URLs with figures of the whole group.
type SelectionConnection struct {
	Connection[*Selection]
	SelectionFigures
}
