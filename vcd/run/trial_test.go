package run_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

func (w *world) trial(id vcd.ID) *vcd.FlowTrial {
	w.T.Helper()
	t, err := w.Service.Inventory.FlowTrial(w.T.Context(), w.Actor, id)
	must(w.T, err)
	return t
}

// steps are the results of the steps of a trial that vcdtest.FillTrial begins.
func (w *world) steps(id vcd.ID, states ...string) []vcd.FlowRunStep {
	w.T.Helper()
	ids := w.trial(id).Flow.StepIDs
	steps := make([]vcd.FlowRunStep, len(states))
	for i, state := range states {
		steps[i] = vcd.FlowRunStep{ID: ids[i], Type: "click", Does: "click", Status: state}
	}
	return steps
}

// A trial goes on step by step and ends, and nothing is left of its secrets, its turn or any check.
func TestATrialOfAFlow(t *testing.T) {
	w := newWorld(t)
	id := w.FillTrial("shop")
	if got := w.trial(id); got.Status != vcd.QueueProcessing || got.Flow.SealedSecrets != nil || got.Pictures[0] == nil {
		t.Errorf("the trial has begun as %+v", got)
	}
	w.CheckInvariants()
	must(t, w.Service.Runs.ContinueTrial(t.Context(), w.Actor, id))
	must(t, w.Service.Runs.NoteTrialSteps(t.Context(), w.Actor, id, w.steps(id, vcd.StepPassed)))
	must(t, w.Service.Runs.AddTrialPicture(t.Context(), w.Actor, id, 1, w.Picture("after the first step")))
	if got := w.trial(id); len(got.Steps) != 1 || len(got.Pictures) != 2 {
		t.Errorf("after a step the trial is %+v", got)
	}
	must(t, w.Service.Runs.FinishTrial(w.Working(id), w.Actor, id, w.steps(id, vcd.StepPassed, vcd.StepFailed), ""))
	if got := w.trial(id); got.Status != vcd.QueueFailed || got.FinishedAt == nil || got.Failure() == "" || got.Error != "" {
		t.Errorf("the trial has ended as %+v", got)
	}
	for what, count := range map[string]string{
		"turns":  "SELECT count(*) FROM turns",
		"checks": "SELECT sum(checks_done + checks_reserved) FROM accounts",
		"shots":  "SELECT count(*) FROM screenshots",
		"alarms": "SELECT count(*) FROM events WHERE kind <> 'flow_trial_updated' AND subject_type LIKE 'flow%'",
	} {
		if n := vcdtest.Value[int](w.World, count); n != 0 {
			t.Errorf("%d %s are left", n, what)
		}
	}
	w.CheckInvariants()
}

// A trial is not begun again, whatever interrupts it.
func TestAnInterruptedTrialIsNotRepeated(t *testing.T) {
	w := newWorld(t)
	id := w.FillTrial("shop")
	task, err := w.Service.Runs.BeginCapture(w.Working(id), w.Actor, id)
	if must(t, err); task != nil {
		t.Fatalf("it is carried out again: %+v", task)
	}
	if got := w.trial(id); got.Status != vcd.QueueFailed || got.Error == "" {
		t.Errorf("the trial is %+v", got)
	}
	w.CheckInvariants()
	other := w.FillTrial("other")
	w.AsSystem("DELETE FROM test_jobs")
	w.AsSystem("UPDATE turns SET handed_at = handed_at - interval '1 day'")
	n, err := w.Service.Runs.FailStranded(t.Context(), w.Clock.Now(), 10)
	if must(t, err); n != 1 || w.trial(other).Status != vcd.QueueFailed || !strings.Contains(w.trial(other).Error, "not repeated") {
		t.Errorf("of a job that was given up: %d, %+v", n, w.trial(other))
	}
	w.CheckInvariants()
}

// A trial that somebody ended does nothing any more.
func TestAnEndedTrialStops(t *testing.T) {
	w := newWorld(t)
	for name, end := range map[string]func(id vcd.ID){
		"another": func(vcd.ID) { w.FillTrial("next") },
		"paused": func(vcd.ID) {
			must(t, w.Service.Runs.EndOpenWork(t.Context(), []vcd.ID{w.Actor.Account}, "The account was paused."))
		},
	} {
		id := w.FillTrial(name)
		end(id)
		if got := w.trial(id); got.Status != vcd.QueueFailed || got.Error == "" {
			t.Errorf("%s: the trial is %+v", name, got)
		}
		for what, err := range map[string]error{
			"step":    w.Service.Runs.ContinueTrial(t.Context(), w.Actor, id),
			"picture": w.Service.Runs.AddTrialPicture(t.Context(), w.Actor, id, 1, w.Picture("late "+name)),
			"steps":   w.Service.Runs.NoteTrialSteps(t.Context(), w.Actor, id, nil),
		} {
			if !errors.Is(err, run.ErrStopped) {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
		before := w.trial(id)
		must(t, w.Service.Runs.FinishTrial(w.Working(id), w.Actor, id, nil, ""))
		if got := w.trial(id); got.Error != before.Error {
			t.Errorf("%s: the result of an ended trial was stored: %+v", name, got)
		}
	}
}

// After an hour a trial is gone, with its pictures, its turn and its files.
func TestTrialsExpire(t *testing.T) {
	w := newWorld(t)
	id := w.FillTrial("shop")
	token := w.trial(id).Pictures[0].Token
	_, err := w.DB.ImageByToken(t.Context(), token)
	must(t, err)
	w.Clock.Advance(vcd.FlowTrialAge)
	if _, err := w.Service.Inventory.FlowTrial(t.Context(), w.Actor, id); vcd.CodeOf(err) != vcd.CodeNotFound {
		t.Errorf("an expired trial is read: %v", err)
	}
	w.Clock.Advance(time.Second)
	must(t, w.Service.Runs.RemoveOld(t.Context(), run.Retention{}))
	for _, table := range []string{"flow_trials", "flow_trial_pictures", "images", "turns"} {
		if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
	}
	if _, err := w.DB.ImageByToken(t.Context(), token); vcd.CodeOf(err) != vcd.CodeNotFound {
		t.Errorf("the picture of an expired trial: %v", err)
	}
	if err := w.Service.Runs.ContinueTrial(t.Context(), w.Actor, id); !errors.Is(err, run.ErrStopped) {
		t.Errorf("an expired trial goes on: %v", err)
	}
	var files []string
	_, err = w.DB.SweepBlobs(t.Context(), time.Now().Add(time.Hour), 10, func(_ context.Context, hashes []string) ([]string, error) {
		files = hashes
		return hashes, nil
	})
	if must(t, err); len(files) != 1 {
		t.Errorf("the files %v are removed", files)
	}
	w.CheckInvariants()
}
