package page

import "strings"

// ConsoleMatcher recognises entries that say the same thing as a known one, whatever the numbers, hashes and query strings in
// them.
type ConsoleMatcher struct {
	text   string
	begins bool    // an entry that goes on will do
	source *string // nil for any
}

// NewConsoleMatcher recognises entries with this text, which may have placeholders in it already, and from this source; nil
// for any. A text that is cut is the beginning of a longer one.
func NewConsoleMatcher(text string, cut bool, source *string) *ConsoleMatcher {
	known := ConsoleEntry{Text: text}
	if cut { // its last word may be half of one
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

// Matches tells whether entries of this pattern say the same thing, and in the same place where one is asked for.
func (m *ConsoleMatcher) Matches(p ConsolePattern) bool {
	said := m.text == p.Text || m.begins && strings.HasPrefix(p.Text, m.text)
	return said && (m.source == nil || *m.source == p.Source)
}
