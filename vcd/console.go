package vcd

import (
	"slices"
	"strconv"
	"strings"
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

// Limits of the console's comparison.
const (
	maxConsoleDifferences = 100 // kept of what was added, and of what was removed
	consoleCapacity       = 100 // entries that the capture engine keeps of a page
)

// ConsoleDifference is what two browser consoles do not have in common.
type ConsoleDifference struct {
	Change         ConsoleChange    // of what no feedback rule silences
	Added, Removed []DifferentEntry // each once, in the order in which the page wrote them
}

// DifferentEntry is an entry that is in one console only, as the page wrote it.
type DifferentEntry struct {
	ConsoleEntry
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

// compareConsoles finds the entries whose pattern is in one console only. How often an entry occurs does not count: what a
// page says on a timer it says as often as it had time to.
func compareConsoles(before, after []ConsoleEntry) ConsoleDifference {
	patterns := make(map[ConsoleEntry]ConsolePattern, len(before)+len(after))
	for _, e := range slices.Concat(before, after) {
		if _, known := patterns[e]; !known {
			patterns[e] = e.Pattern()
		}
	}
	d := ConsoleDifference{Added: without(after, before, patterns), Removed: without(before, after, patterns)}
	d.settle()
	return d
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
	patterns := make([]ConsolePattern, len(entries))
	for i, e := range entries {
		patterns[i] = e.Pattern()
	}
	for _, r := range rules {
		m := r.consoleMatcher()
		for i, e := range entries {
			if m != nil && e.Rule == nil && m.matches(patterns[i]) {
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

// without lists the entries of distinct patterns that are not among the others. When the others fill their console, what is
// not among them may have been written behind its end: then only errors are told.
func without(entries, others []ConsoleEntry, patterns map[ConsoleEntry]ConsolePattern) []DifferentEntry {
	known := make(map[ConsolePattern]bool, len(entries)+len(others))
	for _, e := range others {
		known[patterns[e]] = true
	}
	full := len(others) >= consoleCapacity
	var rest []DifferentEntry
	for _, e := range entries {
		if known[patterns[e]] || len(rest) == maxConsoleDifferences || full && e.Type != consoleError {
			continue
		}
		known[patterns[e]] = true
		rest = append(rest, DifferentEntry{ConsoleEntry: e})
	}
	return rest
}

const (
	consoleError = "error" // the type of entries that tell of an error
	// failedLoadText begins the pattern of an entry about a resource that did not arrive; its status follows.
	failedLoadText = "Failed to load resource: status "
	// failedLoadPrefix begins such an entry, as the browser writes it.
	failedLoadPrefix = "Failed to load resource: "
)

// fullConsole is the screenshot's console together with the requests that failed without a word there.
func (shot *Screenshot) fullConsole() []ConsoleEntry {
	manifest, err := shot.ReadManifest()
	if err != nil || manifest == nil || len(manifest.FailedRequests) == 0 {
		return shot.Console // an older form; the console has most of them
	}
	told := make(map[string]bool)
	for _, e := range shot.Console {
		if strings.HasPrefix(e.Text, failedLoadPrefix) {
			told[e.URL] = true
		}
	}
	entries := shot.Console[:len(shot.Console):len(shot.Console)]
	for _, f := range manifest.FailedRequests {
		if !told[f.URL] {
			entries = append(entries, ConsoleEntry{Text: f.sentence(), Type: consoleError, URL: f.URL})
		}
	}
	return entries
}

// sentence is what the browser's console says of such a request.
func (f FailedRequest) sentence() string {
	if f.Status == 0 {
		return failedLoadPrefix + f.Error
	}
	return failedLoadPrefix + "the server responded with a status of " + strconv.Itoa(f.Status)
}
