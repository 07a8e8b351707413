package run_test

import (
	"strings"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

func TestVerdictsDecideAboutComparisons(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	second := vcdtest.Lamp(vcd.CategoryAlert)
	second.Regions = []int{2}
	for name, c := range map[string]struct {
		percent  float64
		findings []vcd.Finding
		want     string
	}{
		"nothing":         {0, nil, "ok skipped 0/0/0 everything_ok"},
		"below":           {0, []vcd.Finding{vcdtest.Lamp(vcd.CategoryAlert)}, "ok skipped 0/0/0 everything_ok"},
		"harmless":        {5, []vcd.Finding{vcdtest.Lamp(vcd.CategoryAllGood)}, "ok verified 1/0/0 everything_ok"},
		"unsure":          {5, []vcd.Finding{vcdtest.Lamp(vcd.CategoryNotSure)}, "new verified 0/1/0 needs_attention"},
		"one of two is":   {5, []vcd.Finding{vcdtest.Lamp(vcd.CategoryAllGood), second}, "new verified 1/0/1 needs_attention"},
		"nobody has seen": {5, nil, "new skipped 0/0/0 needs_attention"},
	} {
		before, silent := w.alarms(), w.silenced()
		g, _ := w.Group(strings.ReplaceAll(name, " ", "-"), 1, inventory.GroupChange{})
		batch, _ := w.Round(g, false, c.percent, c.findings...)
		if got := w.Told(batch); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if alarmed := w.alarms() > before; alarmed != strings.HasPrefix(c.want, "new") {
			t.Errorf("%s: alarms %t", name, alarmed)
		}
		if silenced := w.silenced() > silent; silenced != (c.percent > 0 && strings.HasPrefix(c.want, "ok")) {
			t.Errorf("%s: silenced %t", name, silenced)
		}
	}
	w.CheckInvariants()
}

func TestBlankPagesAreDecidedAlone(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
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
		g, _ := w.Group(name, 1, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
		w.Take(vcd.QueuePre, g)
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, "before")
		}
		batch := w.Take(vcd.QueuePost, g).Batches[0].ID
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, "after")
		}
		for _, entry := range w.Jobs("compare") {
			task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
			must(t, err)
			r := w.Result(task, c.percent, vcdtest.Lamp(vcd.CategoryNotSure))
			r.BlankBefore, r.BlankAfter, r.Verification = c.before, c.after, nil
			if task.Verify(&r) {
				t.Errorf("%s: the regions of a blank page are looked at", name)
			}
			w.Finish(task, r)
		}
		if got := w.Told(batch); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	w.CheckInvariants()
}

// A blank page is seen without verification, too.
func TestBlankPagesAreDecidedWithoutVerification(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		before, after bool
		percent       float64
		want          vcd.ComparisonStatus
	}{
		"after":  {false, true, 0, vcd.ComparisonNew},
		"before": {true, false, 80, vcd.ComparisonOK},
		"both":   {true, true, 1, vcd.ComparisonOK},
	} {
		g, _ := w.Group(name, 1, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
		for _, kind := range []vcd.QueueType{vcd.QueuePre, vcd.QueuePost} {
			w.Take(kind, g)
			for _, entry := range w.Jobs("capture") {
				w.Capture(entry, string(kind))
			}
		}
		for _, entry := range w.Jobs("compare") {
			task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
			must(t, err)
			r := w.Result(task, c.percent)
			r.BlankBefore, r.BlankAfter, r.Verification = c.before, c.after, nil
			if decided := w.Finish(task, r); decided.Status != c.want {
				t.Errorf("%s: %s, want %s", name, decided.Status, c.want)
			}
		}
	}
	w.CheckInvariants()
}

func TestAPostWithoutPreSaysWhatIsNotCompared(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("unpaired", 2, inventory.GroupChange{})
	unpaired := func(kind vcd.QueueType) (taken, stored int) {
		run := w.Take(kind, g)
		b, err := w.Service.Runs.Batch(t.Context(), w.Actor, run.Batches[0].ID)
		must(t, err)
		return run.UnpairedCount, b.UnpairedCount
	}
	for _, c := range []struct {
		kind vcd.QueueType
		want int
	}{{vcd.QueuePost, 4}, {vcd.QueuePre, 0}, {vcd.QueuePost, 0}} {
		if taken, stored := unpaired(c.kind); taken != c.want || stored != c.want {
			t.Errorf("%s: %d and %d unpaired, want %d", c.kind, taken, stored, c.want)
		}
	}
}

func TestAModelIsWaitedForAndAskedWithinItsBudget(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	w.Service = w.Service.With(func(c *app.Config) { c.ModelBudget = 4 })
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
		g, _ := w.Group(strings.ReplaceAll(name, " ", "-"), 1, inventory.GroupChange{})
		batch, compared := w.Round(g, true, 5, vcdtest.Lamp(vcd.CategoryNotSure))
		if got := w.Told(batch); got != "new pending 0/1/0 running" || !compared[0].Pending() {
			t.Fatalf("%s, while it is asked: %s", name, got)
		}
		w.CheckInvariants()
		before := w.alarms()
		for _, asked := range compared {
			resumed, err := w.Service.Runs.BeginComparison(w.Working(asked.QueueID), w.Actor, asked.QueueID)
			must(t, err)
			if resumed.Pending == nil || resumed.Pending.ID != asked.ID {
				t.Errorf("%s: another worker does not go on with %+v", name, resumed)
			}
			for range 2 { // the second one is late
				must(t, w.Service.Runs.FinishVerification(w.Working(asked.QueueID), w.Actor, asked.QueueID, c.say))
			}
		}
		if got := w.Told(batch); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if n := w.alarms() - before; n != len(compared)*strings.Count(c.want, "new") {
			t.Errorf("%s: %d alarms", name, n)
		}
	}
	w.Service = w.Service.With(func(c *app.Config) { c.ModelBudget = 1 })
	g, _ := w.Group("poor", 1, inventory.GroupChange{})
	batch, compared := w.Round(g, true, 5, vcdtest.Lamp(vcd.CategoryNotSure))
	if !compared[0].Pending() || compared[1].Pending() {
		t.Error("the budget is for one region of a batch")
	}
	must(t, w.Service.Runs.FailComparison(w.Working(compared[0].QueueID), w.Actor, compared[0].QueueID, "crashed", "It was interrupted."))
	if b := w.Batch(batch); b.FinishedAt == nil || b.ModelRegions != 1 || b.Comparisons.New != 2 || b.Counts.Failed != 0 {
		t.Errorf("a comparison is lost with its model: %+v", b)
	}
	w.CheckInvariants()
}

func TestAReviewDuringTheQuestionStays(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	w.Service = w.Service.With(func(c *app.Config) { c.ModelBudget = 10 })
	g, _ := w.Group("page", 1, inventory.GroupChange{})
	batch, compared := w.Round(g, true, 5, vcdtest.Lamp(vcd.CategoryNotSure))
	_, err := w.Service.Reviews.SetComparisonStatus(t.Context(), w.Actor, compared[0].ID, vcd.ComparisonToFix)
	must(t, err)
	for _, asked := range compared {
		must(t, w.Service.Runs.FinishVerification(w.Working(asked.QueueID), w.Actor, asked.QueueID,
			vcd.Consultation{Problem: "it did not answer"}))
	}
	if b := w.Batch(batch); b.Comparisons.ToFix != 1 || b.Comparisons.New != 1 || b.FinishedAt == nil {
		t.Errorf("%+v", b.Comparisons)
	}
	w.CheckInvariants()
}

// A monitoring change is verified when it would be reported: once it has been seen a second time.
func TestMonitoringVerifiesWhatLasts(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g := w.Monitored("page", 1, inventory.GroupChange{})
	w.RunDue(g.ID)
	w.Look("A")
	for name, c := range map[string]struct {
		category vcd.Category
		want     string
	}{
		"harmless": {vcd.CategoryAllGood, "ok verified 1/0/0 everything_ok"},
		"alarming": {vcd.CategoryAlert, "new verified 0/0/1 needs_attention"},
	} {
		before := w.alarms()
		batch := w.RunDue(g.ID)
		w.Clock.Advance(time.Minute)
		w.Visit(w.Jobs("capture")[0], name)
		for _, confirmed := range []bool{false, true} {
			entry := w.Jobs("compare")[0]
			task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
			must(t, err)
			r := w.Result(task, 50, vcdtest.Lamp(c.category))
			if (r.Verification != nil) != confirmed {
				t.Errorf("%s, confirmed %t: looked at %+v", name, confirmed, r.Verification)
			}
			if task.Recaptured != nil {
				again := w.Result(task, 50, vcdtest.Lamp(c.category))
				r.OfRecapture = &again
				r.OfRecapture.Picture.Over = task.Recaptured.Image.Hash
			}
			w.Finish(task, r)
			if !confirmed {
				w.Clock.Advance(time.Minute)
				w.Visit(w.Jobs("capture")[0], name)
			}
		}
		if got := w.Told(batch); got != c.want || w.alarms()-before != strings.Count(c.want, "new") {
			t.Errorf("%s: %s with %d alarms, want %s", name, got, w.alarms()-before, c.want)
		}
	}
	w.CheckInvariants()
}

// A page that is blank in monitoring is captured again like any other changed page; one that has recovered is not.
func TestABlankPageInMonitoringIsConfirmed(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g := w.Monitored("page", 1, inventory.GroupChange{})
	w.RunDue(g.ID)
	w.Look("A")
	for _, c := range []struct {
		look          string
		before, after bool
		visits        int
		want          string
	}{
		{"blank", false, true, 2, "new verified 0/0/1 after_blank needs_attention"},
		{"B", true, false, 1, "ok verified 0/0/0 before_blank everything_ok"},
	} {
		batch := w.RunDue(g.ID)
		w.Clock.Advance(time.Minute)
		visits := 0
		for ; len(w.Jobs("capture")) > 0; visits++ {
			w.Visit(w.Jobs("capture")[0], c.look)
			entry := w.Jobs("compare")[0]
			task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
			must(t, err)
			blank := func() run.CompareResult {
				r := w.Result(task, 80)
				r.BlankBefore, r.BlankAfter = c.before, c.after
				return r
			}
			r := blank()
			if task.Recaptured != nil {
				again := blank()
				again.Picture.Over = task.Recaptured.Image.Hash
				r.OfRecapture = &again
			}
			w.Finish(task, r)
			w.Clock.Advance(time.Minute)
		}
		if got := w.Told(batch); got != c.want || visits != c.visits {
			t.Errorf("%s: %s after %d visits, want %s after %d", c.look, got, visits, c.want, c.visits)
		}
	}
	w.CheckInvariants()
}
