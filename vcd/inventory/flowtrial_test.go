package inventory_test

import (
	"slices"
	"strings"
	"testing"

	"afterimage/internal/flow"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

func number(n int) *int { return &n }

// try begins a trial of steps on a website.
func (w *world) try(site *vcd.Website, steps []inventory.FlowStepChange, and func(*inventory.FlowTrialInput)) (*vcd.FlowTrial, error) {
	in := inventory.FlowTrialInput{Change: inventory.FlowChange{
		WebsiteID: vcd.Some(string(site.ID)), URL: vcd.Some("https://shop.example.com/"), Steps: vcd.Some(steps)}}
	if and != nil {
		and(&in)
	}
	return w.Service.Inventory.TryFlow(w.T.Context(), w.Actor, in)
}

// A trial is of what was sent, up to a step, and stores nothing else; of its secrets it has those that it types.
func TestAFlowIsTriedWithoutBeingSaved(t *testing.T) {
	w := newWorld(t)
	site, manual, _ := w.Pair("shop.example.com")
	trial, err := w.try(site, signIn()[:3], nil)
	must(t, err)
	read, err := w.Service.Inventory.FlowTrial(t.Context(), w.Actor, trial.ID)
	must(t, err)
	if read.Status != vcd.QueueOpen || read.Device != vcd.Desktop || len(read.Flow.StepIDs) != 3 || read.PersonID != w.Actor.ID() {
		t.Errorf("the trial is %+v", read)
	}
	row := vcdtest.Value[string](w.World, "SELECT (to_jsonb(r) - 'sealed_secrets')::text FROM flow_trials AS r")
	if strings.Contains(row, "correct horse") || read.Flow.SealedSecrets == nil {
		t.Errorf("the row of the trial is %s", row)
	}
	one, err := w.try(site, signIn()[:3], func(in *inventory.FlowTrialInput) { in.LastStep = number(1) })
	must(t, err)
	if len(one.Flow.Definition.Steps) != 1 || one.Flow.SealedSecrets != nil {
		t.Errorf("the trial of one step is %+v", one.Flow)
	}
	flows := vcdtest.Value[int](w.World, "SELECT count(*) FROM flows")
	urls := vcdtest.Value[int](w.World, "SELECT count(*) FROM urls")
	if flows != 0 || urls != 0 || len(w.selected(manual)) != 0 {
		t.Errorf("a trial left %d flows and %d URLs", flows, urls)
	}
	w.CheckInvariants()
}

// A trial of a flow that is being changed has the secrets of the steps that it keeps.
func TestATrialOfASavedFlowKeepsItsSecrets(t *testing.T) {
	w := newWorld(t)
	site, _, _ := w.Pair("shop.example.com")
	f := w.flow(site, inventory.FlowChange{})
	before := w.Jobs("capture")
	keep := func(i int, kind string) inventory.FlowStepChange {
		return inventory.FlowStepChange{ID: vcd.Some(string(f.StepIDs[i])), Type: kind}
	}
	trial, err := w.Service.Inventory.TryFlow(t.Context(), w.Actor, inventory.FlowTrialInput{FlowID: &f.ID,
		Change: inventory.FlowChange{Steps: vcd.Some([]inventory.FlowStepChange{keep(1, "fill"), keep(2, "click")})}})
	must(t, err)
	if trial.WebsiteID != site.ID || trial.Flow.SealedSecrets == nil || len(w.Jobs("capture")) != len(before)+1 {
		t.Errorf("the trial is %+v", trial)
	}
	after, err := w.Service.Inventory.Flow(t.Context(), w.Actor, f.ID)
	must(t, err)
	if len(after.StepIDs) != len(f.StepIDs) || after.UpdatedAt != f.UpdatedAt {
		t.Errorf("the flow became %+v", after)
	}
	w.CheckInvariants()
}

// Each person has one trial at a time; trials of others go on.
func TestAnotherTrialEndsTheOneBefore(t *testing.T) {
	w := newWorld(t)
	site, _, _ := w.Pair("shop.example.com")
	first, err := w.try(site, signIn(), nil)
	must(t, err)
	mine := w.Actor
	w.Actor.User, w.Actor.Token = w.NewUser("zoe@example.com", vcd.RoleEditor).User, ""
	_, err = w.try(site, signIn(), nil)
	must(t, err)
	w.Actor = mine
	status := func(id vcd.ID) string {
		t.Helper()
		trial, err := w.Service.Inventory.FlowTrial(t.Context(), w.Actor, id)
		must(t, err)
		return strings.TrimSpace(string(trial.Status) + " " + trial.Error)
	}
	if got := status(first.ID); got != "open" {
		t.Errorf("the trial of somebody else ended this one: %s", got)
	}
	second, err := w.try(site, signIn(), nil)
	must(t, err)
	if a, b := status(first.ID), status(second.ID); a != "failed Another trial was started." || b != "open" {
		t.Errorf("the trials are %q and %q", a, b)
	}
	w.CheckInvariants()
}

// A trial that is cancelled ends at once; one that has ended stays as it is.
func TestATrialIsCancelled(t *testing.T) {
	w := newWorld(t)
	site, _, _ := w.Pair("shop.example.com")
	trial, err := w.try(site, signIn(), nil)
	must(t, err)
	cancelled, err := w.Service.Inventory.CancelFlowTrial(t.Context(), w.Actor, trial.ID)
	must(t, err)
	if cancelled.Status != vcd.QueueFailed || cancelled.Failure() != "The trial was cancelled." || cancelled.FinishedAt == nil ||
		cancelled.Flow.SealedSecrets != nil {
		t.Errorf("the cancelled trial is %+v", cancelled)
	}
	if jobs := w.Jobs("capture"); slices.Contains(jobs, trial.ID) {
		t.Errorf("the jobs are %v", jobs)
	}
	again, err := w.Service.Inventory.CancelFlowTrial(t.Context(), w.Actor, trial.ID)
	must(t, err)
	if !again.FinishedAt.Equal(*cancelled.FinishedAt) {
		t.Errorf("a trial that had ended became %+v", again)
	}
	w.CheckInvariants()
}

// What could not be saved cannot be tried, and what lasts is not done unasked.
func TestTrialsThatCannotBe(t *testing.T) {
	w := newWorld(t)
	site, _, _ := w.Pair("shop.example.com")
	buy := append(signIn()[:3:3], inventory.FlowStepChange{Type: "click", Selector: vcd.Some("#buy"), Changes: vcd.Some(true)})
	with := func(change func(*inventory.FlowTrialInput)) error {
		_, err := w.try(site, buy, func(in *inventory.FlowTrialInput) {
			in.AllowChanges = true
			change(in)
		})
		return err
	}
	_, err := w.try(site, buy, nil)
	vcdtest.WantField(t, err, "allowChanges", "changes")
	watch := vcd.Device("watch")
	for _, c := range []struct {
		field, rule string
		change      func(*inventory.FlowTrialInput)
	}{
		{"lastStep", "between", func(in *inventory.FlowTrialInput) { in.LastStep = number(5) }},
		{"lastStep", "between", func(in *inventory.FlowTrialInput) { in.LastStep = number(0) }},
		{"steps.0.selector", "required", func(in *inventory.FlowTrialInput) {
			in.Change.Steps = vcd.Some([]inventory.FlowStepChange{{Type: "click"}})
		}},
		{"steps", "flow", func(in *inventory.FlowTrialInput) { in.Change.Steps = vcd.Some([]inventory.FlowStepChange{}) }},
		{"steps", "max", func(in *inventory.FlowTrialInput) {
			in.Change.Steps = vcd.Some(slices.Repeat([]inventory.FlowStepChange{{Type: "wait_for_load"}}, flow.MaxSteps+1))
		}},
		{"url", "url", func(in *inventory.FlowTrialInput) { in.Change.URL = vcd.Some("ftp://shop.example.com/") }},
		{"device", "in", func(in *inventory.FlowTrialInput) { in.Device = &watch }},
		{"websiteId", "uuid", func(in *inventory.FlowTrialInput) { in.Change.WebsiteID = vcd.Some("0") }},
		{"websiteId", "exists", func(in *inventory.FlowTrialInput) { in.Change.WebsiteID = vcd.Some(string(w.Actor.Account)) }},
	} {
		vcdtest.WantField(t, with(c.change), c.field, c.rule)
	}
	for _, and := range []func(*inventory.FlowTrialInput){
		func(in *inventory.FlowTrialInput) { in.AllowChanges = true },
		func(in *inventory.FlowTrialInput) { in.LastStep = number(3) },
	} {
		_, err := w.try(site, buy, and)
		must(t, err)
	}
	w.AsSystem("UPDATE accounts SET status = 'paused' WHERE id = $1", string(w.Actor.Account))
	if _, err := w.try(site, signIn(), nil); vcd.CodeOf(err) != vcd.CodeConflict {
		t.Errorf("a paused account tries a flow: %v", err)
	}
}
