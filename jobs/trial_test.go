package jobs_test

import (
	"context"
	"errors"
	"testing"

	"afterimage/capture"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// try begins a trial of the flow of flowWorld, as it is stored.
func (w *world) try(f *vcd.Flow, change func(*inventory.FlowTrialInput)) *vcd.FlowTrial {
	w.t.Helper()
	in := inventory.FlowTrialInput{FlowID: &f.ID}
	if change != nil {
		change(&in)
	}
	trial, err := w.service.Inventory.TryFlow(w.t.Context(), w.actor, in)
	must(w.t, err)
	return trial
}

// tried waits for the end of a trial.
func (w *world) tried(id vcd.ID) *vcd.FlowTrial {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	start := int64(0)
	events, err := w.service.Outbound.Stream(ctx, w.actor, &start, nil)
	must(w.t, err)
	for e := range events {
		if e.Kind != vcd.EventFlowTrialUpdated || e.SubjectID != id {
			continue
		}
		trial, err := w.service.Inventory.FlowTrial(w.t.Context(), w.actor, id)
		if must(w.t, err); trial.Status.Ended() {
			return trial
		}
	}
	w.t.Fatal("the trial did not end")
	return nil
}

// A trial runs up to a step and leaves nothing that monitoring reads.
func TestAFlowIsTried(t *testing.T) {
	t.Parallel()
	w, browser, _, f := flowWorld(t)
	two := 2
	trial := w.tried(w.try(f, func(in *inventory.FlowTrialInput) { in.LastStep = &two }).ID)
	if trial.Status != vcd.QueueDone || len(trial.Steps) != 2 || trial.Steps[1].Status != vcd.StepPassed || trial.Steps[1].Entry != nil {
		t.Errorf("the trial is %+v", trial)
	}
	if trial.Pictures[1] == nil || trial.Pictures[2] == nil || trial.Pictures[1].Width == 0 {
		t.Errorf("its pictures are %v", trial.Pictures)
	}
	if got := browser.walks[0]; len(got.Flow.Steps) != 2 || len(got.Secrets) != 1 || got.Flow.Limit() > capture.DefaultDeadline*4 {
		t.Errorf("the flow was walked with %+v", got)
	}
	batches, err := w.service.Runs.Batches(t.Context(), w.actor, vcd.BatchFilter{}, vcd.Page{Size: 10})
	must(t, err)
	runs, err := w.service.Inventory.FlowRuns(t.Context(), w.actor, f.ID, vcd.FlowRunFilter{}, vcd.Page{Size: 10})
	must(t, err)
	if len(batches.Items) != 0 || len(runs.Items) != 0 {
		t.Errorf("a trial left %d batches and %d runs", len(batches.Items), len(runs.Items))
	}
	w.checkInvariants()
}

// A trial says which step failed, or why it could not begin.
func TestATrialThatFails(t *testing.T) {
	t.Parallel()
	w, browser, _, f := flowWorld(t)
	browser.set(func() { browser.breaks = "Buy" })
	failed := w.tried(w.try(f, nil).ID)
	if failed.Status != vcd.QueueFailed || failed.Steps[2].Error != "Button “Buy” was not found." ||
		failed.Steps[3].Status != vcd.StepSkipped || failed.Error != "" {
		t.Errorf("the trial is %+v", failed)
	}
	browser.set(func() {
		browser.fails = &capture.Failure{Reason: capture.ReasonDNS, Stage: "goto", Err: errors.New("no such host")}
	})
	if never := w.tried(w.try(f, nil).ID); never.Status != vcd.QueueFailed || never.Error == "" || len(never.Steps) != 0 {
		t.Errorf("the trial that could not begin is %+v", never)
	}
	if browser.count() != 2 {
		t.Errorf("the flow was walked %d times in two trials", browser.count())
	}
	w.checkInvariants()
}

// A trial that another one ends stops before its next step.
func TestATrialThatAnotherOneEnds(t *testing.T) {
	t.Parallel()
	w, browser, _, f := flowWorld(t)
	second := make(chan *vcd.FlowTrial, 1) // the first one may be told to have ended before it is known
	steps := 0
	browser.set(func() {
		browser.after = func(int) {
			if steps++; steps == 1 {
				second <- w.try(f, nil)
			}
		}
	})
	first := w.tried(w.try(f, nil).ID)
	if first.Status != vcd.QueueFailed || first.Error != "Another trial was started." {
		t.Errorf("the first trial is %+v", first)
	}
	if last := w.tried((<-second).ID); last.Status != vcd.QueueDone || len(last.Steps) != 4 {
		t.Errorf("the second trial is %+v", last)
	}
	browser.set(func() {
		if steps != 5 {
			t.Errorf("%d steps were done in both, want one and four", steps)
		}
	})
	w.checkInvariants()
}
