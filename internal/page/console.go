package page

import "slices"

// MaxConsoleEntries is how many entries of a page's console the capture engine keeps: the first ones.
const MaxConsoleEntries = 100

// maxConsoleDifferences limits both the added and the removed entries that are kept.
const maxConsoleDifferences = 100

const (
	// ConsoleError is the type of error entries.
	ConsoleError = "error"
	// FailedLoadPrefix is the beginning of the browser's entry about a resource that failed to load.
	FailedLoadPrefix = "Failed to load resource: "
)

// ConsoleEntry is an entry of the page's console.
type ConsoleEntry struct {
	Text string `json:"text"`
	Type string `json:"type"` // log, info, warning, error, debug …
	URL  string `json:"url"`  // of the script or resource that it is about; empty when unknown
}

// CompareConsoles finds the entries whose pattern is in only one of the consoles, each once and in the order in which
// the page logged them. The number of occurrences is ignored: entries logged on a timer repeat as often as time allows.
func CompareConsoles(before, after []ConsoleEntry) (added, removed []ConsoleEntry) {
	patterns := make(map[ConsoleEntry]ConsolePattern, len(before)+len(after))
	for _, e := range slices.Concat(before, after) {
		if _, known := patterns[e]; !known {
			patterns[e] = e.Pattern()
		}
	}
	return without(after, before, patterns), without(before, after, patterns)
}

// without lists the entries of distinct patterns that are not among the others. If the others fill their console, a
// missing entry may have been logged after its end: then only errors are listed.
func without(entries, others []ConsoleEntry, patterns map[ConsoleEntry]ConsolePattern) []ConsoleEntry {
	known := make(map[ConsolePattern]bool, len(entries)+len(others))
	for _, e := range others {
		known[patterns[e]] = true
	}
	full := len(others) >= MaxConsoleEntries
	var rest []ConsoleEntry
	for _, e := range entries {
		if known[patterns[e]] || len(rest) == maxConsoleDifferences || full && e.Type != ConsoleError {
			continue
		}
		known[patterns[e]] = true
		rest = append(rest, e)
	}
	return rest
}
