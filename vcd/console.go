package vcd

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
	Change         ConsoleChange
	Added, Removed []ConsoleEntry // each once, in the order in which the page wrote them
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

// compareConsoles finds the entries that are in one console only. How often an entry occurs does not count: what a page
// says on a timer it says as often as it had time to.
func compareConsoles(before, after []ConsoleEntry) ConsoleDifference {
	d := ConsoleDifference{Added: without(after, before), Removed: without(before, after)}
	switch added, removed := len(d.Added) > 0, len(d.Removed) > 0; {
	case added && removed:
		d.Change = ConsoleMixed
	case added:
		d.Change = ConsoleAdded
	case removed:
		d.Change = ConsoleRemoved
	default:
		d.Change = ConsoleUnchanged
	}
	return d
}

// without lists the distinct entries that are not among the others.
func without(entries, others []ConsoleEntry) []ConsoleEntry {
	known := make(map[ConsoleEntry]bool, len(entries)+len(others))
	for _, e := range others {
		known[e] = true
	}
	var rest []ConsoleEntry
	for _, e := range entries {
		if !known[e] {
			known[e] = true
			rest = append(rest, e)
		}
	}
	return rest
}
