package vcd

import (
	"unicode/utf8"

	"afterimage/internal/page"
)

// ConsoleChange is how the browser console of a page changed from one screenshot to the next.
type ConsoleChange string

// The changes.
const (
	ConsoleAdded     ConsoleChange = "added"
	ConsoleRemoved   ConsoleChange = "removed"
	ConsoleMixed     ConsoleChange = "mixed" // both
	ConsoleUnchanged ConsoleChange = "unchanged"
)

// ConsoleDifference is what differs between two browser consoles.
type ConsoleDifference struct {
	Change         ConsoleChange    // considering only entries that no feedback rule silences
	Added, Removed []DifferentEntry // without duplicates, in the order in which the page wrote them
}

// DifferentEntry is an entry that appears in only one of the consoles, as the page wrote it.
type DifferentEntry struct {
	page.ConsoleEntry
	Rule *ID `json:"rule,omitempty"` // the feedback rule that silences it; nil when none does
}

// ConsoleCounts counts the comparisons of a batch by console change.
type ConsoleCounts struct {
	Added, Removed, Mixed, Unchanged int
}

// Add adds n to the count of this change.
func (c *ConsoleCounts) Add(change ConsoleChange, n int) {
	switch change {
	case ConsoleAdded:
		c.Added += n
	case ConsoleRemoved:
		c.Removed += n
	case ConsoleMixed:
		c.Mixed += n
	case ConsoleUnchanged:
		c.Unchanged += n
	}
}

// NewConsoleDifference compares two consoles before any rule is applied.
func NewConsoleDifference(before, after []page.ConsoleEntry) ConsoleDifference {
	added, removed := page.CompareConsoles(before, after)
	d := ConsoleDifference{Added: differentEntries(added), Removed: differentEntries(removed)}
	d.settle()
	return d
}

func differentEntries(entries []page.ConsoleEntry) []DifferentEntry {
	var different []DifferentEntry
	for _, e := range entries {
		different = append(different, DifferentEntry{ConsoleEntry: e})
	}
	return different
}

// settle sets Change from the entries that are not silenced.
func (d *ConsoleDifference) settle() {
	switch added, removed := anyLoud(d.Added), anyLoud(d.Removed); {
	case added && removed:
		d.Change = ConsoleMixed
	case added:
		d.Change = ConsoleAdded
	case removed:
		d.Change = ConsoleRemoved
	default:
		d.Change = ConsoleUnchanged
	}
}

func anyLoud(entries []DifferentEntry) bool {
	for _, e := range entries {
		if e.Rule == nil {
			return true
		}
	}
	return false
}

// Silence marks the entries that match a rule; when several match, the first one counts. It returns how many entries each
// matching rule silenced. The rules given must be active and apply to the page; visual rules match nothing.
func (d *ConsoleDifference) Silence(rules []*FeedbackRule) map[ID]int {
	matched := make(map[ID]int)
	entries := d.all()
	if len(entries) == 0 {
		return matched
	}
	patterns := make([]page.ConsolePattern, len(entries))
	for i, e := range entries {
		patterns[i] = e.Pattern()
	}
	for _, r := range rules {
		m := r.consoleMatcher()
		for i, e := range entries {
			if m != nil && e.Rule == nil && m.Matches(patterns[i]) {
				e.Rule = &r.ID
				matched[r.ID]++
			}
		}
	}
	d.settle()
	return matched
}

// all returns the added and the removed entries.
func (d *ConsoleDifference) all() []*DifferentEntry {
	var all []*DifferentEntry
	for _, entries := range [][]DifferentEntry{d.Added, d.Removed} {
		for i := range entries {
			all = append(all, &entries[i])
		}
	}
	return all
}

// Silenced counts the entries that feedback rules silence.
func (d *ConsoleDifference) Silenced() int {
	n := 0
	for _, e := range d.all() {
		if e.Rule != nil {
			n++
		}
	}
	return n
}

// MatchesConsole reports whether the rule, of type RuleConsole, matches the entry: the same text and, if the rule names a
// source, the same source. The rule's text may already contain placeholders. The caller checks whether the rule is active and
// applies to the page.
func (r *FeedbackRule) MatchesConsole(e page.ConsoleEntry) bool {
	m := r.consoleMatcher()
	return m != nil && m.Matches(e.Pattern())
}

// consoleMatcher is nil for visual rules. A rule text of the maximum length matches longer entries by prefix.
func (r *FeedbackRule) consoleMatcher() *page.ConsoleMatcher {
	if r.Type != RuleConsole {
		return nil
	}
	cut := utf8.RuneCountInString(r.ConsoleEntry) >= MaxConsoleEntry
	return page.NewConsoleMatcher(r.ConsoleEntry, cut, r.ConsoleSource)
}
