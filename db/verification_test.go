package db_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/vcd"
)

// verifying gives the account verification.
func (w *world) verifying() {
	w.t.Helper()
	w.asSystem("UPDATE accounts SET ai_verification = true WHERE id = $1", string(w.actor.Account))
}

// price is an element that shows a price, in a card of a shop.
func price(place int, text, context string, y int) *vcd.FoundElement {
	return &vcd.FoundElement{
		Selector: fmt.Sprintf("html > body > main > article:nth-of-type(%d) > p", place), Tag: "p", Role: "paragraph", Text: text, Context: context,
		Box: vcd.Box{X: 40, Y: y, Width: 120, Height: 24},
	}
}

// found is what the rules find out about a region whose text changed.
func found(region int, category vcd.Category, before, after *vcd.FoundElement) vcd.Finding {
	change := vcd.FoundChange{Kind: "text_changed", Category: category, Before: before, After: after}
	change.Fingerprint = vcd.FingerprintOf(&change, before.Text, after.Text, "")
	return vcd.Finding{
		RegionID: region, Category: category, Ruled: category, Judge: vcd.JudgeRules, Description: "Paragraph: text changed", Reason: "A test says so.",
		Confidence: 0.9, Changes: []vcd.FoundChange{change},
	}
}

func lamp(category vcd.Category) vcd.Finding {
	return found(1, category, price(1, "€ 10", "Desk lamp in brass", 100), price(1, "€ 12", "Desk lamp in brass", 100))
}

// result is what a worker finds when the regions of findings changed.
func (w *world) result(task *vcd.CompareTask, percent float64, findings ...vcd.Finding) vcd.CompareResult {
	p := w.picture("mask of " + string(task.Entry.ID))
	p.Over = task.After.Image.Hash
	r := vcd.CompareResult{Difference: vcd.Difference{Percent: percent, AlignedPercent: percent, Width: 1280, Height: 800}, Picture: &p}
	for _, f := range findings {
		r.Difference.Regions = append(r.Difference.Regions, vcd.ChangedRegion{ID: f.RegionID, X: 40, Y: 100, Width: 120, Height: 24, Pixels: 600, Fingerprint: "f"})
	}
	if task.Verify(&r) {
		r.Verification = &vcd.Verification{Findings: findings, Elapsed: 3 * time.Millisecond}
	}
	return r
}

// round captures a group of pages before and after, and compares each with findings.
func (w *world) round(g *vcd.Group, model bool, percent float64, findings ...vcd.Finding) (batch vcd.ID, tasks []*vcd.CompareTask) {
	w.t.Helper()
	w.take(vcd.QueuePre, g)
	for _, entry := range w.jobs("capture") {
		w.capture(entry, "before")
	}
	batch = w.take(vcd.QueuePost, g).Batches[0].ID
	for _, entry := range w.jobs("capture") {
		w.capture(entry, "after "+string(entry))
	}
	for _, entry := range w.jobs("compare") {
		task, err := w.service.BeginComparison(w.working(entry), w.actor, entry)
		must(w.t, err)
		task.Model = model
		must(w.t, w.service.FinishComparison(w.working(entry), w.actor, task, w.result(task, percent, findings...)))
		tasks = append(tasks, task)
	}
	return batch, tasks
}

// told is what a comparison and its batch say after verification.
func (w *world) told(batch vcd.ID) string {
	w.t.Helper()
	list, err := w.service.Comparisons(w.t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}}, vcd.Page{Size: 1}, false)
	must(w.t, err)
	c, b := list.Items[0], w.batch(batch)
	parts := []string{string(c.Status)}
	if v := c.Verification; v != nil {
		counts := v.Counts()
		parts = append(parts, string(v.Status), fmt.Sprintf("%d/%d/%d", counts.AllGood, counts.NotSure, counts.Alerts), string(v.Issue))
	}
	if b.Summary != nil {
		parts = append(parts, string(b.Summary.Overall))
	}
	if b.FinishedAt == nil {
		parts = append(parts, "running")
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

func TestVerdictsDecideAboutComparisons(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	second := lamp(vcd.CategoryAlert)
	second.RegionID = 2
	for name, c := range map[string]struct {
		percent  float64
		findings []vcd.Finding
		want     string
	}{
		"nothing":         {0, nil, "ok skipped 0/0/0 everything_ok"},
		"below":           {0, []vcd.Finding{lamp(vcd.CategoryAlert)}, "ok skipped 0/0/0 everything_ok"},
		"harmless":        {5, []vcd.Finding{lamp(vcd.CategoryAllGood)}, "ok verified 1/0/0 everything_ok"},
		"unsure":          {5, []vcd.Finding{lamp(vcd.CategoryNotSure)}, "new verified 0/1/0 needs_attention"},
		"one of two is":   {5, []vcd.Finding{lamp(vcd.CategoryAllGood), second}, "new verified 1/0/1 needs_attention"},
		"nobody has seen": {5, nil, "new skipped 0/0/0 needs_attention"},
	} {
		before := w.alarms()
		g, _ := w.group(strings.ReplaceAll(name, " ", "-"), 1, vcd.GroupChange{})
		batch, _ := w.round(g, false, c.percent, c.findings...)
		if got := w.told(batch); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if alarmed := w.alarms() > before; alarmed != strings.HasPrefix(c.want, "new") {
			t.Errorf("%s: alarms %t", name, alarmed)
		}
	}
	w.checkInvariants()
}

func TestBlankPagesAreDecidedAlone(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	for name, c := range map[string]struct {
		before, after bool
		percent       float64
		want          string
	}{
		"after":         {false, true, 80, "new verified 0/0/1 after_blank needs_attention"},
		"after-a-bit":   {false, true, 0, "new verified 0/0/1 after_blank needs_attention"},
		"before":        {true, false, 80, "ok verified 0/0/0 before_blank everything_ok"},
		"both":          {true, true, 0, "ok verified 0/0/0 both_blank everything_ok"},
		"both-by-a-bit": {true, true, 1, "ok verified 0/0/0 both_blank everything_ok"},
	} {
		g, _ := w.group(name, 1, vcd.GroupChange{DefaultMobile: vcd.Some(false)})
		w.take(vcd.QueuePre, g)
		for _, entry := range w.jobs("capture") {
			w.capture(entry, "before")
		}
		batch := w.take(vcd.QueuePost, g).Batches[0].ID
		for _, entry := range w.jobs("capture") {
			w.capture(entry, "after")
		}
		for _, entry := range w.jobs("compare") {
			task, err := w.service.BeginComparison(w.working(entry), w.actor, entry)
			must(t, err)
			r := w.result(task, c.percent, lamp(vcd.CategoryNotSure))
			r.BlankBefore, r.BlankAfter, r.Verification = c.before, c.after, nil
			if task.Verify(&r) {
				t.Errorf("%s: the regions of a blank page are looked at", name)
			}
			must(t, w.service.FinishComparison(w.working(entry), w.actor, task, r))
		}
		if got := w.told(batch); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	w.checkInvariants()
}

func TestAModelIsWaitedForAndAskedWithinItsBudget(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	w.service.ModelBudget = 4
	said := func(category vcd.Category) vcd.Consultation {
		return vcd.Consultation{Opinions: map[int]vcd.Opinion{1: {Category: category, Reason: "It says so.", Confidence: 0.6}}, Elapsed: time.Second}
	}
	for name, c := range map[string]struct {
		say  vcd.Consultation
		want string
	}{
		"harmless":  {said(vcd.CategoryAllGood), "ok verified 1/0/0 everything_ok"},
		"alarming":  {said(vcd.CategoryAlert), "new verified 0/0/1 needs_attention"},
		"no answer": {vcd.Consultation{Problem: "it did not answer in time"}, "new failed 0/1/0 needs_attention"},
	} {
		g, _ := w.group(strings.ReplaceAll(name, " ", "-"), 1, vcd.GroupChange{})
		batch, tasks := w.round(g, true, 5, lamp(vcd.CategoryNotSure))
		if got := w.told(batch); got != "new pending 0/1/0 running" || tasks[0].Pending == nil {
			t.Fatalf("%s, while it is asked: %s", name, got)
		}
		w.checkInvariants()
		before := w.alarms()
		for _, task := range tasks {
			resumed, err := w.service.BeginComparison(w.working(task.Entry.ID), w.actor, task.Entry.ID)
			must(t, err)
			if resumed.Pending == nil || resumed.Pending.ID != task.Pending.ID {
				t.Errorf("%s: another worker does not go on with %+v", name, resumed)
			}
			for range 2 { // the second one comes late
				must(t, w.service.FinishVerification(w.working(task.Entry.ID), w.actor, task.Entry.ID, c.say))
			}
		}
		if got := w.told(batch); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if n := w.alarms() - before; n != len(tasks)*strings.Count(c.want, "new") {
			t.Errorf("%s: %d alarms", name, n)
		}
	}
	w.service.ModelBudget = 1
	g, _ := w.group("poor", 1, vcd.GroupChange{})
	batch, tasks := w.round(g, true, 5, lamp(vcd.CategoryNotSure))
	if tasks[0].Pending == nil || tasks[1].Pending != nil {
		t.Error("the budget is for one region of a batch")
	}
	must(t, w.service.FailComparison(w.working(tasks[0].Entry.ID), w.actor, tasks[0].Entry.ID, "crashed", "It was interrupted."))
	if b := w.batch(batch); b.FinishedAt == nil || b.ModelRegions != 1 || b.Comparisons.New != 2 || b.Counts.Failed != 0 {
		t.Errorf("a comparison is lost with its model: %+v", b)
	}
	w.checkInvariants()
}

func TestAReviewDuringTheQuestionStays(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	w.service.ModelBudget = 10
	g, _ := w.group("page", 1, vcd.GroupChange{})
	batch, tasks := w.round(g, true, 5, lamp(vcd.CategoryNotSure))
	_, err := w.service.SetComparisonStatus(t.Context(), w.actor, tasks[0].Pending.ID, vcd.ComparisonToFix)
	must(t, err)
	for _, task := range tasks {
		must(t, w.service.FinishVerification(w.working(task.Entry.ID), w.actor, task.Entry.ID, vcd.Consultation{Problem: "it did not answer"}))
	}
	if b := w.batch(batch); b.Comparisons.ToFix != 1 || b.Comparisons.New != 1 || b.FinishedAt == nil {
		t.Errorf("%+v", b.Comparisons)
	}
	w.checkInvariants()
}

func TestFeedbackRulesFollowTheirElement(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g, _ := w.group("shop", 1, vcd.GroupChange{})
	w.round(g, false, 5, lamp(vcd.CategoryNotSure))
	rule := w.rule(vcd.FeedbackRuleInput{RegionID: number(1), Reach: vcd.ReachGroupOrWebsite})
	chair := "Kitchen chair of oak"
	moved := lamp(vcd.CategoryNotSure)
	moved.Changes = []vcd.FoundChange{{
		Kind: "text_changed", Category: vcd.CategoryNotSure, Fingerprint: "another",
		Before: price(2, "€ 12", "Desk lamp in brass", 400), After: price(2, "€ 14", "Desk lamp in brass", 400),
	}}
	gone := lamp(vcd.CategoryNotSure)
	gone.Changes = []vcd.FoundChange{{Kind: "vanished", Category: vcd.CategoryNotSure, Fingerprint: "gone", Before: price(1, "€ 12", "Desk lamp in brass", 100)}}
	worse := lamp(vcd.CategoryAlert)
	worse.Changes[0].Fingerprint = "worse"
	both := lamp(vcd.CategoryNotSure)
	both.Changes = append(both.Changes, gone.Changes...)
	for name, c := range map[string]struct {
		finding vcd.Finding
		want    string
	}{
		"again":                    {found(1, vcd.CategoryNotSure, price(1, "€ 12", "Desk lamp in brass", 100), price(1, "€ 9", "Desk lamp in brass", 100)), "ok"},
		"pushed down and numbered": {moved, "ok"},
		"another card":             {found(1, vcd.CategoryNotSure, price(3, "€ 12", chair, 700), price(3, "€ 9", chair, 700)), "new"},
		"another card, same place": {found(1, vcd.CategoryNotSure, price(1, "€ 12", chair, 100), price(1, "€ 9", chair, 100)), "new"},
		"gone":                     {gone, "new"},
		"an alert":                 {worse, "new"},
		"something else too":       {both, "new"},
	} {
		batch, _ := w.round(g, false, 5, c.finding)
		if got := w.told(batch); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	counted := func() string {
		r, err := w.service.FeedbackRule(t.Context(), w.actor, rule.ID)
		must(t, err)
		return fmt.Sprint(r.MatchCount, r.LastMatchedAt != nil)
	}
	if got := counted(); got != "4 true" { // twice on two devices
		t.Errorf("matched %s", got)
	}
	n, err := w.db.CountRuleMatches(t.Context(), 3)
	if err != nil || n != 3 || counted() != "4 true" {
		t.Errorf("%d counted (%v), then %s", n, err, counted())
	}
	_, err = w.service.UpdateFeedbackRule(t.Context(), w.actor, rule.ID, vcd.FeedbackRuleChange{IsActive: vcd.Some(false)})
	must(t, err)
	if batch, _ := w.round(g, false, 5, lamp(vcd.CategoryNotSure)); !strings.HasPrefix(w.told(batch), "new") {
		t.Error("a rule that is switched off matches")
	}
	w.checkInvariants()
}

// Results that match the same rule wait for nobody who does the same.
func TestMatchesOfARuleDoNotWaitForEachOther(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g, _ := w.group("shop", 1, vcd.GroupChange{})
	w.round(g, false, 5, lamp(vcd.CategoryNotSure))
	rule := w.rule(vcd.FeedbackRuleInput{RegionID: number(1)})
	held, err := w.db.Pool().Begin(t.Context())
	must(t, err)
	defer held.Rollback(t.Context())
	_, err = held.Exec(t.Context(), "SELECT set_config('afterimage.system', 'on', true)")
	must(t, err)
	_, err = held.Exec(t.Context(), `INSERT INTO ai_feedback_rule_matches SELECT account_id, id, gen_random_uuid(), 1, now() FROM ai_feedback_rules`)
	must(t, err)
	w.round(g, false, 5, lamp(vcd.CategoryNotSure)) // would hang
	if _, err := w.db.CountRuleMatches(t.Context(), 100); err != nil {
		t.Error(err)
	}
	must(t, held.Commit(t.Context()))
	r, err := w.service.FeedbackRule(t.Context(), w.actor, rule.ID)
	if err != nil || r.MatchCount != 3 {
		t.Errorf("%d matches, %v", r.MatchCount, err)
	}
	w.checkInvariants()
}

func TestTheSameChangeOnManyPagesIsOne(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g, urls := w.group("shop", 3, vcd.GroupChange{})
	batch, _ := w.round(g, false, 5, lamp(vcd.CategoryNotSure))
	lists, err := w.service.ChangesOfBatches(t.Context(), w.actor, []vcd.ID{batch}, vcd.ChangeFilter{}, vcd.Page{Size: 10, Total: true})
	must(t, err)
	changes := lists[batch]
	if changes.Total != 1 || changes.Items[0].Comparisons != 6 || changes.Items[0].Mobile() != 3 || changes.Items[0].Category() != vcd.CategoryNotSure {
		t.Fatalf("%+v", changes.Items)
	}
	other, _ := w.round(g, false, 5, lamp(vcd.CategoryNotSure), found(2, vcd.CategoryAlert, price(2, "a", "", 1), price(2, "b", "", 1)))
	f := vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch, other}, Changes: &[]string{changes.Items[0].Fingerprint}, OnlyThese: true}
	verdict, err := w.service.SetStatusOfComparisons(t.Context(), w.actor, f, vcd.ComparisonFalsePositive, 100)
	if err != nil || verdict.Matched != 2*len(urls) {
		t.Errorf("%d reviewed, %v", verdict.Matched, err)
	}
	statements := db.RecordStatements(w.db)
	lists, err = w.service.ChangesOfBatches(t.Context(), w.actor, []vcd.ID{batch, other}, vcd.ChangeFilter{Order: vcd.OrderComparisons},
		vcd.Page{Size: 10, Number: 1, Total: true})
	if texts := statements.Take(); err != nil || len(texts) > 3 || lists[batch].Total != 1 || lists[other].Total != 2 || len(lists[other].Items) != 2 {
		t.Errorf("%d statements, %+v, %v", len(texts), lists[other], err)
	}
	alerts := vcd.ChangeFilter{Categories: &[]vcd.Category{vcd.CategoryAlert}}
	lists, err = w.service.ChangesOfBatches(t.Context(), w.actor, []vcd.ID{batch, other}, alerts, vcd.Page{Size: 10})
	if err != nil || len(lists[batch].Items) != 0 || len(lists[other].Items) != 1 {
		t.Errorf("alerts: %+v, %v", lists, err)
	}
	f.OnlyThese = false
	if verdict, err = w.service.SetStatusOfComparisons(t.Context(), w.actor, f, vcd.ComparisonToFix, 100); err != nil || verdict.Matched != 12 {
		t.Errorf("%d reviewed, %v", verdict.Matched, err)
	}
	w.checkInvariants()
}

func TestSimulationsReplayWhatIsStored(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g, _ := w.group("shop", 1, vcd.GroupChange{Threshold: vcd.Some(2.0)})
	w.round(g, false, 1, lamp(vcd.CategoryNotSure))
	w.round(g, false, 5, lamp(vcd.CategoryAllGood))
	w.round(g, false, 5, lamp(vcd.CategoryNotSure))
	list, err := w.service.Comparisons(t.Context(), w.actor, vcd.ComparisonFilter{}, vcd.Page{Size: 1}, false)
	must(t, err)
	draft := vcd.FeedbackRuleInput{ComparisonID: string(list.Items[0].ID), RegionID: number(1), Reach: vcd.ReachURL}
	low, high := 0.5, 10.0
	simulate := func(in vcd.SimulationInput) string {
		in.GroupID, in.Days = g.ID, 30
		s, err := w.service.Simulate(t.Context(), w.actor, in)
		must(t, err)
		return fmt.Sprint(s.Comparisons, s.AlarmsThen, s.AlarmsNow, s.AppearedCount, s.VanishedCount, len(s.Appeared), len(s.Vanished), s.Complete)
	}
	for name, c := range map[string]struct {
		in   vcd.SimulationInput
		want string
	}{
		"nothing changed": {vcd.SimulationInput{}, "6 2 2 0 0 0 0 true"},
		"lower":           {vcd.SimulationInput{Threshold: &low}, "6 2 4 2 0 2 0 true"},
		"higher":          {vcd.SimulationInput{Threshold: &high}, "6 2 0 0 2 0 2 true"},
		"with a rule":     {vcd.SimulationInput{Threshold: &low, Add: []vcd.FeedbackRuleInput{draft}}, "6 2 0 0 2 0 2 true"},
	} {
		if got := simulate(c.in); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	rule := w.rule(draft)
	preview, err := w.service.PreviewRule(t.Context(), w.actor, rule)
	if err != nil || *preview != (vcd.RulePreview{Comparisons: 6, Silenced: 2, Complete: true}) {
		t.Errorf("%+v, %v", preview, err)
	}
	if got := simulate(vcd.SimulationInput{Exclude: []string{string(rule.ID)}}); got != "6 2 2 0 0 0 0 true" {
		t.Errorf("without the rule: %s", got)
	}
	_, err = w.service.Simulate(t.Context(), w.actor, vcd.SimulationInput{GroupID: g.ID, Days: 91})
	wantCode(t, err, vcd.CodeInvalid)
	w.clock.advance(31 * 24 * time.Hour)
	problems, err := w.service.FeedbackRuleProblems(t.Context(), w.actor)
	if err != nil || len(problems) != 1 || problems[0].Kind != vcd.RuleStale {
		t.Errorf("%+v, %v", problems, err)
	}
}

// In monitoring a change is looked at when it would be reported: once it was seen a second time.
func TestMonitoringVerifiesWhatLasts(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g := w.monitored("page", 1, vcd.GroupChange{})
	w.runDue(g.ID)
	w.look("A")
	for name, c := range map[string]struct {
		category vcd.Category
		want     string
	}{
		"harmless": {vcd.CategoryAllGood, "ok verified 1/0/0 everything_ok"},
		"alarming": {vcd.CategoryAlert, "new verified 0/0/1 needs_attention"},
	} {
		before := w.alarms()
		batch := w.runDue(g.ID)
		w.clock.advance(time.Minute)
		w.visit(w.jobs("capture")[0], name)
		for _, confirmed := range []bool{false, true} {
			entry := w.jobs("compare")[0]
			task, err := w.service.BeginComparison(w.working(entry), w.actor, entry)
			must(t, err)
			r := w.result(task, 50, lamp(c.category))
			if (r.Verification != nil) != confirmed {
				t.Errorf("%s, confirmed %t: looked at %+v", name, confirmed, r.Verification)
			}
			if task.Again != nil {
				again := w.result(task, 50, lamp(c.category))
				r.Again = &again
				r.Again.Picture.Over = task.Again.Image.Hash
			}
			must(t, w.service.FinishComparison(w.working(entry), w.actor, task, r))
			if !confirmed {
				w.clock.advance(time.Minute)
				w.visit(w.jobs("capture")[0], name)
			}
		}
		if got := w.told(batch); got != c.want || w.alarms()-before != strings.Count(c.want, "new") {
			t.Errorf("%s: %s with %d alarms, want %s", name, got, w.alarms()-before, c.want)
		}
	}
	w.checkInvariants()
}

// A rule that passes over alerts on many pages is more than its maker can have meant.
func TestRulesThatPassOverTooMuchAreTold(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g, _ := w.group("shop", 4, vcd.GroupChange{})
	w.round(g, false, 5, lamp(vcd.CategoryAlert))
	rule := w.rule(vcd.FeedbackRuleInput{RegionID: number(1), Reach: vcd.ReachGroupOrWebsite})
	if batch, _ := w.round(g, false, 5, lamp(vcd.CategoryAlert)); !strings.HasPrefix(w.told(batch), "ok") {
		t.Errorf("a rule made out of an alert does not match it: %s", w.told(batch))
	}
	problems, err := w.service.FeedbackRuleProblems(t.Context(), w.actor)
	if err != nil || len(problems) != 1 || problems[0].Kind != vcd.RuleOverBroad || problems[0].Rule.ID != rule.ID {
		t.Errorf("%+v, %v", problems, err)
	}
}
