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

// ConsoleDifference is what two browser consoles do not have in common.
type ConsoleDifference struct {
	Change         ConsoleChange    // of what no feedback rule silences
	Added, Removed []DifferentEntry // each once, in the order in which the page wrote them
}

// DifferentEntry is an entry that is in one console only, as the page wrote it.
type DifferentEntry struct {
	page.ConsoleEntry
	Rule *ID `json:"rule,omitempty"` // the feedback rule that silences it; nil when none does
}

// ConsoleCounts is how many comparisons of a batch have which change of the console.
type ConsoleCounts struct {
	Added, Removed, Mixed, Unchanged int
}

// Add counts n comparisons with this change.
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

// NewConsoleDifference is what two consoles do not have in common, as long as no rule silences any of it.
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

// settle names the change by the entries that are not silenced.
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

// Silence marks the entries that one of the rules is about; the first of several counts. It returns how many entries each
// rule that was used has silenced. The rules are those that are active and hold for the page; visual ones match nothing.
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

// all are the entries that were added and removed.
func (d *ConsoleDifference) all() []*DifferentEntry {
	var all []*DifferentEntry
	for _, entries := range [][]DifferentEntry{d.Added, d.Removed} {
		for i := range entries {
			all = append(all, &entries[i])
		}
	}
	return all
}

// Silenced is how many entries feedback rules silence.
func (d *ConsoleDifference) Silenced() int {
	n := 0
	for _, e := range d.all() {
		if e.Rule != nil {
			n++
		}
	}
	return n
}

// MatchesConsole tells whether the rule, one of type RuleConsole, is about the entry: they say the same thing, and in the same
// place where the rule names one. The text of a rule may have placeholders in it already. Whether the rule is active and
// holds for the page is not asked.
func (r *FeedbackRule) MatchesConsole(e page.ConsoleEntry) bool {
	m := r.consoleMatcher()
	return m != nil && m.Matches(e.Pattern())
}

// consoleMatcher is nil for visual rules. A rule that is as long as a rule may be is taken for the beginning of a longer entry.
func (r *FeedbackRule) consoleMatcher() *page.ConsoleMatcher {
	if r.Type != RuleConsole {
		return nil
	}
	cut := utf8.RuneCountInString(r.ConsoleEntry) >= MaxConsoleEntry
	return page.NewConsoleMatcher(r.ConsoleEntry, cut, r.ConsoleSource)
}
