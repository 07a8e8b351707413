package db_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// verifying gives the account verification.
func (w *world) verifying() {
	w.t.Helper()
	w.asSystem("UPDATE accounts SET ai_verification = true WHERE id = $1", string(w.actor.Account))
}

// price is an element that shows a price, in a card of a shop.
func price(place int, text, context string, y int) *page.ElementIdentity {
	return &page.ElementIdentity{
		Selector: fmt.Sprintf("html > body > main > article:nth-of-type(%d) > p", place), Tag: "p", Role: "paragraph", Text: text,
		Context: context,
		Box:     page.Box{X: 40, Y: y, Width: 120, Height: 24},
	}
}

// found is what the rules find out about a region whose text changed.
func found(region int, category vcd.Category, before, after *page.ElementIdentity) vcd.Finding {
	change := vcd.FoundChange{Kind: "text_changed", Category: category, Before: before, After: after}
	change.Fingerprint = vcd.FingerprintOf(&change, before.Text, after.Text, "")
	return vcd.Finding{
		RegionID: region, Category: category, Ruled: category, Judge: vcd.JudgeRules, Description: "Paragraph: text changed",
		Reason:     "A test says so.",
		Confidence: 0.9, Changes: []vcd.FoundChange{change},
	}
}

func lamp(category vcd.Category) vcd.Finding {
	return found(1, category, price(1, "€ 10", "Desk lamp in brass", 100), price(1, "€ 12", "Desk lamp in brass", 100))
}

// result is what a worker finds when the regions of findings changed.
func (w *world) result(task *run.CompareTask, percent float64, findings ...vcd.Finding) run.CompareResult {
	p := w.picture("mask of " + string(task.Entry.ID))
	p.Over = task.After.Image.Hash
	r := run.CompareResult{Difference: vcd.Difference{Percent: percent, AlignedPercent: percent, Width: 1280, Height: 800}, Picture: &p}
	for _, f := range findings {
		r.Difference.Regions = append(r.Difference.Regions, vcd.ChangedRegion{ID: f.RegionID, X: 40, Y: 100, Width: 120, Height: 24,
			Pixels: 600, Fingerprint: "f"})
	}
	if task.Verify(&r) {
		r.Verification = &vcd.Verification{Findings: findings, Elapsed: 3 * time.Millisecond}
	}
	return r
}

// round captures a group of pages before and after, and compares each with findings.
func (w *world) round(g *vcd.Group, model bool, percent float64, findings ...vcd.Finding) (batch vcd.ID, compared []*vcd.Comparison) {
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
		task, err := w.service.Runs.BeginComparison(w.working(entry), w.actor, entry)
		must(w.t, err)
		r := w.result(task, percent, findings...)
		r.Model = model
		compared = append(compared, w.finish(task, r))
	}
	return batch, compared
}

// told is what a comparison and its batch say after verification.
func (w *world) told(batch vcd.ID) string {
	w.t.Helper()
	list, err := w.service.Reviews.Comparisons(w.t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 1}, false)
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
		g, _ := w.group(strings.ReplaceAll(name, " ", "-"), 1, inventory.GroupChange{})
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
		g, _ := w.group(name, 1, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
		w.take(vcd.QueuePre, g)
		for _, entry := range w.jobs("capture") {
			w.capture(entry, "before")
		}
		batch := w.take(vcd.QueuePost, g).Batches[0].ID
		for _, entry := range w.jobs("capture") {
			w.capture(entry, "after")
		}
		for _, entry := range w.jobs("compare") {
			task, err := w.service.Runs.BeginComparison(w.working(entry), w.actor, entry)
			must(t, err)
			r := w.result(task, c.percent, lamp(vcd.CategoryNotSure))
			r.BlankBefore, r.BlankAfter, r.Verification = c.before, c.after, nil
			if task.Verify(&r) {
				t.Errorf("%s: the regions of a blank page are looked at", name)
			}
			w.finish(task, r)
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
	w.service = w.service.With(func(c *vcd.Config) { c.ModelBudget = 4 })
	said := func(category vcd.Category) vcd.Consultation {
		return vcd.Consultation{Opinions: map[int]vcd.Opinion{1: {Category: category, Reason: "It says so.", Confidence: 0.6}},
			Elapsed: time.Second}
	}
	for name, c := range map[string]struct {
		say  vcd.Consultation
		want string
	}{
		"harmless":  {said(vcd.CategoryAllGood), "ok verified 1/0/0 everything_ok"},
		"alarming":  {said(vcd.CategoryAlert), "new verified 0/0/1 needs_attention"},
		"no answer": {vcd.Consultation{Problem: "it did not answer in time"}, "new failed 0/1/0 needs_attention"},
	} {
		g, _ := w.group(strings.ReplaceAll(name, " ", "-"), 1, inventory.GroupChange{})
		batch, compared := w.round(g, true, 5, lamp(vcd.CategoryNotSure))
		if got := w.told(batch); got != "new pending 0/1/0 running" || !compared[0].Pending() {
			t.Fatalf("%s, while it is asked: %s", name, got)
		}
		w.checkInvariants()
		before := w.alarms()
		for _, asked := range compared {
			resumed, err := w.service.Runs.BeginComparison(w.working(asked.QueueID), w.actor, asked.QueueID)
			must(t, err)
			if resumed.Pending == nil || resumed.Pending.ID != asked.ID {
				t.Errorf("%s: another worker does not go on with %+v", name, resumed)
			}
			for range 2 { // the second one comes late
				must(t, w.service.Runs.FinishVerification(w.working(asked.QueueID), w.actor, asked.QueueID, c.say))
			}
		}
		if got := w.told(batch); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if n := w.alarms() - before; n != len(compared)*strings.Count(c.want, "new") {
			t.Errorf("%s: %d alarms", name, n)
		}
	}
	w.service = w.service.With(func(c *vcd.Config) { c.ModelBudget = 1 })
	g, _ := w.group("poor", 1, inventory.GroupChange{})
	batch, compared := w.round(g, true, 5, lamp(vcd.CategoryNotSure))
	if !compared[0].Pending() || compared[1].Pending() {
		t.Error("the budget is for one region of a batch")
	}
	must(t, w.service.Runs.FailComparison(w.working(compared[0].QueueID), w.actor, compared[0].QueueID, "crashed", "It was interrupted."))
	if b := w.batch(batch); b.FinishedAt == nil || b.ModelRegions != 1 || b.Comparisons.New != 2 || b.Counts.Failed != 0 {
		t.Errorf("a comparison is lost with its model: %+v", b)
	}
	w.checkInvariants()
}

func TestAReviewDuringTheQuestionStays(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	w.service = w.service.With(func(c *vcd.Config) { c.ModelBudget = 10 })
	g, _ := w.group("page", 1, inventory.GroupChange{})
	batch, compared := w.round(g, true, 5, lamp(vcd.CategoryNotSure))
	_, err := w.service.Reviews.SetComparisonStatus(t.Context(), w.actor, compared[0].ID, vcd.ComparisonToFix)
	must(t, err)
	for _, asked := range compared {
		must(t, w.service.Runs.FinishVerification(w.working(asked.QueueID), w.actor, asked.QueueID,
			vcd.Consultation{Problem: "it did not answer"}))
	}
	if b := w.batch(batch); b.Comparisons.ToFix != 1 || b.Comparisons.New != 1 || b.FinishedAt == nil {
		t.Errorf("%+v", b.Comparisons)
	}
	w.checkInvariants()
}

// In monitoring a change is looked at when it would be reported: once it was seen a second time.
func TestMonitoringVerifiesWhatLasts(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g := w.monitored("page", 1, inventory.GroupChange{})
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
			task, err := w.service.Runs.BeginComparison(w.working(entry), w.actor, entry)
			must(t, err)
			r := w.result(task, 50, lamp(c.category))
			if (r.Verification != nil) != confirmed {
				t.Errorf("%s, confirmed %t: looked at %+v", name, confirmed, r.Verification)
			}
			if task.Recaptured != nil {
				again := w.result(task, 50, lamp(c.category))
				r.OfRecapture = &again
				r.OfRecapture.Picture.Over = task.Recaptured.Image.Hash
			}
			w.finish(task, r)
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

// A page that is blank in monitoring is captured again like any other that changed; one that has recovered is not.
func TestABlankPageInMonitoringIsConfirmed(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g := w.monitored("page", 1, inventory.GroupChange{})
	w.runDue(g.ID)
	w.look("A")
	for _, c := range []struct {
		look          string
		before, after bool
		visits        int
		want          string
	}{
		{"blank", false, true, 2, "new verified 0/0/1 after_blank needs_attention"},
		{"B", true, false, 1, "ok verified 0/0/0 before_blank everything_ok"},
	} {
		batch := w.runDue(g.ID)
		w.clock.advance(time.Minute)
		visits := 0
		for ; len(w.jobs("capture")) > 0; visits++ {
			w.visit(w.jobs("capture")[0], c.look)
			entry := w.jobs("compare")[0]
			task, err := w.service.Runs.BeginComparison(w.working(entry), w.actor, entry)
			must(t, err)
			blank := func() run.CompareResult {
				r := w.result(task, 80)
				r.BlankBefore, r.BlankAfter = c.before, c.after
				return r
			}
			r := blank()
			if task.Recaptured != nil {
				again := blank()
				again.Picture.Over = task.Recaptured.Image.Hash
				r.OfRecapture = &again
			}
			w.finish(task, r)
			w.clock.advance(time.Minute)
		}
		if got := w.told(batch); got != c.want || visits != c.visits {
			t.Errorf("%s: %s after %d visits, want %s after %d", c.look, got, visits, c.want, c.visits)
		}
	}
	w.checkInvariants()
}
