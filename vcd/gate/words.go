package gate

import (
	"fmt"

	"afterimage/vcd"
)

func runningWords(entries vcd.StatusCounts) string {
	left := entries.Open + entries.Processing
	if left == 0 {
		return "The run has not ended."
	}
	return fmt.Sprintf("%d of %d screenshots and comparisons have not ended.", left, entries.Total())
}

// saying is how a reason goes on after “One page” and after “12 pages”.
var saying = map[Kind][2]string{
	Lost:     {"now answers with an error", "now answer with an error"},
	Replaced: {"shows an error or a notice instead of its content", "show an error or a notice instead of their content"},
	Blank:    {"is now blank", "are now blank"},
	Missing:  {"is no longer served by the site", "are no longer served by the site"},
	ToFix:    {"was marked to be fixed", "were marked to be fixed"},
	Damaged:  {"has a change that looks like damage", "have changes that look like damage"},
	Hidden:   {"now asks search engines not to list it", "now ask search engines not to list them"},
	Unclear:  {"has a change that needs review", "have changes that need review"},
	Changed:  {"changed, and the change was not judged", "changed, and the changes were not judged"},
	NotSeen: {"could not be fully captured or compared, possibly for reasons other than the update",
		"could not be fully captured or compared, possibly for reasons other than the update"},
	Unpaired: {"has no screenshot from before the update", "have no screenshots from before the update"},
}

// words say a reason in a sentence.
func words(r *Reason) string {
	says, strict := saying[r.Kind], ""
	if len(r.what.names) > 0 {
		says = specific(r)
	}
	if r.MustBeFine {
		strict = " that must be fine"
	}
	switch {
	case r.Kind == More:
		return "There are more comparisons or failed pages than this verdict considers."
	case r.Pages == 0:
		return "There was nothing to compare: take screenshots before the update, too."
	case r.Pages == 1:
		return "One page" + strict + " " + says[0] + "."
	}
	return fmt.Sprintf("%d pages%s %s.", r.Pages, strict, says[1])
}

// specific is how a reason with a name goes on.
func specific(r *Reason) [2]string {
	what := r.what.names[0]
	switch r.Kind {
	case Replaced:
		return [2]string{"shows " + what + " instead of its content", "show " + what + " instead of their content"}
	case NotSeen:
		return [2]string{"could not be compared: it shows " + what, "could not be compared: they show " + what}
	default: // an error below the script that it misses
		what = "a new uncaught script error: " + what + in(r.what.because)
		return [2]string{"has " + what, "have " + what}
	}
}
