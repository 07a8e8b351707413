package view

import (
	"afterimage/graph/model"
	"afterimage/internal/page"
	"afterimage/vcd"
)

// Screenshot shows a screenshot.
type Screenshot struct {
	*vcd.Screenshot
	links Links
}

// NewScreenshot shows s.
func NewScreenshot(s *vcd.Screenshot, links Links) *Screenshot { return &Screenshot{s, links} }

// QueueEntryID is the entry that took the screenshot.
func (s *Screenshot) QueueEntryID() vcd.ID { return s.QueueID }

// Domain is the host of the page.
func (s *Screenshot) Domain() string { return domainOf(s.URLAddress) }

// Address is the page's address.
func (s *Screenshot) Address() string { return s.URLAddress }

// Link is the address of the picture.
func (s *Screenshot) Link() *string { return s.links.Image(s.Image) }

// PreviewLink is the address of its preview.
func (s *Screenshot) PreviewLink() *string { return s.links.Preview(s.Image) }

// Width is the picture's width in pixels.
func (s *Screenshot) Width() *int {
	if s.Image == nil {
		return nil
	}
	return &s.Image.Width
}

// Height is the picture's height in pixels.
func (s *Screenshot) Height() *int {
	if s.Image == nil {
		return nil
	}
	return &s.Image.Height
}

// SCType is what the screenshot was taken for.
func (s *Screenshot) SCType() vcd.QueueType { return s.Type }

// BrowserConsole is what the page wrote to the browser's console.
func (s *Screenshot) BrowserConsole() []*ConsoleEntry {
	entries := make([]*ConsoleEntry, len(s.Console))
	for i, entry := range s.Console {
		entries[i] = &ConsoleEntry{entry}
	}
	return entries
}

// ConsoleEntry shows a line of the browser's console.
type ConsoleEntry struct {
	page.ConsoleEntry
}

// Location is where the line came from.
func (e *ConsoleEntry) Location() *model.ConsoleLocation { return &model.ConsoleLocation{URL: e.URL} }
