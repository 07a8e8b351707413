package page

import "strings"

// ConsoleMatcher recognises entries that say the same thing as a known one, whatever the numbers, hashes and query
// strings in them.
type ConsoleMatcher struct {
	text   string
	begins bool    // an entry that continues after the text also matches
	source *string // nil for any
}

// NewConsoleMatcher returns a matcher for entries with this text, which may already contain placeholders, and from this
// source; nil matches any source. A text that is cut is the beginning of a longer one.
func NewConsoleMatcher(text string, cut bool, source *string) *ConsoleMatcher {
	known := ConsoleEntry{Text: text}
	if cut { // its last word may be incomplete
		known.Text = firstWords(text, len(text)-1)
	}
	if source != nil {
		known.URL = *source
	}
	wanted := known.Pattern()
	m := &ConsoleMatcher{text: wanted.Text, begins: cut}
	if source != nil {
		m.source = &wanted.Source
	}
	return m
}

// Matches reports whether entries of this pattern say the same thing and, if a source is set, come from that source.
func (m *ConsoleMatcher) Matches(p ConsolePattern) bool {
	said := m.text == p.Text || m.begins && strings.HasPrefix(p.Text, m.text)
	return said && (m.source == nil || *m.source == p.Source)
}
