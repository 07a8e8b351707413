package run_test

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// verdict runs a group and returns the state of its comparison and its marks.
func (w *world) verdict(id vcd.ID, looks ...string) string {
	w.T.Helper()
	before := w.alarms()
	batch := w.RunDue(id)
	w.Look(looks...)
	if b := w.Batch(batch); b.FinishedAt == nil {
		w.T.Errorf("the batch is not finished: %+v", b.Counts)
	}
	list, err := w.Service.Reviews.Comparisons(w.T.Context(), w.Actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 2}, false)
	must(w.T, err)
	if len(list.Items) == 0 {
		return cmp.Or(w.notCompared(batch), "baseline")
	}
	c := list.Items[0]
	parts := []string{string(c.Status)}
	if c.Confirmation != "" {
		parts = append(parts, string(c.Confirmation))
	}
	if c.Flapping {
		parts = append(parts, "flapping")
	}
	if alarmed := w.alarms() > before; alarmed != (c.Status == vcd.ComparisonNew) || len(list.Items) > 1 {
		w.T.Errorf("%d comparisons, %s with an alarm: %t", len(list.Items), c.Status, alarmed)
	}
	return strings.Join(parts, " ")
}

func TestChangesAreConfirmedAndReturnsRecognised(t *testing.T) {
	w := newWorld(t)
	type step struct{ looks, want string }
	for name, story := range map[string][]step{
		"a change that lasts": {
			{"A", "baseline"}, {"A", "ok"}, {"B,B", "new confirmed"}, {"B", "ok"}},
		"a change that vanishes": {
			{"A", "baseline"}, {"B,A", "ok vanished"}, {"A", "ok"}, {"B,B", "new confirmed"}},
		"another change at the second look": {
			{"A", "baseline"}, {"B,C", "new confirmed"}, {"C", "ok"}},
		"no second look": {
			{"A", "baseline"}, {"B,-", "new not_possible"}, {"B", "ok"}},
		"a second look by another version": {
			{"A", "baseline"}, {"B,v2 B", "new not_possible"}},
		"a recovery is no news, another fall is": {
			{"A", "baseline"}, {"B", "new confirmed"}, {"A", "ok flapping"}, {"B", "new confirmed flapping"}, {"A", "ok flapping"}},
		"an accepted change that is taken back is news once": {
			{"A", "baseline"}, {"B", "new confirmed"}, {"=ok", ""}, {"A", "new confirmed flapping"}, {"=ok", ""},
			{"B", "ok flapping"}, {"A", "ok flapping"}},
		"a false alarm goes": {
			{"A", "baseline"}, {"B", "new confirmed"}, {"=false_positive", ""}, {"A", "ok flapping"}, {"B", "ok flapping"}},
		"what is to be fixed stays news": {
			{"A", "baseline"}, {"B", "new confirmed"}, {"=to_fix", ""}, {"A", "ok flapping"}, {"B", "new confirmed flapping"}},
		"an error is always news": {
			{"500 oops", "baseline"}, {"A", "new confirmed"}, {"500 oops", "new confirmed flapping"}},
		"an upgrade": {
			{"A", "baseline"}, {"v2 A", "baseline"}, {"v2 B", "new confirmed"}, {"v2 A", "ok flapping"}, {"A", "ok"}},
		"what was seen long ago is new": {
			{"A", "baseline"}, {"B", "new confirmed"}, {"C", "new confirmed"}, {"D", "new confirmed"}, {"E", "new confirmed"},
			{"F", "new confirmed"}, {"A", "new confirmed"}},
	} {
		g := w.Monitored(strings.NewReplacer(" ", "-", ",", "").Replace(name), 1, inventory.GroupChange{})
		for i, s := range story {
			if status, found := strings.CutPrefix(s.looks, "="); found {
				w.reviewNewest(vcd.ComparisonStatus(status))
				continue
			}
			if got := w.verdict(g.ID, strings.Split(s.looks, ",")...); got != s.want {
				t.Errorf("%s, run %d, %s: %s, want %s", name, i+1, s.looks, got, s.want)
			}
		}
		must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID))
	}
	w.CheckInvariants()
}

// reviewNewest sets the state of the newest comparison.
func (w *world) reviewNewest(status vcd.ComparisonStatus) {
	w.T.Helper()
	list, err := w.Service.Reviews.Comparisons(w.T.Context(), w.Actor, vcd.ComparisonFilter{}, vcd.Page{Size: 1}, false)
	must(w.T, err)
	_, err = w.Service.Reviews.SetComparisonStatus(w.T.Context(), w.Actor, list.Items[0].ID, status)
	must(w.T, err)
}

func TestAConfirmationCostsNoCheckAndHoldsTheBatch(t *testing.T) {
	w := newWorld(t)
	w.Service = w.Service.With(func(c *app.Config) { c.ConfirmAfter = time.Minute })
	g := w.Monitored("page", 1, inventory.GroupChange{})
	w.RunDue(g.ID)
	w.Look("A")
	batch := w.RunDue(g.ID)
	w.Visit(w.Jobs("capture")[0], "B")
	w.CompareByHash(w.Jobs("compare")[0])
	shots := w.entriesOf(batch, vcd.QueueAuto)
	if b := w.Batch(batch); b.FinishedAt != nil || b.Counts != (vcd.StatusCounts{Open: 2, Done: 1}) || len(shots) != 2 {
		t.Fatalf("while it is to be confirmed: %+v", b)
	}
	again := shots[0]
	if !again.IsConfirmation() {
		again = shots[1]
	}
	if !again.IsConfirmation() || again.NotBefore == nil || again.NotBefore.Sub(w.Clock.Now()) != time.Minute {
		t.Errorf("the confirmation: %+v", again)
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM comparisons") + w.alarms(); n != 0 {
		t.Errorf("%d comparisons and alarms before the confirmation", n)
	}
	w.CheckInvariants()
	w.Clock.Advance(time.Minute)
	w.Look("B")
	c := w.comparisonOf(batch)
	if a := w.FreshAccount(); a.ChecksDone != 2 || a.ChecksReserved != 0 || w.Entry(again.ID).Status != vcd.QueueDone {
		t.Errorf("%d checks done, %d reserved", a.ChecksDone, a.ChecksReserved)
	}
	if taken := w.Entry(again.ID); c.Status != vcd.ComparisonNew || c.After.Image.Hash != taken.Image.Hash {
		t.Errorf("%+v does not show what confirmed it", c)
	}
	w.CheckInvariants()
}

func TestConfirmationsCanBeSwitchedOffAndAreForMonitoringOnly(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("page", 1, inventory.GroupChange{ConfirmChanges: vcd.Some(false)})
	if got := w.verdict(g.ID, "A") + ", " + w.verdict(g.ID, "B"); got != "baseline, new" {
		t.Errorf("without confirmations: %s", got)
	}
	_, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, g.ID, inventory.GroupChange{ConfirmChanges: vcd.Some(true)})
	must(t, err)
	w.Take(vcd.QueuePre, g)
	w.Look("A")
	post := w.Take(vcd.QueuePost, g)
	w.Look("B")
	if c := w.comparisonOf(post.Batches[0].ID); c.Status != vcd.ComparisonNew || c.Confirmation != "" || c.Flapping {
		t.Errorf("a post run: %+v", c)
	}
	w.CheckInvariants()
}

// A confirmation observes the delay between its account's screenshots, and blocks nobody else meanwhile.
func TestAConfirmationKeepsTheGapOfItsLane(t *testing.T) {
	w := newWorld(t)
	w.Service = w.Service.With(func(c *app.Config) { c.ConfirmAfter = 90 * time.Second })
	slow := inventory.GroupChange{ScreenshotDelay: vcd.Some(10)}
	g := w.Monitored("page", 1, slow)
	w.RunDue(g.ID)
	w.Look("A")
	w.Clock.Advance(time.Hour)
	w.RunDue(g.ID)
	w.handOutAll(2)
	w.Visit(w.Jobs("capture")[0], "B")
	w.CompareByHash(w.Jobs("compare")[0])
	asked := w.Clock.Now()
	other, _ := w.Group("other", 1, slow)
	w.Take(vcd.QueuePre, other)
	var dispatched []time.Duration
	for seen := 0; len(dispatched) < 3 && w.Clock.Now().Sub(asked) < 5*time.Minute; w.Clock.Advance(time.Second) {
		w.handOutAll(2)
		for n := len(w.Jobs("capture")); seen < n; seen++ {
			dispatched = append(dispatched, w.Clock.Now().Sub(asked))
		}
	}
	if len(dispatched) != 3 || dispatched[0] > 12*time.Second || dispatched[1]-dispatched[0] < 10*time.Second ||
		dispatched[2] < 90*time.Second || dispatched[2] > 100*time.Second {
		t.Errorf("dispatched after %s, want two at once and the confirmation after 90 s", dispatched)
	}
	w.Look("B")
	w.CheckInvariants()
}

// A late or restarted worker that was presumed dead requests no second confirmation and raises no alarm.
func TestALateComparisonAsksForNoSecondConfirmation(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("page", 1, inventory.GroupChange{})
	w.RunDue(g.ID)
	w.Look("A")
	batch := w.RunDue(g.ID)
	w.Visit(w.Jobs("capture")[0], "B")
	entry := w.Jobs("compare")[0]
	late, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
	must(t, err)
	w.CompareByHash(entry)
	if task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry); err != nil || task != nil {
		t.Errorf("started over while it waits: %+v, %v", task, err)
	}
	p := w.Picture("mask")
	p.Over = late.After.Image.Hash
	result := run.CompareResult{Difference: vcd.Difference{Percent: 50, AlignedPercent: 50, Width: 1280, Height: 800}, Picture: &p}
	w.Finish(late, result)
	if n := len(w.entriesOf(batch, vcd.QueueAuto)); n != 2 || w.alarms() != 0 {
		t.Fatalf("%d screenshots, %d alarms", n, w.alarms())
	}
	w.Look("A")
	if c := w.comparisonOf(batch); c.Status != vcd.ComparisonOK || c.Confirmation != vcd.ChangeVanished || w.alarms() != 0 {
		t.Errorf("%+v, %d alarms", c, w.alarms())
	}
	w.CheckInvariants()
}
