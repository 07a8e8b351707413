package gate

import (
	"cmp"
	"slices"
	"strings"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// key is what pages of one reason have in common.
type key struct {
	kind     Kind
	decision Decision
	strict   bool
}

// findings gathers what was found on pages into reasons.
type findings struct {
	rules Rules
	of    map[key]*Reason
	pages map[place]bool
}

// place is a page that a reason counts, on whatever devices.
type place struct {
	reason  key
	address string
}

// look finds what is wrong with a page. One that is lost, replaced or blank has no other faults, and what somebody has decided stands.
func (f *findings) look(s *vcd.Suspect) {
	open := s.Status == vcd.ComparisonNew
	switch {
	case s.Status == vcd.ComparisonFalsePositive, s.Status == vcd.ComparisonOK && s.Alarmed: // somebody found it fine
	case s.Status == vcd.ComparisonToFix:
		f.add(ToFix, f.rules.Alert, s)
	case alarming(s, page.ChangedStatus):
		f.add(Lost, f.rules.Alert, s)
	case open && broken(s.Wall):
		f.add(Replaced, f.rules.Alert, s)
	case open && s.Verification != nil && s.Verification.Issue == vcd.IssueAfterBlank:
		f.add(Blank, f.rules.Alert, s)
	default:
		told := f.lookClosely(s)
		if open && !told {
			f.add(Unclear, f.rules.NotSure, s)
		}
	}
}

// lookClosely tells of faults of a page that is there, and whether it found any.
func (f *findings) lookClosely(s *vcd.Suspect) bool {
	told := false
	tell := func(holds bool, kind Kind, decision Decision) {
		if told = told || holds; holds {
			f.add(kind, decision, s)
		}
	}
	tell(alarming(s, page.ChangedRobots), Hidden, f.rules.hidden(s))
	tell(slices.ContainsFunc(s.Console.Added, uncaught), ScriptError, f.rules.Error)
	if s.Status != vcd.ComparisonNew {
		return told
	}
	seen := *s.Comparison // without what has reasons of its own
	seen.PageAlarm, seen.TruncationAlarm, seen.UnseenAlarm = false, false, false
	gravity := seen.Gravity()
	tell(s.TruncationAlarm || s.UnseenAlarm, NotSeen, Ask)
	tell(gravity == vcd.CategoryAlert, Damaged, f.rules.Alert)
	if gravity == vcd.CategoryNotSure && s.AboveThreshold() {
		kind := Unclear
		if v := s.Verification; v == nil || len(v.Judged()) == 0 {
			kind = Changed
		}
		tell(true, kind, f.rules.NotSure)
	}
	return told
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
func broken(wall page.WallKind) bool { return wall != "" && !(&page.Wall{Kind: wall}).Hides() }

// uncaught reports whether a script stopped with an error that no feedback rule silences.
func uncaught(e vcd.DifferentEntry) bool {
	return e.Rule == nil && e.Type == page.ConsoleError && strings.HasPrefix(e.Text, "Uncaught")
}

// answers are the reasons of package capture that an answer of the site itself gave. Other screenshots fail on the way to it, in the
// browser, or because the page is too large or slow.
var answers = []string{"http_status", "redirect_loop", "not_html", "download"}

// miss notes a page that was not compared.
func (f *findings) miss(p *vcd.UncomparedPage) {
	switch {
	case p.Seen && slices.Contains(answers, p.Reason):
		f.note(Missing, f.rules.Missing, p.Address)
	case p.Reason == "" && (p.Failed == "" || p.Failed == "no_screenshot"):
		f.note(Unpaired, Ask, p.Address)
	default:
		f.note(NotSeen, Ask, p.Address)
	}
}

func (f *findings) add(kind Kind, decision Decision, s *vcd.Suspect) {
	r := f.note(kind, decision, s.URLAddress)
	if len(r.Comparisons) < MaxNamed {
		r.Comparisons = append(r.Comparisons, s.ID)
	}
}

// unknown are the kinds of reasons that say what is not known. They roll nothing back, wherever it is.
var unknown = []Kind{Changed, NotSeen, Unpaired, More}

// note counts a page.
func (f *findings) note(kind Kind, decision Decision, address string) *Reason {
	strict := decision == Ask && !slices.Contains(unknown, kind) && f.rules.strict(address)
	if strict {
		decision = RollBack
	}
	k := key{kind, decision, strict}
	r := f.reason(k)
	if at := (place{k, address}); !f.pages[at] {
		f.pages[at] = true
		r.Pages++
	}
	return r
}

func (f *findings) reason(k key) *Reason {
	if f.of[k] == nil {
		f.of[k] = &Reason{Kind: k.kind, Decision: k.decision, MustBeFine: k.strict}
	}
	return f.of[k]
}

// order is that in which reasons of equal weight are told.
var order = []Kind{Lost, Replaced, Blank, Missing, ToFix, Damaged, Hidden, ScriptError, Unclear, Changed, NotSeen, Unpaired, More}

// reasons are those that were found, the strongest decisions first.
func (f *findings) reasons() []Reason {
	reasons := []Reason{}
	for _, r := range f.of {
		if r.Decision != Keep {
			r.Sentence = words(*r)
			reasons = append(reasons, *r)
		}
	}
	slices.SortFunc(reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Decision.weight(), a.Decision.weight()),
			cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind)), strings.Compare(a.Sentence, b.Sentence))
	})
	return reasons
}
