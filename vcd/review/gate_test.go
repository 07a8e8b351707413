package review_test

import (
	"strings"
	"testing"

	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/gate"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// TestTheVerdictOnAnUpdate asks about runs of all states; what is approved speaks against nothing any more.
func TestTheVerdictOnAnUpdate(t *testing.T) {
	w := newWorld(t)
	g, _, pre, post := w.FillEverything("a")
	decided := func(name string, batch vcd.ID, want gate.Decision, kind gate.Kind) []gate.Reason {
		t.Helper()
		g, err := w.Service.Reviews.Gate(t.Context(), w.Actor, batch)
		must(t, err)
		if g.Decision != want || kind == "" && len(g.Reasons) > 0 || kind != "" && (len(g.Reasons) != 1 || g.Reasons[0].Kind != kind) {
			t.Errorf("%s: %s because of %+v", name, g.Decision, g.Reasons)
		}
		return g.Reasons
	}
	batch := post.Batches[0].ID
	decided("only screenshots before", pre.Batches[0].ID, gate.Ask, gate.Before)
	changed := decided("changes that nobody judged", batch, gate.Ask, gate.Changed)
	list, err := w.Service.Reviews.Comparisons(t.Context(), w.Actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch},
		Statuses: &[]vcd.ComparisonStatus{vcd.ComparisonNew}}, vcd.Page{Size: 10, Total: true}, false)
	must(t, err)
	if list.Total == 0 || 2*changed[0].Pages != list.Total || len(changed[0].Comparisons) != list.Total { // on both devices
		t.Errorf("%+v, of %d comparisons", changed, list.Total)
	}
	for _, c := range list.Items {
		_, err := w.Service.Reviews.SetComparisonStatus(t.Context(), w.Actor, c.ID, vcd.ComparisonOK)
		must(t, err)
	}
	decided("approved", batch, gate.Keep, "")
	running := w.Take(vcd.QueuePost, g).Batches[0].ID
	decided("running", running, gate.NotYet, gate.Running)
	_, err = w.Service.Runs.CancelBatch(t.Context(), w.Actor, running)
	must(t, err)
	decided("cancelled", running, gate.Ask, gate.Cancelled)
	other := vcd.Actor{Account: w.NewAccount("eve@example.com", 0).ID}
	_, err = w.Service.Reviews.Gate(t.Context(), other, batch)
	wantCode(t, err, vcd.CodeNotFound)
}

// TestWhatSpeaksAgainstAnUpdate follows one run in which each page has another fate on both devices; the likely culprit is named
// once it is known what was updated.
func TestWhatSpeaksAgainstAnUpdate(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("a", 6, inventory.GroupChange{})
	alone, _ := w.Group("new", 1, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	w.Look("page")
	batch := w.Take(vcd.QueuePost, g, alone).Batches[0].ID
	w.Clock.Advance(1)
	for _, entry := range w.Jobs("capture") {
		w.Visit(entry, map[string]string{"a.test/0": "wall maintenance", "a.test/1": "wall challenge", "a.test/2": "-",
			"a.test/3": "script", "a.test/4": "status", "a.test/5": "page", "new.test/0": "page"}[w.Entry(entry).URLAddress])
	}
	for _, entry := range w.Jobs("compare") {
		task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
		must(t, err)
		if task == nil {
			continue
		}
		result := run.CompareResult{Difference: vcd.Difference{Width: 1280, Height: 800}}
		switch task.Subject.URLID {
		case urlOf(w, "a.test/0"):
			result.Difference.Percent, result.Difference.AlignedPercent = 50, 50
		case urlOf(w, "a.test/3"):
			result.Console.Change = vcd.ConsoleAdded
			result.Console.Added = []vcd.DifferentEntry{
				{ConsoleEntry: page.ConsoleEntry{Type: "error", Text: "Failed to load resource"}},
				{ConsoleEntry: page.ConsoleEntry{Type: "error", Text: "Uncaught TypeError: a",
					URL: "https://a.test/wp-content/plugins/cart/a.js"}},
			}
		case urlOf(w, "a.test/4"):
			result.PageChanges = []page.Change{{Kind: page.ChangedTitle, Severity: page.SeverityNotice},
				{Kind: page.ChangedStatus, Severity: page.SeverityAlarm}}
		}
		w.Finish(task, result)
	}
	verdict, err := w.Service.Reviews.Gate(t.Context(), w.Actor, batch)
	must(t, err)
	got := string(verdict.Decision)
	for _, r := range verdict.Reasons {
		got += "\n" + r.Sentence
	}
	if want := `roll_back
One page now answers with an error.
One page shows a maintenance notice (“Its words”) instead of its content.
A new uncaught script error on one of 4 pages: TypeError: a (a.js).
One page could not be compared: it shows a bot check (“Its words”).
One page could not be fully captured or compared, possibly for reasons other than the update.
One page has no screenshot from before the update.`; got != want || verdict.Culprit != nil {
		t.Errorf("%s\nculprit %+v", got, verdict.Culprit)
	}
	name := "Cart"
	_, err = w.Service.Runs.StoreUpdateResults(t.Context(), w.Actor, batch, vcd.UpdateResults{Updates: vcd.Updates{
		Plugins: []vcd.PackageUpdate{{Slug: "blocks", Success: true}, {Slug: "cart", Name: &name, Success: true}}},
		Summary: vcd.UpdateSummary{Status: vcd.UpdateCompleted}})
	must(t, err)
	verdict, err = w.Service.Reviews.Gate(t.Context(), w.Actor, batch)
	must(t, err)
	if c := verdict.Culprit; c == nil || c.Slug != "cart" || !strings.Contains(c.Sentence, "Cart") {
		t.Errorf("culprit %+v", c)
	}
}

func urlOf(w *world, address string) vcd.ID {
	list, err := w.Service.Inventory.URLs(w.T.Context(), w.Actor, vcd.URLFilter{Search: &address}, vcd.Page{Size: 1})
	must(w.T, err)
	return list.Items[0].ID
}

// TestWhatExplainsARunIsRead: what failed and what was loaded before come from the screenshots and the traces, for pages that look the
// same, too.
func TestWhatExplainsARunIsRead(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("a", 4, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	w.Look("page")
	batch := w.Take(vcd.QueuePost, g).Batches[0].ID
	w.Clock.Advance(1)
	for _, entry := range w.Jobs("capture") {
		lost := "https://a.test/style.css"
		if w.Entry(entry).URLAddress == "a.test/3" {
			lost = "https://a.test/photo.png"
		}
		w.Visit(entry, "lacks "+lost)
	}
	for _, entry := range w.Jobs("compare") {
		task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
		must(t, err)
		lost := "https://a.test/style.css"
		if task.Subject.URLID == urlOf(w, "a.test/3") {
			lost = "https://a.test/photo.png"
		}
		failed := page.ConsoleEntry{Text: page.FailedLoadPrefix + "status 404", Type: "error", URL: lost}
		w.Finish(task, run.CompareResult{
			Difference: vcd.Difference{Width: 1280, Height: 800}, Console: vcd.NewConsoleDifference(nil, []page.ConsoleEntry{failed}),
			Traces: &vcd.Traces{Assets: []vcd.AssetChange{
				{Kind: "style", Before: "https://a.test/style.css?v=1"}, {Kind: "style", After: "https://a.test/b.css"}}},
		})
	}
	verdict, err := w.Service.Reviews.Gate(t.Context(), w.Actor, batch)
	must(t, err)
	if r := verdict.Reasons; verdict.Decision != gate.RollBack || len(r) != 1 || len(r[0].Comparisons) != 6 ||
		r[0].Sentence != "The style sheet style.css no longer loads on 3 of 4 pages (HTTP status 404)." {
		t.Errorf("%s because of %+v", verdict.Decision, r)
	}
	rules := vcd.DefaultGateRules()
	for rule, want := range map[vcd.GateRule]gate.Decision{vcd.GateAsk: gate.Ask, vcd.GateIgnore: gate.Keep} {
		rules.FailedResources = rule
		_, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, g.ID, inventory.GroupChange{GateRules: vcd.Some(rules)})
		must(t, err)
		if verdict, err = w.Service.Reviews.Gate(t.Context(), w.Actor, batch); err != nil || verdict.Decision != want {
			t.Errorf("by the rule %s: %+v %v", rule, verdict, err)
		}
	}
	_, err = w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, g.ID, inventory.GroupChange{GateRules: vcd.Null[vcd.GateRules]()})
	must(t, err)
	if verdict, err = w.Service.Reviews.Gate(t.Context(), w.Actor, batch); err != nil || verdict.Decision != gate.RollBack {
		t.Errorf("by the usual rules: %+v %v", verdict, err)
	}
}
