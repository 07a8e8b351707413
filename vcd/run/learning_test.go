package run_test

import (
	"fmt"
	"testing"
	"time"

	"afterimage/internal/noise"
	"afterimage/internal/page"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
	"afterimage/vcd/run"
)

const clock = "html > body > p"

// ticks is a pair of visits of a page whose clock is reported.
func ticks(v noise.Visit, i int) *noise.Pair {
	at := func(i int) []page.Element {
		return []page.Element{{
			Tag: "p", Selector: clock, Parent: -1, Text: fmt.Sprintf("10:%02d", i), Box: page.Box{Width: 90, Height: 20},
		}}
	}
	return &noise.Pair{Visit: v, Before: at(i), After: at(i + 1), Reported: map[string]noise.Report{clock: noise.Unsure}}
}

func TestMonitoringLearnsWhatChangesByItself(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	no := false
	g := w.Monitored("page", 1, inventory.GroupChange{ConfirmChanges: vcd.Some(no)})
	w.RunDue(g.ID)
	w.Look("A")
	var compared []*vcd.Comparison
	var last *run.CompareTask
	next := func(look string, change func(*run.CompareTask)) {
		w.RunDue(g.ID)
		w.Clock.Advance(time.Minute)
		w.Visit(w.Jobs("capture")[0], look)
		entry := w.Jobs("compare")[0]
		task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
		must(t, err)
		last = task
		change(task)
		r := w.Result(task, 50)
		r.Learned = task.Noise.Knowledge.Clone()
		r.Learned.Observe(ticks(task.Visit(task.After), len(compared)))
		compared = append(compared, w.Finish(task, r))
	}
	known := func() (visits, changed int) {
		next("C", func(task *run.CompareTask) { task.Learn = false })
		compared = compared[:len(compared)-1]
		k := last.Noise.Knowledge
		e := k.On(ticks(noise.Visit{}, 0).Before, ticks(noise.Visit{}, 0).After).Explain(noise.Change{})
		return len(k.Visits), e.Changed
	}
	for i := range 3 {
		next(fmt.Sprint("look ", i), func(task *run.CompareTask) {
			if !task.Learn || task.Noise == nil || task.Noise.Version != int64(i) {
				t.Errorf("run %d: learns %t, %+v", i, task.Learn, task.Noise)
			}
		})
	}
	for name, c := range map[string]struct {
		status  vcd.ComparisonStatus
		changed int
	}{"accepted as it is": {vcd.ComparisonOK, 2}, "a fault": {vcd.ComparisonToFix, 2}, "nothing": {vcd.ComparisonFalsePositive, 3}} {
		if _, err := w.Service.Reviews.SetComparisonStatus(t.Context(), w.Actor, compared[1].ID, c.status); err != nil {
			t.Fatal(err)
		}
		if visits, changed := known(); visits != 3 || changed != c.changed {
			t.Errorf("%s: changed in %d of %d", name, changed, visits)
		}
	}
	stale := func(task *run.CompareTask) { task.Noise.Version-- }
	next("D", stale) // another comparison was faster
	if visits, _ := known(); visits != 3 {
		t.Errorf("a late worker overwrote what was known: %d visits", visits)
	}
	w.CheckInvariants()
	must(t, w.Service.Inventory.DeleteURL(t.Context(), w.Actor, last.Entry.URLID))
	w.CheckInvariants()
}

func TestWhatIsKnownOfAPageThatNobodyVisitsExpires(t *testing.T) {
	w := newWorld(t)
	_, urls := w.Group("page", 1, inventory.GroupChange{})
	_, err := w.Service.Reviews.CorrectLearnedNoise(t.Context(), w.Actor, review.NoiseCorrectionInput{
		URL: urls[0].ID, Device: vcd.Mobile, Selector: vcdtest.Pointer(clock), Correction: review.CorrectVarying,
	})
	must(t, err)
	for _, c := range []struct {
		after time.Duration
		left  int
	}{{noise.MaxAge - time.Hour, 1}, {2 * time.Hour, 0}} {
		w.Clock.Advance(c.after)
		must(t, w.Service.Runs.RemoveOld(t.Context(), run.Retention{}))
		if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM learned_noise"); n != c.left {
			t.Errorf("%v later %d are left, want %d", c.after, n, c.left)
		}
	}
}

func TestUpdatesTeachNothing(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "before")
	}
	w.Take(vcd.QueuePost, g)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "after")
	}
	for _, entry := range w.Jobs("compare") {
		task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
		must(t, err)
		if task.Learn || task.Noise == nil {
			t.Errorf("learns %t from %+v", task.Learn, task.Noise)
		}
	}
}
