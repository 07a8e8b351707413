package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// reviewed is a world with a batch of comparisons and their ids.
func (w *world) reviewed(urls int) (batch string, ids []string) {
	w.t.Helper()
	addresses := make([]string, urls)
	for i := range addresses {
		addresses[i] = fmt.Sprintf("review.example.test/%d", i)
	}
	group, _ := w.group("review", addresses...)
	w.work(w.take("PRE", group), "before", 0)
	batch = w.take("POST", group)
	w.work(batch, "after", 3)
	for _, n := range w.must(`{ comparisons(first: 100) { nodes { id } } }`, nil).at(w.t, "comparisons", "nodes").([]any) {
		ids = append(ids, n.(map[string]any)["id"].(string))
	}
	return batch, ids
}

// statuses are the comparisons of the batch by state.
func (w *world) statuses(batch string) string {
	w.t.Helper()
	return fmt.Sprint(w.must(`query ($id: ID!) { batch(id: $id) { comparisonsCount { ok new falsePositive toFix aboveThreshold } } }`,
		vars{"id": batch}).at(w.t, "batch", "comparisonsCount"))
}

func (w *world) sound() {
	w.t.Helper()
	broken, err := w.store.CheckInvariants(w.t.Context())
	w.check(err)
	if len(broken) > 0 {
		w.t.Errorf("broken invariants: %v", broken)
	}
}

const setByIDs = `mutation ($ids: [ID!]!, $s: ComparisonStatus!) { setComparisonStatuses(ids: $ids, status: $s) { matchedCount ` +
	`changedCount changedIds } }`

func TestAVerdictOnSeveralComparisons(t *testing.T) {
	w := newWorld(t)
	batch, ids := w.reviewed(2)
	const events = `{ events(first: 500) { nodes { kind subjectId } } }`
	before := len(w.must(events, nil).at(t, "events", "nodes").([]any))
	a := w.must(setByIDs, vars{"ids": append(ids[:3:3], ids[0]), "s": "TO_FIX"})
	want(t, "matched", a.at(t, "setComparisonStatuses", "matchedCount"), 3)
	want(t, "changed", a.at(t, "setComparisonStatuses", "changedCount"), 3)
	want(t, "states", w.statuses(batch), "map[aboveThreshold:4 falsePositive:0 new:1 ok:0 toFix:3]")
	if n := len(w.must(events, nil).at(t, "events", "nodes").([]any)); n != before+3 {
		t.Errorf("%d events for 3 changes", n-before)
	}
	a = w.must(setByIDs, vars{"ids": ids, "s": "TO_FIX"})
	want(t, "matched again", a.at(t, "setComparisonStatuses", "matchedCount"), 4)
	want(t, "changed again", a.at(t, "setComparisonStatuses", "changedIds"), "["+ids[3]+"]")
	_, token, _ := w.open("eve@example.com")
	for name, v := range map[string]vars{
		"unknown":   {"ids": []string{ids[0], "0190a1b2-0000-7000-8000-000000000001"}, "s": "OK"},
		"malformed": {"ids": []string{ids[0], "x"}, "s": "OK"},
		"new":       {"ids": ids, "s": "NEW"},
		"none":      {"ids": []string{}, "s": "OK"},
		"too many":  {"ids": strings.Split(strings.TrimSuffix(strings.Repeat(ids[0]+",", 1001), ","), ","), "s": "OK"},
	} {
		if a := w.post(setByIDs, v); a.code() != "INVALID" {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	stranger := w.as(token).post(setByIDs, vars{"ids": ids[:1], "s": "OK"})
	if stranger.code() != "INVALID" || stranger.Errors[0].Extensions.Fields[0].Path != "ids.0" {
		t.Errorf("another account's comparison: %s", stranger.body)
	}
	want(t, "after refusals", w.statuses(batch), "map[aboveThreshold:4 falsePositive:0 new:0 ok:0 toFix:4]")
	w.sound()
}

const setByFilter = `mutation ($f: ComparisonFilter!, $s: ComparisonStatus!, $l: Int) {
	setStatusOfComparisons(filter: $f, status: $s, limit: $l) { matchedCount changedCount stillOpenCount } }`

func TestAVerdictOnAllThatMatch(t *testing.T) {
	w := newWorld(t)
	batch, ids := w.reviewed(3)
	w.must(setByIDs, vars{"ids": ids[:1], "s": "OK"})
	narrow := vars{"batchIds": []string{batch}, "statuses": []string{"NEW"}}
	if a := w.post(setByFilter, vars{"f": narrow, "s": "FALSE_POSITIVE", "l": 4}); a.code() != "INVALID" ||
		a.Errors[0].Extensions.Fields[0].Path != "filter" {
		t.Errorf("more than the limit: %s", a.body)
	}
	want(t, "after the refusal", w.statuses(batch), "map[aboveThreshold:6 falsePositive:0 new:5 ok:1 toFix:0]")
	a := w.must(setByFilter, vars{"f": narrow, "s": "FALSE_POSITIVE", "l": 5})
	want(t, "matched of which nothing is known", a.at(t, "setStatusOfComparisons", "matchedCount"), 0)
	want(t, "still open", a.at(t, "setStatusOfComparisons", "stillOpenCount"), 5)
	w.change("UPDATE comparisons SET explained = true")
	a = w.must(setByFilter, vars{"f": narrow, "s": "FALSE_POSITIVE", "l": 5})
	want(t, "matched", a.at(t, "setStatusOfComparisons", "matchedCount"), 5)
	want(t, "states", w.statuses(batch), "map[aboveThreshold:6 falsePositive:5 new:0 ok:1 toFix:0]")
	a = w.must(setByFilter, vars{"f": vars{"sources": []string{"MANUAL"}, "aboveThreshold": true}, "s": "FALSE_POSITIVE"})
	want(t, "changed", a.at(t, "setStatusOfComparisons", "changedCount"), 1)
	for name, v := range map[string]vars{
		"everything": {"f": vars{}, "s": "OK"}, "nulls": {"f": vars{"ids": nil}, "s": "OK"},
		"no limit": {"f": narrow, "s": "OK", "l": 5001}, "none": {"f": narrow, "s": "OK", "l": 0}, "new": {"f": narrow, "s": "NEW"},
	} {
		if a := w.post(setByFilter, v); a.code() != "INVALID" {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	_, token, _ := w.open("eve@example.com")
	a = w.as(token).must(setByFilter, vars{"f": vars{"batchIds": []string{batch}}, "s": "OK"})
	want(t, "another account's", a.at(t, "setStatusOfComparisons", "matchedCount"), 0)
	w.sound()
}

func TestNodesOfAllKindsInTheirOrder(t *testing.T) {
	w := newWorld(t)
	things := w.things()
	ids := []string{"x", "0190a1b2-0000-7000-8000-000000000001", string(w.account.ID)}
	kinds := []string{"<nil>", "<nil>", "Account"}
	for query, kind := range map[string]string{
		"group": "Group", "url": "URL", "batch": "Batch", "queueEntry": "QueueEntry", "screenshot": "Screenshot",
		"comparison": "Comparison",
	} {
		ids, kinds = append(ids, things[query], strings.ToUpper(things[query])), append(kinds, kind, kind)
	}
	const many = `query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }`
	nodes := w.must(many, vars{"ids": ids}).at(t, "nodes").([]any)
	for i, kind := range kinds {
		n, _ := nodes[i].(map[string]any)
		want(t, "kind of "+ids[i], n["__typename"], kind)
		if kind != "<nil>" {
			want(t, "id", n["id"], strings.ToLower(ids[i]))
		}
	}
	_, token, _ := w.open("eve@example.com")
	for i, n := range w.as(token).must(many, vars{"ids": ids}).at(t, "nodes").([]any) {
		if n != nil {
			t.Errorf("a stranger finds %s: %v", ids[i], n)
		}
	}
	if a := w.post(many, vars{"ids": strings.Split(strings.Repeat("x,", 100)+"x", ",")}); a.code() != "INVALID" {
		t.Errorf("101 nodes: %s", a.body)
	}
	w.must(`mutation ($id: ID!) { deleteGroup(id: $id) { deletedGroupId } }`, vars{"id": things["group"]})
	want(t, "a deleted group", w.must(many, vars{"ids": []string{things["group"]}}).at(t, "nodes", 0), nil)
}

const storeResults = `mutation ($id: ID!, $in: UpdateResultsInput!) { storeUpdateResults(id: $id, input: $in) { batch {
	updateResults { timestamp updates { core { attempted success toVersion messages } plugins { slug name success error messages }
		themes { slug } }
		summary { totalAttempted successful failed status } } } } }`

func TestUpdateResultsAreReplacedAsAWhole(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("updated", "updated.example.test")
	batch := w.take("PRE", group)
	summary := vars{"totalAttempted": 1, "successful": 1, "failed": 0, "status": "COMPLETED_WITH_ERRORS"}
	full := vars{"timestamp": 1_700_000_000, "summary": summary, "updates": vars{
		"core":    vars{"attempted": true, "success": true, "toVersion": "6.5", "messages": []string{"Unpacking."}},
		"plugins": []vars{{"slug": "shop", "success": false, "error": "No space."}},
	}}
	a := w.must(storeResults, vars{"id": batch, "in": full})
	want(t, "results", a.at(t, "storeUpdateResults", "batch", "updateResults"),
		"map[summary:map[failed:0 status:COMPLETED_WITH_ERRORS successful:1 "+
			"totalAttempted:1] timestamp:1.7e+09 updates:map[core:map[attempted:true messages:[Unpacking.] success:true toVersion:6.5] "+
			"plugins:[map[error:No space. messages:[] name:<nil> slug:shop success:false]] themes:[]]]")
	empty := vars{"timestamp": 1, "updates": vars{"core": nil, "plugins": []vars{}},
		"summary": vars{"totalAttempted": 0, "successful": 0, "failed": 0, "status": "COMPLETED"}}
	w.work(batch, "before", 0)
	for range 2 { // also when the batch has finished, and again
		a = w.must(storeResults, vars{"id": batch, "in": empty})
		want(t, "core", a.at(t, "storeUpdateResults", "batch", "updateResults", "updates", "core"), nil)
		want(t, "plugins", a.at(t, "storeUpdateResults", "batch", "updateResults", "updates", "plugins"), "[]")
	}
	a = w.must(`query ($id: ID!) { batch(id: $id) { finishedAt updateResults { timestamp } queuesCount { done } } }`, vars{"id": batch})
	want(t, "read again", a.at(t, "batch", "updateResults", "timestamp"), 1)
	want(t, "done", a.at(t, "batch", "queuesCount", "done"), 2)
	full["timestamp"], summary["failed"] = -1, -1
	if a := w.post(storeResults, vars{"id": batch, "in": full}); a.code() != "INVALID" || len(a.Errors[0].Extensions.Fields) != 2 {
		t.Errorf("two faults: %s", a.body)
	}
	_, token, _ := w.open("eve@example.com")
	if a := w.as(token).post(storeResults, vars{"id": batch, "in": empty}); a.code() != "NOT_FOUND" {
		t.Errorf("another account's batch: %s", a.body)
	}
}

// features switches parts of the plan on or off.
func (w *world) features(ai, console bool) {
	w.t.Helper()
	w.change("UPDATE accounts SET ai_verification = $2, browser_console = $3 WHERE id = $1", string(w.actor.Account), ai, console)
}

// change writes to the database past the rules.
func (w *world) change(statement string, args ...any) {
	w.t.Helper()
	w.check(pgx.BeginFunc(w.t.Context(), w.store.Pool(), func(tx pgx.Tx) error {
		_, err := tx.Exec(w.t.Context(), "SELECT set_config('afterimage.system', 'on', true)")
		if err == nil {
			_, err = tx.Exec(w.t.Context(), statement, args...)
		}
		return err
	}))
}

func TestSilencedEntriesOfTheConsoleAreMarked(t *testing.T) {
	w := newWorld(t)
	w.features(false, false)
	group, _ := w.group("console", "console.example.test")
	w.console = nil
	w.work(w.take("PRE", group), "before", 0)
	w.console = []page.ConsoleEntry{{Text: "ad 12 of https://example.test/a.js?ver=6.1", Type: "warning"}, {Text: "boom", Type: "error"}}
	batch := w.take("POST", group)
	w.work(batch, "after", 0)
	const read = `query ($id: ID!) { comparisons(first: 1, filter: {batchIds: [$id]}) { nodes { browserConsoleSilenced
		browserConsoleAdded { text pattern matchedFeedbackRule } loud: browserConsoleAdded(silenced: false) { text } } } }`
	node := func() string { return fmt.Sprint(w.must(read, vars{"id": batch}).at(t, "comparisons", "nodes", 0)) }
	want(t, "without the feature", node(), "map[browserConsoleAdded:<nil> browserConsoleSilenced:<nil> loud:<nil>]")
	w.features(false, true)
	rule := strings.Repeat("0", 8) + "-0000-4000-8000-000000000001"
	w.change(`UPDATE comparisons SET console_added = jsonb_set(console_added, '{0,rule}', to_jsonb($1::text)) WHERE batch_id = $2`, rule,
		batch)
	want(t, "with", node(), "map[browserConsoleAdded:[map[matchedFeedbackRule:"+rule+" pattern:ad {n} of https://example.test/a.js "+
		"text:ad 12 of https://example.test/a.js?ver=6.1] map[matchedFeedbackRule:<nil> pattern:boom text:boom]] "+
		"browserConsoleSilenced:1 loud:[map[text:boom]]]")
	w.sound()
}

func TestFeaturesOfThePlanDecideWhatIsShown(t *testing.T) {
	w := newWorld(t)
	w.features(false, false)
	group, _ := w.group("features", "features.example.test")
	w.console = []page.ConsoleEntry{{Text: "old", Type: "log", URL: "https://example.test/a.js"}, {Text: "same", Type: "log"}}
	w.work(w.take("PRE", group), "before", 0)
	w.console = []page.ConsoleEntry{{Text: "new", Type: "error", URL: "https://example.test/b.js"}, {Text: "same", Type: "log"}}
	batch := w.take("POST", group)
	w.work(batch, "after", 3)
	const read = `query ($id: ID!) { batch(id: $id) { aiSummary { summary } browserConsoleCount { added removed mixed unchanged }
		comparisons(first: 1) { nodes { browserConsoleAdded { text source severity } browserConsoleRemoved { text } browserConsoleChange
			aiRegions { id bbox { x y w h } pixelCount } aiVerificationStatus aiVerificationResult { summary totalRegions alerts regions
				{ regionId } } } } } }`
	node := func() string { return fmt.Sprint(w.must(read, vars{"id": batch}).at(t, "batch")) }
	want(t, "without", node(), "map[aiSummary:<nil> browserConsoleCount:map[added:0 mixed:0 removed:0 unchanged:0] comparisons:map[nodes:["+
		"map[aiRegions:<nil> aiVerificationResult:<nil> aiVerificationStatus:<nil> browserConsoleAdded:<nil> browserConsoleChange:<nil> "+
		"browserConsoleRemoved:<nil>]]]]")
	w.features(true, true)
	want(t, "with", node(), "map[aiSummary:<nil> browserConsoleCount:map[added:0 mixed:2 removed:0 unchanged:0] comparisons:map[nodes:["+
		"map[aiRegions:[map[bbox:map[h:6 w:4 x:2 y:3] id:1 pixelCount:24]] aiVerificationResult:map[alerts:0 regions:[] "+
		"summary:Not verified: the account did not have AI verification at the time. totalRegions:1] aiVerificationStatus:SKIPPED "+
		"browserConsoleAdded:[map[severity:error source:https://example.test/b.js text:new]] browserConsoleChange:MIXED "+
		"browserConsoleRemoved:[map[text:old]]]]]]")
	w.sound()
}

func TestPagesAreAlarmedAboutBesideTheirPixels(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("beyond", "beyond.example.test")
	set := w.must(`mutation ($id: ID!) { updateGroup(id: $id, input: {alarmPageChanges: true}) { group { alarmPageChanges } } }`,
		vars{"id": group})
	want(t, "group", set.at(t, "updateGroup", "group"), "map[alarmPageChanges:true]")
	w.work(w.take("PRE", group), "before", 0)
	batch := w.take("POST", group)
	for _, e := range w.todo(batch) {
		if e.Type != vcd.QueueCompare {
			w.capture(e.ID, "after")
		}
	}
	for _, e := range w.todo(batch) {
		task, err := w.use.Runs.BeginComparison(t.Context(), w.actor, e.ID)
		w.check(err)
		was, is := page.Visit{Status: 200, Content: &page.Content{Text: "a b"}},
			page.Visit{Status: 500, Content: &page.Content{Text: "a c"}}
		result := run.CompareResult{Difference: vcd.Difference{Width: 1280, Height: 800}, PageChanges: page.Compare(&was, &is)}
		_, err = w.use.Runs.FinishComparison(t.Context(), w.actor, task, result)
		w.check(err)
	}
	const read = `query ($id: ID!) { comparisons(first: 1, filter: {batchIds: [$id]}) { aboveThresholdCount nodes { status aboveThreshold
		pageAlarm
		pageChanges { kind before after severity sentence words { added removed leftOut runs { kind text } } } } } }`
	want(t, "comparison", w.must(read, vars{"id": batch}).at(t, "comparisons"),
		"map[aboveThresholdCount:0 nodes:[map[aboveThreshold:false pageAlarm:true pageChanges:["+
			"map[after:500 before:200 kind:STATUS sentence:The page answers with HTTP status 500 (Internal Server Error) instead of 200 "+
			"(OK). severity:ALARM words:<nil>] "+
			"map[after: before: kind:TEXT sentence:1 word was added to the page's text and 1 removed. severity:NOTICE words:map[added:1 "+
			"leftOut:false removed:1 "+
			"runs:[map[kind:KEPT text:a] map[kind:REMOVED text:b] map[kind:ADDED text:c]]]]] status:NEW]]]")
	w.sound()
}
