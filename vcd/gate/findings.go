package gate

import (
	"cmp"
	"slices"
	"strings"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// findings gathers what was found on pages into reasons.
type findings struct {
	tally  *tally
	rules  Rules
	own    map[vcd.ID]Rules
	roots  *extents
	rooted map[rootKey]*rooted
}

func (f *findings) rulesOf(group vcd.ID) *Rules {
	if own, ok := f.own[group]; ok {
		return &own
	}
	return &f.rules
}

// fate is what has become of a page as a whole, "" for a page of which nothing speaks against the update. One that is lost, replaced or
// blank has no other faults, and what somebody has decided stands; any other is plain: it has to be looked at closely.
func fate(s *vcd.Suspect) (kind Kind, plain bool) {
	open := s.Status == vcd.ComparisonNew
	switch {
	case s.Status == vcd.ComparisonFalsePositive, s.Status == vcd.ComparisonOK && s.Alarmed: // somebody found it fine
		return "", false
	case s.Status == vcd.ComparisonToFix:
		return ToFix, false
	case alarming(s, page.ChangedStatus):
		return Lost, false
	case open && broken(s.Wall):
		return Replaced, false
	case open && s.Verification != nil && s.Verification.Issue == vcd.IssueAfterBlank:
		return Blank, false
	}
	return "", true
}

// look finds what is wrong with a page.
func (f *findings) look(s *vcd.Suspect) {
	switch kind, plain := fate(s); {
	case plain:
		f.lookClosely(s)
	case kind == Replaced:
		f.add(f.tally, key{kind: kind, name: string(s.Wall.Kind)}, f.rulesOf(s.GroupID).Alert, s).what.names = []string{said(s.Wall.What())}
	case kind != "":
		f.add(f.tally, key{kind: kind}, f.rulesOf(s.GroupID).Alert, s)
	}
}

// lookClosely tells of faults of a page that is there: first of its roots, then of what else there is, below the first of them.
func (f *findings) lookClosely(s *vcd.Suspect) {
	rules, told, on := f.rulesOf(s.GroupID), false, f.tally
	if r := f.lookForRoots(s, rules); r != nil {
		told, on = true, r.below
	}
	tell := func(holds bool, on *tally, kind Kind, decision Decision) {
		if told = told || holds; holds {
			f.add(on, key{kind: kind}, decision, s)
		}
	}
	tell(alarming(s, page.ChangedRobots), f.tally, Hidden, rules.hidden(s))
	if s.Status != vcd.ComparisonNew {
		return
	}
	seen := *s.Comparison // without what has reasons of its own
	seen.PageAlarm, seen.TruncationAlarm, seen.UnseenAlarm = false, false, false
	gravity := seen.Gravity()
	tell(s.TruncationAlarm || s.UnseenAlarm, f.tally, NotSeen, Ask)
	tell(gravity == vcd.CategoryAlert, on, Damaged, rules.Alert)
	if gravity == vcd.CategoryNotSure && s.AboveThreshold() {
		kind := Unclear
		if v := s.Verification; v == nil || len(v.Judged()) == 0 {
			kind = Changed
		}
		tell(true, on, kind, rules.NotSure)
	}
	tell(!told, on, Unclear, rules.NotSure)
}

// hidden is what is done about a page that search engines no longer list: whether that is an alert is for its group to say.
func (r *Rules) hidden(s *vcd.Suspect) Decision {
	if s.PageAlarm {
		return r.Alert
	}
	return r.NotSure
}

func alarming(s *vcd.Suspect, kind page.ChangeKind) bool {
	return slices.ContainsFunc(s.PageChanges, func(c page.Change) bool { return c.Kind == kind && c.Severity == page.SeverityAlarm })
}

// broken reports whether the page is not there, rather than not shown to visitors like us.
func broken(wall *page.Wall) bool { return wall != nil && !wall.Hides() }

// uncaught reports whether a script stopped with an error that no feedback rule silences.
func uncaught(e vcd.DifferentEntry) bool {
	return e.Rule == nil && e.Type == page.ConsoleError && strings.HasPrefix(e.Text, "Uncaught")
}

// answers are the reasons of package capture that an answer of the site itself gave. Other screenshots fail on the way to it, in the
// browser, or because the page is too large or slow.
var answers = []string{"http_status", "redirect_loop", "not_html", "download"}

// miss notes a page that was not compared.
func (f *findings) miss(p *vcd.UncomparedPage) {
	rules := f.rulesOf(p.GroupID)
	note := func(k key, decision Decision) *Reason { return f.note(f.tally, k, decision, rules, p.Address) }
	switch {
	case p.Seen && slices.Contains(answers, p.Reason):
		note(key{kind: Missing}, rules.Missing)
	case p.Reason == "" && (p.Failed == "" || p.Failed == "no_screenshot"):
		note(key{kind: Unpaired}, Ask)
	case p.Wall != nil && p.Failed == vcd.ReasonWall:
		note(key{kind: NotSeen, name: string(p.Wall.Kind)}, Ask).what.names = []string{said(p.Wall.What())}
	default:
		note(key{kind: NotSeen}, Ask)
	}
}

func (f *findings) add(on *tally, k key, decision Decision, s *vcd.Suspect) *Reason {
	r := f.note(on, k, decision, f.rulesOf(s.GroupID), s.URLAddress)
	r.show(s.ID)
	return r
}

// unknown are the kinds of reasons that say what is not known. They roll nothing back, wherever it is.
var unknown = []Kind{Changed, NotSeen, Unpaired, More}

// note counts a page.
func (f *findings) note(on *tally, k key, decision Decision, rules *Rules, address string) *Reason {
	k.strict = decision == Ask && !slices.Contains(unknown, k.kind) && rules.strict(address)
	if k.decision = decision; k.strict {
		k.decision = RollBack
	}
	return on.note(k, address)
}

// reasons are those that were found, the strongest decisions first.
func (f *findings) reasons() []Reason {
	reasons := f.tally.reasons()
	for _, r := range f.rooted {
		reasons = append(reasons, r.asReason(f.roots.total))
	}
	sortReasons(reasons)
	return reasons
}

func sortReasons(reasons []Reason) {
	slices.SortFunc(reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Decision.weight(), a.Decision.weight()),
			cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind)), cmp.Compare(b.Pages, a.Pages),
			strings.Compare(a.Sentence, b.Sentence))
	})
}

// order is that in which reasons of equal weight are told: what explains a whole run comes first.
var order = []Kind{Lost, Replaced, ErrorText, Host, Theme, Language, StyleSheet, Script, MixedContent, ScriptError, Blank, Missing, ToFix,
	Damaged, Hidden, Unclear, Changed, NotSeen, Unpaired, More}
