package db_test

import (
	"strings"
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// look does all work of a monitoring run of the page as it looks at each visit: the last look serves for all further ones.
// Pictures that are equal differ by nothing, all others by a half. A look may name an answer ("500 oops"), a version of
// the capture engine ("v2 page") or a failure ("-").
func (w *world) look(looks ...string) {
	w.t.Helper()
	for {
		captures, compares := w.jobs("capture"), w.jobs("compare")
		if len(captures)+len(compares) == 0 {
			return
		}
		w.clock.advance(time.Minute)
		for _, entry := range captures {
			w.visit(entry, looks[0])
			if len(looks) > 1 {
				looks = looks[1:]
			}
		}
		for _, entry := range compares {
			w.compareByHash(entry)
		}
	}
}

func (w *world) visit(entry vcd.ID, look string) {
	w.t.Helper()
	task, err := w.service.Runs.BeginCapture(w.working(entry), w.actor, entry)
	must(w.t, err)
	if look == "-" {
		must(w.t, w.service.Runs.FailCapture(w.working(entry), w.actor, entry, run.CaptureFailure{Reason: "dns",
			Sentence: "No such host."}))
		return
	}
	result := run.CaptureResult{StatusCode: 200, FinalURL: "https://" + task.Address, Scheme: "https", SCVersion: "1"}
	if strings.HasPrefix(look, "500 ") {
		result.StatusCode = 500
	}
	if strings.HasPrefix(look, "v2 ") {
		result.SCVersion = "2"
	}
	result.Picture = w.picture(look)
	must(w.t, w.service.Runs.FinishCapture(w.working(entry), w.actor, entry, result))
}

func (w *world) compareByHash(entry vcd.ID) {
	w.t.Helper()
	task, err := w.service.Runs.BeginComparison(w.working(entry), w.actor, entry)
	must(w.t, err)
	differ := func(after *vcd.Screenshot) run.CompareResult {
		if task.Before.Image.Hash == after.Image.Hash {
			return run.CompareResult{Difference: vcd.Difference{Width: 1280, Height: 800}}
		}
		p := w.picture("mask over " + after.Image.Hash)
		p.Over = after.Image.Hash
		return run.CompareResult{Difference: vcd.Difference{Percent: 50, Width: 1280, Height: 800}, Picture: &p}
	}
	result := differ(task.After)
	if task.Recaptured != nil {
		again := differ(task.Recaptured)
		result.OfRecapture = &again
	}
	w.finish(task, result)
}

// verdict is what the run of a group came to: the state of its comparison and its marks.
func (w *world) verdict(id vcd.ID, looks ...string) string {
	w.t.Helper()
	before := w.alarms()
	batch := w.runDue(id)
	w.look(looks...)
	if b := w.batch(batch); b.FinishedAt == nil {
		w.t.Errorf("the batch is not finished: %+v", b.Counts)
	}
	list, err := w.service.Reviews.Comparisons(w.t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 2}, false)
	must(w.t, err)
	if len(list.Items) == 0 {
		return "baseline"
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
		w.t.Errorf("%d comparisons, %s with an alarm: %t", len(list.Items), c.Status, alarmed)
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
		g := w.monitored(strings.NewReplacer(" ", "-", ",", "").Replace(name), 1, inventory.GroupChange{})
		for i, s := range story {
			if status, found := strings.CutPrefix(s.looks, "="); found {
				w.reviewNewest(vcd.ComparisonStatus(status))
				continue
			}
			if got := w.verdict(g.ID, strings.Split(s.looks, ",")...); got != s.want {
				t.Errorf("%s, run %d, %s: %s, want %s", name, i+1, s.looks, got, s.want)
			}
		}
		must(t, w.service.Inventory.DeleteGroup(t.Context(), w.actor, g.ID))
	}
	w.checkInvariants()
}

// reviewNewest gives the newest comparison a state.
func (w *world) reviewNewest(status vcd.ComparisonStatus) {
	w.t.Helper()
	list, err := w.service.Reviews.Comparisons(w.t.Context(), w.actor, vcd.ComparisonFilter{}, vcd.Page{Size: 1}, false)
	must(w.t, err)
	_, err = w.service.Reviews.SetComparisonStatus(w.t.Context(), w.actor, list.Items[0].ID, status)
	must(w.t, err)
}

func TestAConfirmationCostsNoCheckAndHoldsTheBatch(t *testing.T) {
	w := newWorld(t)
	w.service = w.service.With(func(c *vcd.Config) { c.ConfirmAfter = time.Minute })
	g := w.monitored("page", 1, inventory.GroupChange{})
	w.runDue(g.ID)
	w.look("A")
	batch := w.runDue(g.ID)
	w.visit(w.jobs("capture")[0], "B")
	w.compareByHash(w.jobs("compare")[0])
	shots := w.entriesOf(batch, vcd.QueueAuto)
	if b := w.batch(batch); b.FinishedAt != nil || b.Counts != (vcd.StatusCounts{Open: 2, Done: 1}) || len(shots) != 2 {
		t.Fatalf("while it is to be confirmed: %+v", b)
	}
	again := shots[0]
	if !again.IsConfirmation() {
		again = shots[1]
	}
	if !again.IsConfirmation() || again.NotBefore == nil || again.NotBefore.Sub(w.clock.Now()) != time.Minute {
		t.Errorf("the confirmation: %+v", again)
	}
	if n := value[int](w, "SELECT count(*) FROM comparisons") + w.alarms(); n != 0 {
		t.Errorf("%d comparisons and alarms before the confirmation", n)
	}
	w.checkInvariants()
	w.clock.advance(time.Minute)
	w.look("B")
	c := w.comparisonOf(batch)
	if a := w.freshAccount(); a.ChecksDone != 2 || a.ChecksReserved != 0 || w.entry(again.ID).Status != vcd.QueueDone {
		t.Errorf("%d checks done, %d reserved", a.ChecksDone, a.ChecksReserved)
	}
	if taken := w.entry(again.ID); c.Status != vcd.ComparisonNew || c.After.Image.Hash != taken.Image.Hash {
		t.Errorf("%+v does not show what confirmed it", c)
	}
	w.checkInvariants()
}

func TestConfirmationsCanBeSwitchedOffAndAreForMonitoringOnly(t *testing.T) {
	w := newWorld(t)
	g := w.monitored("page", 1, inventory.GroupChange{ConfirmChanges: vcd.Some(false)})
	if got := w.verdict(g.ID, "A") + ", " + w.verdict(g.ID, "B"); got != "baseline, new" {
		t.Errorf("without confirmations: %s", got)
	}
	_, err := w.service.Inventory.UpdateGroup(t.Context(), w.actor, g.ID, inventory.GroupChange{ConfirmChanges: vcd.Some(true)})
	must(t, err)
	w.take(vcd.QueuePre, g)
	w.look("A")
	post := w.take(vcd.QueuePost, g)
	w.look("B")
	if c := w.comparisonOf(post.Batches[0].ID); c.Status != vcd.ComparisonNew || c.Confirmation != "" || c.Flapping {
		t.Errorf("a post run: %+v", c)
	}
	w.checkInvariants()
}

// A confirmation waits its time in the lane of its account, and keeps nobody else from it.
func TestAConfirmationKeepsTheGapOfItsLane(t *testing.T) {
	w := newWorld(t)
	w.service = w.service.With(func(c *vcd.Config) { c.ConfirmAfter = 90 * time.Second })
	slow := inventory.GroupChange{ScreenshotDelay: vcd.Some(10)}
	g := w.monitored("page", 1, slow)
	w.runDue(g.ID)
	w.look("A")
	w.clock.advance(time.Hour)
	w.runDue(g.ID)
	w.handOutAll(2)
	w.visit(w.jobs("capture")[0], "B")
	w.compareByHash(w.jobs("compare")[0])
	asked := w.clock.Now()
	other, _ := w.group("other", 1, slow)
	w.take(vcd.QueuePre, other)
	var dispatched []time.Duration
	for seen := 0; len(dispatched) < 3 && w.clock.Now().Sub(asked) < 5*time.Minute; w.clock.advance(time.Second) {
		w.handOutAll(2)
		for n := len(w.jobs("capture")); seen < n; seen++ {
			dispatched = append(dispatched, w.clock.Now().Sub(asked))
		}
	}
	if len(dispatched) != 3 || dispatched[0] > 12*time.Second || dispatched[1]-dispatched[0] < 10*time.Second ||
		dispatched[2] < 90*time.Second || dispatched[2] > 100*time.Second {
		t.Errorf("dispatched after %s, want two at once and the confirmation after 90 s", dispatched)
	}
	w.look("B")
	w.checkInvariants()
}

// A worker that was taken for dead and comes late, or starts over, asks for no second confirmation and raises no alarm.
func TestALateComparisonAsksForNoSecondConfirmation(t *testing.T) {
	w := newWorld(t)
	g := w.monitored("page", 1, inventory.GroupChange{})
	w.runDue(g.ID)
	w.look("A")
	batch := w.runDue(g.ID)
	w.visit(w.jobs("capture")[0], "B")
	entry := w.jobs("compare")[0]
	late, err := w.service.Runs.BeginComparison(w.working(entry), w.actor, entry)
	must(t, err)
	w.compareByHash(entry)
	if task, err := w.service.Runs.BeginComparison(w.working(entry), w.actor, entry); err != nil || task != nil {
		t.Errorf("started over while it waits: %+v, %v", task, err)
	}
	p := w.picture("mask")
	p.Over = late.After.Image.Hash
	result := run.CompareResult{Difference: vcd.Difference{Percent: 50, Width: 1280, Height: 800}, Picture: &p}
	w.finish(late, result)
	if n := len(w.entriesOf(batch, vcd.QueueAuto)); n != 2 || w.alarms() != 0 {
		t.Fatalf("%d screenshots, %d alarms", n, w.alarms())
	}
	w.look("A")
	if c := w.comparisonOf(batch); c.Status != vcd.ComparisonOK || c.Confirmation != vcd.ChangeVanished || w.alarms() != 0 {
		t.Errorf("%+v, %d alarms", c, w.alarms())
	}
	w.checkInvariants()
}
