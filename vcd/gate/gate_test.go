package gate_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/gate"
)

// wrong are comparisons by what is wrong with them.
var wrong = map[string]func(*vcd.Suspect){
	"nothing": func(s *vcd.Suspect) { s.Status = vcd.ComparisonOK },
	"approved": func(s *vcd.Suspect) {
		s.Status, s.Alarmed, s.PageChanges = vcd.ComparisonOK, true, alarm(page.ChangedStatus)
		s.Console.Added = threw("")
	},
	"false positive":      func(s *vcd.Suspect) { s.Status, s.Console.Added = vcd.ComparisonFalsePositive, threw("") },
	"to fix":              func(s *vcd.Suspect) { s.Status = vcd.ComparisonToFix },
	"lost":                func(s *vcd.Suspect) { s.PageAlarm, s.PageChanges = true, alarm(page.ChangedStatus) },
	"lost, and no matter": func(s *vcd.Suspect) { s.Status, s.PageChanges = vcd.ComparisonOK, alarm(page.ChangedStatus) },
	"hidden":              func(s *vcd.Suspect) { s.Status, s.PageChanges = vcd.ComparisonOK, alarm(page.ChangedRobots) },
	"hidden, an alarm":    func(s *vcd.Suspect) { s.PageAlarm, s.PageChanges = true, alarm(page.ChangedRobots) },
	"maintenance":         func(s *vcd.Suspect) { s.Wall = &page.Wall{Kind: page.WallMaintenance, Sign: "Back soon"} },
	"consent":             func(s *vcd.Suspect) { s.Wall = &page.Wall{Kind: page.WallConsent} },
	"blank":               func(s *vcd.Suspect) { s.Verification.Issue = vcd.IssueAfterBlank },
	"damaged":             judged(vcd.CategoryAlert),
	"unclear":             judged(vcd.CategoryNotSure),
	"changed":             func(s *vcd.Suspect) { s.Verification = nil },
	"reopened":            func(s *vcd.Suspect) { s.Difference.Percent = 0 },
	"cut off":             func(s *vcd.Suspect) { s.TruncationAlarm, s.Difference.Percent = true, 0 },
	"error":               func(s *vcd.Suspect) { s.Status, s.Console.Added = vcd.ComparisonOK, threw("") },
	"style sheet":         lost("Stylesheet", "https://example.com/a.css?v=2"),
	"script":              lost("Script", "https://example.com/a.js"),
	"their script":        lost("Script", "https://cdn.test/a.js"),
	"theme":               func(s *vcd.Suspect) { s.PageChanges = warning(page.ChangedTheme, "ash", "oak") },
	"language":            func(s *vcd.Suspect) { s.PageChanges = warning(page.ChangedLanguage, "en", "de") },
	"host": func(s *vcd.Suspect) {
		s.PageChanges = warning(page.ChangedAddress, "https://example.com/a", "https://staging.example.com/a")
	},
	"error text": func(s *vcd.Suspect) {
		s.Verification.Findings = []vcd.Finding{{FoundChange: vcd.FoundChange{Category: vcd.CategoryAlert}, Error: "a PHP error"}}
	},
	"mixed content": func(s *vcd.Suspect) {
		s.Status = vcd.ComparisonOK
		s.Console.Added = []vcd.DifferentEntry{{ConsoleEntry: page.ConsoleEntry{Type: "warning",
			Text: "Mixed Content: The page at 'https://example.com/' was loaded over HTTPS, but requested an insecure image " +
				"'http://cdn.test/a.png'. This content should also be served over HTTPS."}}}
	},
	"silenced error": func(s *vcd.Suspect) { s.Status, s.Console.Added = vcd.ComparisonOK, threw("a rule") },
}

func judged(category vcd.Category) func(*vcd.Suspect) {
	return func(s *vcd.Suspect) {
		s.Verification.Findings = []vcd.Finding{{FoundChange: vcd.FoundChange{Category: category}}}
	}
}

func alarm(kind page.ChangeKind) []page.Change {
	return []page.Change{{Kind: kind, Severity: page.SeverityAlarm}}
}

func warning(kind page.ChangeKind, before, after string) []page.Change {
	return []page.Change{{Kind: kind, Severity: page.SeverityWarning, Before: before, After: after}}
}

// lost is a part that loaded before and is missing since; the page looks broken.
func lost(kind, address string) func(*vcd.Suspect) {
	return func(s *vcd.Suspect) {
		judged(vcd.CategoryNotSure)(s)
		s.Console.Added = append(s.Console.Added, vcd.DifferentEntry{ConsoleEntry: page.ConsoleEntry{Type: "error",
			Text: page.FailedLoadPrefix + "the server responded with a status of 404 ()", URL: address}})
		s.Failed = append(s.Failed, page.FailedRequest{URL: address, Type: kind, Status: 404})
		before, _, _ := strings.Cut(address, "?")
		s.Gone = append(s.Gone, vcd.AssetChange{Before: before + "?v=1"})
	}
}

func threw(rule vcd.ID) []vcd.DifferentEntry {
	e := vcd.DifferentEntry{ConsoleEntry: page.ConsoleEntry{Type: "error", Text: "Uncaught TypeError: cart is undefined"}}
	if rule != "" {
		e.Rule = &rule
	}
	return []vcd.DifferentEntry{e}
}

func suspect(address, what string) *vcd.Suspect {
	s := &vcd.Suspect{Comparison: &vcd.Comparison{ID: vcd.ID("of " + address), URLAddress: address, Status: vcd.ComparisonNew,
		Difference: vcd.Difference{Percent: 5}, Verification: &vcd.Verification{Status: vcd.VerificationVerified}}}
	wrong[what](s)
	return s
}

func finished(what ...string) gate.Run {
	now := time.Unix(1_800_000_000, 0)
	run := gate.Run{Batch: &vcd.Batch{Type: vcd.QueuePost, FinishedAt: &now,
		Comparisons: vcd.ComparisonCounts{OK: len(what)}}, Pages: len(what)}
	for i, w := range what {
		run.Suspects = append(run.Suspects, suspect(fmt.Sprintf("example.com/%d", i), w))
	}
	return run
}

func TestWhatBecomesOfAnUpdate(t *testing.T) {
	changed := func(change func(*gate.Run), what ...string) gate.Run {
		run := finished(what...)
		change(&run)
		return run
	}
	batch := func(change func(*vcd.Batch)) gate.Run {
		return changed(func(r *gate.Run) { change(r.Batch) }, "damaged")
	}
	uncompared := func(p vcd.UncomparedPage) gate.Run {
		return changed(func(r *gate.Run) { r.Uncompared = []*vcd.UncomparedPage{&p} }, "nothing")
	}
	const notSeen = "One page could not be fully captured or compared, possibly for reasons other than the update."
	for name, test := range map[string]struct {
		run      gate.Run
		decision gate.Decision
		sentence string // the first
	}{
		"running": {batch(func(b *vcd.Batch) {
			b.FinishedAt, b.Counts = nil, vcd.StatusCounts{Open: 2, Processing: 1, Done: 9}
		}), gate.NotYet, "3 of 12 screenshots and comparisons have not ended."},
		"cancelled": {batch(func(b *vcd.Batch) { b.CancelledAt = b.FinishedAt }), gate.Ask,
			"The run was cancelled, so it does not show what the update did."},
		"expired": {batch(func(b *vcd.Batch) { b.ExpiredAt = b.FinishedAt }), gate.Ask,
			"The comparisons of this run have since been removed."},
		"the run before": {batch(func(b *vcd.Batch) { b.Type = vcd.QueuePre }), gate.Ask,
			"This is the run before the update: ask about the run after it."},
		"nothing":          {finished("nothing", "approved", "false positive", "silenced error"), gate.Keep, ""},
		"lost":             {finished("nothing", "lost"), gate.RollBack, "One page now answers with an error."},
		"lost, a little":   {finished("lost, and no matter"), gate.RollBack, "One page now answers with an error."},
		"hidden":           {finished("hidden"), gate.Ask, "One page now asks search engines not to list it."},
		"hidden, an alarm": {finished("hidden, an alarm"), gate.RollBack, "One page now asks search engines not to list it."},
		"maintenance": {finished("maintenance"), gate.RollBack,
			"One page shows a maintenance notice (“Back soon”) instead of its content."},
		"consent": {finished("consent"), gate.Ask, "One page changed, and the change was not judged."},
		"blank":   {finished("blank", "blank"), gate.RollBack, "2 pages are now blank."},
		"both devices": {changed(func(r *gate.Run) { r.Suspects[1].URLAddress = r.Suspects[0].URLAddress }, "blank", "blank"),
			gate.RollBack, "One page is now blank."},
		"to fix":     {finished("to fix"), gate.RollBack, "One page was marked to be fixed."},
		"damaged":    {finished("unclear", "damaged"), gate.RollBack, "One page has a change that looks like damage."},
		"unclear":    {finished("unclear", "nothing"), gate.Ask, "One page has a change that needs review."},
		"not judged": {finished("changed", "changed"), gate.Ask, "2 pages changed, and the changes were not judged."},
		"reopened":   {finished("reopened"), gate.Ask, "One page has a change that needs review."},
		"cut off":    {finished("cut off"), gate.Ask, notSeen},
		"script error": {finished("error", "error"), gate.RollBack,
			"A new uncaught script error on 2 of 2 pages: TypeError: cart is undefined."},
		"script error on few": {finished("error", "nothing", "nothing"), gate.Ask,
			"A new uncaught script error on one of 3 pages: TypeError: cart is undefined."},
		"missing": {uncompared(vcd.UncomparedPage{Reason: "http_status", Seen: true, Failed: "no_screenshot"}), gate.RollBack,
			"One page is no longer served by the site."},
		"missing before": {uncompared(vcd.UncomparedPage{Reason: "http_status"}), gate.Ask, notSeen},
		"our browser":    {uncompared(vcd.UncomparedPage{Reason: "browser", Seen: true, Failed: "no_screenshot"}), gate.Ask, notSeen},
		"no connection":  {uncompared(vcd.UncomparedPage{Reason: "connect", Seen: true, Failed: "no_screenshot"}), gate.Ask, notSeen},
		"a wall":         {uncompared(vcd.UncomparedPage{Seen: true, Failed: "wall"}), gate.Ask, notSeen},
		"sign-in": {uncompared(vcd.UncomparedPage{Seen: true, Failed: "wall", Wall: &page.Wall{Kind: page.WallSignIn, Sign: "Log in"}}),
			gate.Ask, "One page could not be compared: it shows a sign-in page (“Log in”)."},
		"a new page": {uncompared(vcd.UncomparedPage{}), gate.Ask, "One page has no screenshot from before the update."},
		"none before": {uncompared(vcd.UncomparedPage{Seen: true, Failed: "no_screenshot"}), gate.Ask,
			"One page has no screenshot from before the update."},
		"no pages": {finished(), gate.Ask, "There was nothing to compare: take screenshots before the update, too."},
		"too many": {changed(func(r *gate.Run) { r.More = true }, "nothing"), gate.Ask,
			"There are more comparisons or failed pages than this verdict considers."},
	} {
		v := gate.Judge(test.run, gate.Default())
		first := ""
		if len(v.Reasons) > 0 {
			first = v.Reasons[0].Sentence
		}
		if v.Decision != test.decision || first != test.sentence {
			t.Errorf("%s: %s, because %q, want %s, because %q", name, v.Decision, first, test.decision, test.sentence)
		}
	}
}

// TestSomePagesMustBeFine: there, what would make somebody look rolls back, but not what is unknown.
func TestSomePagesMustBeFine(t *testing.T) {
	run := finished("unclear")
	for address, what := range map[string]string{
		"example.com/checkout/pay": "error", "example.com/en/Cart/?a=1": "unclear", "example.com/shop": "changed",
		"example.com/workshop": "unclear", "shop.example.com/": "unclear", "example.com/?from=/cart/": "unclear",
	} {
		run.Suspects = append(run.Suspects, suspect(address, what))
	}
	run.Uncompared = []*vcd.UncomparedPage{{Address: "example.com/contact", Reason: "browser", Seen: true}}
	got := ""
	for _, r := range gate.Judge(run, gate.Default()).Reasons {
		got += fmt.Sprintf("%s %s\n", r.Decision, r.Sentence)
	}
	if want := `roll_back A new uncaught script error on one of 7 pages, which must be fine: TypeError: cart is undefined.
roll_back One page that must be fine has a change that needs review.
ask 4 pages have changes that need review.
ask One page changed, and the change was not judged.
ask One page could not be fully captured or compared, possibly for reasons other than the update.
`; got != want {
		t.Errorf("%s", got)
	}
}

// TestRulesDecide: what a site's owner says is done, and what is worse never leads to less.
func TestRulesDecide(t *testing.T) {
	var kinds []string
	for kind := range wrong {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	decisions := rapid.SampledFrom([]gate.Decision{gate.Keep, gate.Ask, gate.RollBack})
	extents := rapid.SampledFrom([]gate.Decision{gate.Keep, gate.Ask, gate.RollBack, gate.ByExtent})
	strength := []gate.Decision{gate.Keep, gate.Ask, gate.RollBack}
	rapid.Check(t, func(t *rapid.T) {
		rules := gate.Rules{Alert: decisions.Draw(t, "alert"), NotSure: decisions.Draw(t, "not sure"), Error: extents.Draw(t, "error"),
			Part: extents.Draw(t, "part"), Missing: decisions.Draw(t, "missing"), MustBeFine: []string{"0", "7"}}
		what := rapid.SliceOfN(rapid.SampledFrom(kinds), 1, 50).Draw(t, "pages")
		run := finished(what...)
		run.Pages += 2
		more := gate.Judge(run, rules)
		run.Suspects = run.Suspects[1:]
		less := gate.Judge(run, rules)
		if slices.Index(strength, more.Decision) < slices.Index(strength, less.Decision) {
			t.Fatalf("%v leads to %s, one page less to %s", what, more.Decision, less.Decision)
		}
		for i, r := range more.Reasons {
			if r.Sentence == "" || r.Decision == gate.Keep || len(r.Comparisons) != min(r.Pages, gate.MaxNamed) ||
				strings.Contains(r.Sentence, "%") || r.MustBeFine != strings.Contains(r.Sentence, "must be fine") {
				t.Fatalf("reason %d: %+v", i, r)
			}
		}
		if (len(more.Reasons) == 0) != (more.Decision == gate.Keep) ||
			!slices.IsSortedFunc(more.Reasons, func(a, b gate.Reason) int {
				return cmp.Compare(slices.Index(strength, b.Decision), slices.Index(strength, a.Decision))
			}) {
			t.Fatalf("%s with %+v for %v", more.Decision, more.Reasons, what)
		}
	})
}
