package gate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/gate"
)

// told are the reasons of a verdict, with what is folded below them.
func told(v gate.Verdict) string {
	var text strings.Builder
	for _, r := range v.Reasons {
		fmt.Fprintf(&text, "%s %s\n", r.Decision, r.Sentence)
		for _, folded := range r.Folded {
			fmt.Fprintf(&text, "  %s %s\n", folded.Decision, folded.Sentence)
		}
	}
	return text.String()
}

// TestWhatExplainsARunIsToldOnce: it is one reason, and what follows from it on these pages is none of its own.
func TestWhatExplainsARunIsToldOnce(t *testing.T) {
	for name, test := range map[string]struct {
		what []string
		want string
	}{
		"style sheet": {[]string{"style sheet", "style sheet", "nothing"},
			"roll_back The style sheet a.css no longer loads on 2 of 3 pages (HTTP status 404).\n" +
				"  ask 2 pages have changes that need review.\n"},
		"style sheet on few": {[]string{"style sheet", "style sheet", "nothing", "unclear", "nothing"},
			"ask The style sheet a.css no longer loads on 2 of 5 pages (HTTP status 404).\n" +
				"  ask 2 pages have changes that need review.\nask One page has a change that needs review.\n"},
		"script of others": {[]string{"their script", "their script"},
			"ask The script a.js no longer loads on 2 of 2 pages (HTTP status 404).\n" +
				"  ask 2 pages have changes that need review.\n"},
		"theme": {[]string{"theme", "theme"}, "ask 2 of 2 pages use the theme oak instead of ash.\n" +
			"  ask 2 pages changed, and the changes were not judged.\n"},
		"language": {[]string{"language"}, "ask One page is in the language “de” instead of “en”.\n" +
			"  ask One page changed, and the change was not judged.\n"},
		"host": {[]string{"host", "host"}, "ask 2 of 2 pages lead to staging.example.com instead of example.com.\n" +
			"  ask 2 pages changed, and the changes were not judged.\n"},
		"mixed content": {[]string{"mixed content"},
			"ask One page now loads something from cdn.test without encryption (mixed content).\n"},
		"error text": {[]string{"error text", "nothing"}, "roll_back One of 2 pages shows a PHP error that it did not show before.\n" +
			"  roll_back One page has a change that looks like damage.\n"},
		"several": {[]string{"error text", "theme"}, "roll_back One of 2 pages shows a PHP error that it did not show before.\n" +
			"  roll_back One page has a change that looks like damage.\nask One of 2 pages uses the theme oak instead of ash.\n" +
			"  ask One page changed, and the change was not judged.\n"},
	} {
		if got := told(gate.Judge(finished(test.what...), gate.Default())); got != test.want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// TestDamageIsNotHiddenBelowARoot: what is folded counts as much as elsewhere.
func TestDamageIsNotHiddenBelowARoot(t *testing.T) {
	run := finished("theme", "nothing", "nothing")
	run.Suspects[0].Verification.Findings = []vcd.Finding{{FoundChange: vcd.FoundChange{Category: vcd.CategoryAlert}}}
	v := gate.Judge(run, gate.Default())
	if want := "roll_back One of 3 pages uses the theme oak instead of ash.\n" +
		"  roll_back One page has a change that looks like damage.\n"; told(v) !=
		want || v.Decision != gate.RollBack {
		t.Errorf("%s because of\n%s", v.Decision, told(v))
	}
}

// TestWhatIsLostTogetherIsOneReason: and an error of a script that misses another is told below it.
func TestWhatIsLostTogetherIsOneReason(t *testing.T) {
	run := finished("style sheet", "style sheet")
	for i, s := range run.Suspects {
		for n := range 5 {
			lost("Script", fmt.Sprintf("https://example.com/part-%c.js", 'a'+n))(s)
		}
		e := threw("")[0]
		e.Text = fmt.Sprintf("Uncaught ReferenceError: cart is not defined\n    at https://example.com/page-%d:1:2", i)
		s.Console.Added = append(s.Console.Added, e)
	}
	if got, want := told(gate.Judge(run, gate.Default())),
		"roll_back The style sheet a.css no longer loads on 2 of 2 pages (HTTP status 404).\n"+
			"  ask 2 pages have changes that need review.\n"+
			"roll_back The scripts part-a.js, part-b.js, part-c.js and 2 more no longer load on 2 of 2 pages (HTTP status 404).\n"+
			"  roll_back 2 pages have a new uncaught script error: ReferenceError: cart is not defined.\n"; got != want {
		t.Errorf("%s", got)
	}
}

// TestWhatDidNotLoadBeforeIsNotLost: it is asked about, whichever pages it is on, and not at all if it failed before, too.
func TestWhatDidNotLoadBeforeIsNotLost(t *testing.T) {
	run := finished("style sheet", "style sheet")
	for _, s := range run.Suspects {
		s.Gone = nil
		s.Failed[0].Status, s.Failed[0].Error = 0, "net::ERR_BLOCKED_BY_CLIENT"
	}
	if got := told(gate.Judge(run, gate.Default())); !strings.HasPrefix(got,
		"ask The style sheet a.css does not load on 2 of 2 pages (ERR_BLOCKED_BY_CLIENT).\n") {
		t.Errorf("%s", got)
	}
	for _, s := range run.Suspects {
		s.Console.Added = nil
	}
	if got := told(gate.Judge(run, gate.Default())); got != "ask 2 pages have changes that need review.\n" {
		t.Errorf("%s", got)
	}
}

// TestManyRootsAreBounded: a run of ten thousand pages, each with errors of its own, and text that pages choose.
func TestManyRootsAreBounded(t *testing.T) {
	run := finished(slices.Repeat([]string{"nothing"}, 500)...)
	run.Pages, run.More = 10_000, true
	for i, s := range run.Suspects {
		s.Status = vcd.ComparisonNew
		for n := range 30 {
			text := fmt.Sprintf("Uncaught Error: %s\u202e%s", strings.Repeat(string(rune('a'+i%26)), 1+i/26), strings.Repeat("x", 1+10*n))
			s.Console.Added = append(s.Console.Added, vcd.DifferentEntry{ConsoleEntry: page.ConsoleEntry{Type: "error", Text: text}})
		}
	}
	v := gate.Judge(run, gate.Default())
	if n := len(v.Reasons); n > 25 || v.Decision != gate.Ask {
		t.Errorf("%s because of %d reasons", v.Decision, n)
	}
	for _, r := range v.Reasons {
		if len(r.Sentence) > 400 || strings.ContainsRune(r.Sentence, '\u202e') || r.Pages > 500 {
			t.Errorf("%+v", r)
		}
	}
	for i := range run.Suspects {
		run.Suspects[i].Console.Added = threw("")
	}
	if got := told(gate.Judge(run, gate.Default())); !strings.HasPrefix(got,
		"roll_back A new uncaught script error on 500 of 500 pages: TypeError: cart is undefined.\n") {
		t.Errorf("%s", got)
	}
}

// TestGroupsHaveRulesOfTheirOwn: in one run, each page is weighed by those of its group.
func TestGroupsHaveRulesOfTheirOwn(t *testing.T) {
	run := finished("style sheet", "style sheet", "error", "lost")
	ignore := gate.Default()
	ignore.Part, ignore.Error, ignore.NotSure, ignore.Alert = gate.Keep, gate.Keep, gate.Keep, gate.Ask
	run.Rules = map[vcd.ID]gate.Rules{"calm": ignore}
	for _, s := range run.Suspects[1:] {
		s.GroupID = "calm"
	}
	if got, want := told(gate.Judge(run, gate.Default())),
		"roll_back The style sheet a.css no longer loads on one of 4 pages (HTTP status 404).\n"+
			"  ask One page has a change that needs review.\nask One page now answers with an error.\n"; got != want {
		t.Errorf("%s", got)
	}
}
