package run_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// flow makes a flow with two checkpoints and starts a run of its group.
func (w *world) flow(first ...inventory.FlowStepChange) (f *vcd.Flow, batch vcd.ID) {
	w.T.Helper()
	site, manual, _ := w.Pair("shop.example.com")
	f, err := w.Service.Inventory.CreateFlow(w.T.Context(), w.Actor, inventory.FlowChange{
		WebsiteID: vcd.Some(string(site.ID)), Name: vcd.Some("Checkout"), URL: vcd.Some("shop.example.com"),
		Steps: vcd.Some(append(first,
			inventory.FlowStepChange{Type: "checkpoint", Label: vcd.Some("Basket")},
			inventory.FlowStepChange{Type: "checkpoint", Label: vcd.Some("Paid")},
		))})
	must(w.T, err)
	return f, w.Take(vcd.QueuePre, manual).Batches[0].ID
}

// checkpoints are the entries of a batch by the names of their checkpoints.
func (w *world) checkpoints(batch vcd.ID) map[string]*vcd.QueueEntry {
	w.T.Helper()
	of := vcd.QueueFilter{BatchIDs: &[]vcd.ID{batch}}
	list, err := w.Service.Runs.QueueEntries(w.T.Context(), w.Actor, of, vcd.Page{Size: 100}, false)
	must(w.T, err)
	found := map[string]*vcd.QueueEntry{}
	for _, e := range list.Items {
		_, name := vcd.CheckpointNames(e.URLAddress)
		found[name] = w.Entry(e.ID)
	}
	return found
}

// A checkpoint that is removed while it waits takes no other one with it: that one leads from then on.
func TestTheFlowOutlivesTheCheckpointThatLeads(t *testing.T) {
	w := newWorld(t)
	f, batch := w.flow()
	leaders := w.Jobs("capture")
	if len(leaders) != 1 {
		t.Fatalf("%d turns for the checkpoints of a flow", len(leaders))
	}
	kept := map[string]string{"Basket": "Paid", "Paid": "Basket"}
	for name, e := range w.checkpoints(batch) {
		if e.ID != leaders[0] {
			continue
		}
		step := inventory.FlowStepChange{Type: "checkpoint", Label: vcd.Some(kept[name])}
		_, err := w.Service.Inventory.UpdateFlow(t.Context(), w.Actor, f.ID, inventory.FlowChange{
			Steps: vcd.Some([]inventory.FlowStepChange{step})})
		must(t, err)
		task, err := w.Service.Runs.BeginCapture(w.Working(e.ID), w.Actor, e.ID)
		if must(t, err); task != nil {
			t.Fatalf("a checkpoint that is gone is captured: %+v", task)
		}
		next := w.Jobs("capture")
		if len(next) != 1 || next[0] == e.ID {
			t.Fatalf("then these are captured: %v", next)
		}
		w.WalkFlow(next[0], "page")
		after := w.checkpoints(batch)
		if after[name].Status != vcd.QueueFailed || after[kept[name]].Status != vcd.QueueDone {
			t.Errorf("%s is %s, %s is %s", name, after[name].Status, kept[name], after[kept[name]].Status)
		}
	}
	if w.Batch(batch).FinishedAt == nil {
		t.Error("the batch did not finish")
	}
	w.CheckInvariants()
}

// A cancelled run ends all checkpoints.
func TestACancelledFlowEnds(t *testing.T) {
	w := newWorld(t)
	f, batch := w.flow()
	_, err := w.Service.Runs.BeginCapture(w.Working(w.Jobs("capture")[0]), w.Actor, w.Jobs("capture")[0])
	must(t, err)
	_, err = w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	_, err = w.Service.Runs.EndCancelled(t.Context(), 100)
	must(t, err)
	for name, e := range w.checkpoints(batch) {
		if e.Status != vcd.QueueFailed {
			t.Errorf("%s is %s", name, e.Status)
		}
	}
	last, err := w.Service.Inventory.LastFlowRuns(t.Context(), w.Actor, []vcd.ID{f.ID})
	must(t, err)
	if r := last[f.ID]; r == nil || r.Status != vcd.QueueFailed || r.Error == "" {
		t.Errorf("the run of the flow is %+v", r)
	}
	w.CheckInvariants()
}

// What has ended of a flow that goes on is stored, and kept if it is cancelled; of one that is over nothing is stored.
func TestStepsOfAFlowThatGoesOn(t *testing.T) {
	w := newWorld(t)
	f, batch := w.flow()
	entry := w.Jobs("capture")[0]
	_, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
	must(t, err)
	note := func(label string) {
		t.Helper()
		step := vcd.FlowRunStep{ID: f.StepIDs[0], Type: "checkpoint", Label: label, Status: vcd.StepPassed}
		must(t, w.Service.Runs.NoteFlowSteps(t.Context(), w.Actor, entry, []vcd.FlowRunStep{step}))
	}
	want := func(status vcd.QueueStatus, label string) {
		t.Helper()
		last, err := w.Service.Inventory.LastFlowRuns(t.Context(), w.Actor, []vcd.ID{f.ID})
		must(t, err)
		if r := last[f.ID]; r.Status != status || len(r.Steps) != 1 || r.Steps[0].Label != label {
			t.Errorf("the run of the flow is %+v, want %s with the step %s", r, status, label)
		}
	}
	note("Basket")
	want(vcd.QueueProcessing, "Basket")
	_, err = w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	_, err = w.Service.Runs.EndCancelled(t.Context(), 100)
	must(t, err)
	note("Too late")
	want(vcd.QueueFailed, "Basket")
	w.CheckInvariants()
}

// buy is a step that changes something that lasts.
func buy() inventory.FlowStepChange {
	return inventory.FlowStepChange{Type: "click", Selector: vcd.Some("#buy"), Changes: vcd.Some(true)}
}

// A flow that was interrupted is run again, but not once a step has begun that changes something, unless somebody allows it.
func TestAFlowThatChangedSomethingIsNotRepeatedUnasked(t *testing.T) {
	w := newWorld(t)
	f, batch := w.flow(buy())
	entry := w.Jobs("capture")[0]
	begin := func() *run.CaptureTask {
		t.Helper()
		task, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
		must(t, err)
		return task
	}
	for range 2 {
		if begin() == nil {
			t.Fatal("a flow that has changed nothing is not begun, or not again")
		}
	}
	must(t, w.Service.Runs.BeginChange(t.Context(), w.Actor, entry, 1))
	if task := begin(); task != nil {
		t.Fatalf("the flow is begun again: %+v", task)
	}
	for name, e := range w.checkpoints(batch) {
		if e.Status != vcd.QueueFailed || !strings.Contains(e.ErrorMsg, "Step 1 of the flow (click #buy) failed: The run was interrupted") {
			t.Errorf("%s is %s: %s", name, e.Status, e.ErrorMsg)
		}
	}
	last, err := w.Service.Inventory.LastFlowRuns(t.Context(), w.Actor, []vcd.ID{f.ID})
	must(t, err)
	if r := last[f.ID]; r.Status != vcd.QueueFailed || r.Steps[0].Status != vcd.StepFailed || r.Steps[2].Status != vcd.StepSkipped {
		t.Errorf("the run of the flow is %+v", r)
	}
	retried, err := w.Service.Runs.RetryFailed(t.Context(), w.Actor, batch, false)
	must(t, err)
	if retried.Entries != 0 || retried.HeldBack != 2 || retried.Batch.FinishedAt == nil {
		t.Errorf("retried unasked: %+v", retried)
	}
	retried, err = w.Service.Runs.RetryFailed(t.Context(), w.Actor, batch, true)
	must(t, err)
	if retried.Entries != 2 || retried.HeldBack != 0 {
		t.Errorf("retried: %+v", retried)
	}
	w.WalkFlow(w.Jobs("capture")[0], "page")
	for name, e := range w.checkpoints(batch) {
		if e.Status != vcd.QueueDone {
			t.Errorf("then %s is %s", name, e.Status)
		}
	}
	w.CheckInvariants()
}

// Once a batch is cancelled, none of its flows changes anything any more, until somebody allows it.
func TestAStoppedFlowChangesNothing(t *testing.T) {
	w := newWorld(t)
	_, batch := w.flow(buy(), buy())
	entry := w.Jobs("capture")[0]
	_, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
	must(t, err)
	must(t, w.Service.Runs.BeginChange(t.Context(), w.Actor, entry, 1))
	_, err = w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	_, err = w.Service.Runs.EndCancelled(t.Context(), 100)
	must(t, err)
	if err := w.Service.Runs.BeginChange(t.Context(), w.Actor, entry, 2); !errors.Is(err, run.ErrStopped) {
		t.Errorf("the step may begin: %v", err)
	}
	for _, allowed := range []bool{false, true} {
		retried, err := w.Service.Runs.RetryFailed(t.Context(), w.Actor, batch, allowed)
		must(t, err)
		if done := retried.Entries == 2; done != allowed {
			t.Errorf("allowed %t: %d entries are retried", allowed, retried.Entries)
		}
	}
	w.WalkFlow(w.Jobs("capture")[0], "page")
	for name, e := range w.checkpoints(batch) {
		if e.Status != vcd.QueueDone {
			t.Errorf("then %s is %s: %s", name, e.Status, e.ErrorMsg)
		}
	}
}

// In monitoring, a change of a checkpoint is confirmed by running the flow once more, for that checkpoint, unless that would change
// something else twice.
func TestAChangeOfACheckpointIsConfirmed(t *testing.T) {
	for name, c := range map[string]struct {
		first         []inventory.FlowStepChange
		confirmations int
	}{"a flow that only looks": {nil, 2}, "a flow that buys": {[]inventory.FlowStepChange{buy()}, 0}} {
		t.Run(name, func(t *testing.T) { confirmCheckpoints(t, c.first, c.confirmations) })
	}
}

func confirmCheckpoints(t *testing.T, first []inventory.FlowStepChange, want int) {
	t.Helper()
	w := newWorld(t)
	f, _ := w.flow(first...)
	w.WalkFlow(w.Jobs("capture")[0], "before")
	site, err := w.Service.Inventory.Website(t.Context(), w.Actor, f.WebsiteID)
	must(t, err)
	_, err = w.Service.Inventory.UpdateFlow(t.Context(), w.Actor, f.ID, inventory.FlowChange{Monitoring: vcd.Some(true)})
	must(t, err)
	w.RunDue(*site.AutoGroupID)
	w.WalkFlow(w.Jobs("capture")[0], "as ever")
	batch := w.RunDue(*site.AutoGroupID)
	w.WalkFlow(w.Jobs("capture")[0], "changed")
	for _, entry := range w.Jobs("compare") {
		w.CompareByHash(entry)
	}
	w.Clock.Advance(time.Hour)
	confirmations := w.Jobs("capture")
	for _, entry := range confirmations {
		w.WalkFlow(entry, "changed")
	}
	for _, entry := range w.Jobs("compare") {
		w.CompareByHash(entry)
	}
	b := w.Batch(batch)
	if len(confirmations) != want || b.FinishedAt == nil || b.Counts.Done != 4+want {
		t.Errorf("%d confirmations, and the batch has %+v", len(confirmations), b.Counts)
	}
	w.CheckInvariants()
}

// A flow does not run only to learn what varies.
func TestCheckpointsAreNotProbed(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	_, batch := w.flow()
	other, _ := w.Group("another", 0, inventory.GroupChange{})
	for _, e := range w.checkpoints(batch) {
		_, err := w.Service.Inventory.AddURLs(t.Context(), w.Actor, other.ID, []inventory.SelectionChange{{URLID: string(e.URLID)}})
		must(t, err)
	}
	w.WalkFlow(w.Jobs("capture")[0], "page")
	w.Clock.Advance(time.Hour)
	for range 5 {
		task, err := w.Service.Runs.BeginProbe(t.Context(), everywhere, vcd.RegionEU)
		if must(t, err); task != nil {
			t.Fatalf("a checkpoint is probed: %+v", task.Capture)
		}
	}
}

// One flow of a group can be run alone.
func TestARunOfChosenFlows(t *testing.T) {
	w := newWorld(t)
	site, manual, _ := w.Pair("shop.example.com")
	flows := make([]string, 2)
	for i, name := range []string{"Checkout", "Search"} {
		f, err := w.Service.Inventory.CreateFlow(t.Context(), w.Actor, inventory.FlowChange{
			WebsiteID: vcd.Some(string(site.ID)), Name: vcd.Some(name), URL: vcd.Some("shop.example.com"),
			Steps: vcd.Some([]inventory.FlowStepChange{{Type: "checkpoint", Label: vcd.Some("End")}})})
		must(t, err)
		flows[i] = string(f.ID)
	}
	take := func(ids []string) (*run.Taken, error) {
		return w.Service.Runs.TakeScreenshots(t.Context(), w.Actor, run.TakeInput{
			GroupIDs: []string{string(manual.ID)}, Type: vcd.QueuePre, FlowIDs: ids})
	}
	taken, err := take(flows[1:])
	must(t, err)
	list, err := w.Service.Runs.QueueEntries(t.Context(), w.Actor, vcd.QueueFilter{BatchIDs: &[]vcd.ID{taken.Batches[0].ID}},
		vcd.Page{Size: 10}, false)
	must(t, err)
	if len(list.Items) != 1 || vcd.ShownAddress(list.Items[0].URLAddress) != "Search › End" {
		t.Errorf("the run of one flow has %+v", list.Items)
	}
	for name, ids := range map[string][]string{"none": {}, "malformed": {"x"}, "unknown": {flows[0], string(manual.ID)}} {
		if _, err := take(ids); vcd.CodeOf(err) != vcd.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
