package page

import "slices"

// MaxConsoleEntries is how many entries the capture engine keeps of a page's console, the first ones.
const MaxConsoleEntries = 100

// maxConsoleDifferences are kept of what was added, and of what was removed.
const maxConsoleDifferences = 100

const (
	// ConsoleError is the type of entries that tell of an error.
	ConsoleError = "error"
	// FailedLoadPrefix begins an entry about a resource that did not arrive, as the browser writes it.
	FailedLoadPrefix = "Failed to load resource: "
)

// ConsoleEntry is a line of the page's console.
type ConsoleEntry struct {
	Text string `json:"text"`
	Type string `json:"type"` // log, info, warning, error, debug …
	URL  string `json:"url"`  // of the script or resource that it is about; empty when unknown
}

// CompareConsoles finds the entries whose pattern is in one console only, each once and in the order in which the page wrote
// them. How often an entry occurs does not count: what a page says on a timer it says as often as it had time to.
func CompareConsoles(before, after []ConsoleEntry) (added, removed []ConsoleEntry) {
	patterns := make(map[ConsoleEntry]ConsolePattern, len(before)+len(after))
	for _, e := range slices.Concat(before, after) {
		if _, known := patterns[e]; !known {
			patterns[e] = e.Pattern()
		}
	}
	return without(after, before, patterns), without(before, after, patterns)
}

// without lists the entries of distinct patterns that are not among the others. When the others fill their console, what is
// not among them may have been written behind its end: then only errors are told.
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
