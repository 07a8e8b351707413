// Package gate decides what becomes of an update that was made between two visits of a site: whether it stays, is rolled back, or
// somebody has to look. It only weighs what comparisons say.
package gate

import (
	"slices"

	"afterimage/vcd"
)

// Decision is what to do with an update.
type Decision string

// The decisions.
const (
	Keep     Decision = "keep"
	RollBack Decision = "roll_back"
	Ask      Decision = "ask"     // a person decides
	NotYet   Decision = "not_yet" // the run has not ended
)

// weight orders decisions: of several, the weightiest prevails.
func (d Decision) weight() int { return slices.Index([]Decision{Keep, Ask, RollBack, NotYet}, d) }

// Kind is what a reason is about.
type Kind string

// The kinds of reasons.
const (
	Running   Kind = "running"   // entries of the run have not ended
	Cancelled Kind = "cancelled" // the run was cancelled: it says nothing
	Expired   Kind = "expired"   // what was compared has been removed since
	Before    Kind = "before"    // the run is the one before the update
	Unpaired  Kind = "unpaired"  // there was nothing to compare with
	NotSeen   Kind = "not_seen"  // the page could not be captured or compared, which may have other reasons than the update
	More      Kind = "more"      // there is more than was considered
	Lost      Kind = "lost"      // the page answers with an error
	Replaced  Kind = "replaced"  // an error message or a notice stands in its place
	Blank     Kind = "blank"     // it is empty
	Missing   Kind = "missing"   // the site no longer serves a page
	ToFix     Kind = "to_fix"    // somebody decided that it has to be fixed
	Damaged   Kind = "damaged"   // a change that is an alert
	Hidden    Kind = "hidden"    // search engines are asked not to list it
	Unclear   Kind = "unclear"   // a change that somebody should look at
	Changed   Kind = "changed"   // a change that was not judged

	// Roots explain many changes of a page, and are often on many pages.

	ErrorText    Kind = "error_text"    // an error message of PHP, a database, a framework
	Host         Kind = "host"          // the page leads to another host
	Theme        Kind = "theme"         // another theme
	Language     Kind = "language"      // another language
	StyleSheet   Kind = "style_sheet"   // one that does not load
	Script       Kind = "script"        // one that does not load
	MixedContent Kind = "mixed_content" // parts are wanted without encryption
	ScriptError  Kind = "script_error"  // an error that nobody caught
)

// Reason is why a decision was taken, about one or several pages.
type Reason struct {
	Kind        Kind
	Decision    Decision
	MustBeFine  bool // it is about pages that must be fine, and would decide otherwise about others
	Sentence    string
	Comparisons []vcd.ID // at most MaxNamed
	Pages       int      // addresses, on whatever devices
	// Folded is what else was found on the pages of a root, which most likely follows from it. The decision on the root is at least as
	// severe.
	Folded []Reason

	what  phrase
	total int // pages that were compared
}

// phrase is what is told of one root or wall.
type phrase struct {
	names   []string
	because string
	known   bool
	strict  int // pages that must be fine
}

// Names are what the reason is about: files that do not load, an error of a script, a kind of error message, or what a page shows
// instead. It is empty for other kinds, and where there are too many.
func (r *Reason) Names() []string { return append([]string{}, r.what.names...) }

// Cause is why a file does not load, or the script that threw an error; "" if that is not known.
func (r *Reason) Cause() string { return r.what.because }

// MaxNamed is how many comparisons a reason names.
const MaxNamed = 20

// Run is what is known of a run after an update.
type Run struct {
	Batch      *vcd.Batch
	Suspects   []*vcd.Suspect
	Uncompared []*vcd.UncomparedPage
	Pages      int              // that were compared, on whatever devices
	Rules      map[vcd.ID]Rules // of groups that have their own
	More       bool             // there are more of either
}

// Verdict is a decision with its reasons, those that weigh most first.
type Verdict struct {
	Decision Decision
	Reasons  []Reason
}

// Decided is the verdict on a run that need not be read for it; false if it has to be.
func Decided(b *vcd.Batch) (Verdict, bool) {
	because := func(kind Kind, decision Decision, sentence string) (Verdict, bool) {
		return Verdict{decision, []Reason{{Kind: kind, Decision: decision, Sentence: sentence}}}, true
	}
	switch {
	case b.FinishedAt == nil:
		return because(Running, NotYet, runningWords(b.Counts))
	case b.CancelledAt != nil:
		return because(Cancelled, Ask, "The run was cancelled, so it does not show what the update did.")
	case b.ExpiredAt != nil:
		return because(Expired, Ask, "The comparisons of this run have since been removed.")
	case b.Type == vcd.QueuePre:
		return because(Before, Ask, "This is the run before the update: ask about the run after it.")
	}
	return Verdict{}, false
}

// Judge decides about a run, by the given rules in groups without their own. It is a function of its arguments: the same run gives the same
// verdict.
func Judge(run Run, rules Rules) Verdict {
	if v, ok := Decided(run.Batch); ok {
		return v
	}
	found := findings{tally: newTally(), rules: rules, own: run.Rules, roots: gather(run), rooted: map[rootKey]*rooted{}}
	for _, p := range run.Uncompared {
		found.miss(p)
	}
	for _, s := range run.Suspects {
		found.look(s)
	}
	if c := run.Batch.Comparisons; len(run.Uncompared) == 0 && c.OK+c.New+c.FalsePositive+c.ToFix == 0 {
		found.tally.reason(key{kind: Unpaired, decision: Ask})
	}
	if run.More {
		found.tally.reason(key{kind: More, decision: Ask})
	}
	v := Verdict{Decision: Keep, Reasons: found.reasons()}
	if len(v.Reasons) > 0 {
		v.Decision = v.Reasons[0].Decision
	}
	return v
}
