package rest

import (
	"fmt"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// furnishFlow gives an account a flow of a website of its own that has run once.
func (w *world) furnishFlow(c *caller) {
	w.t.Helper()
	t := c.things
	t["flowgroup"] = w.create(c, "/groups", `{"name":"flows"}`)
	t["flowsite"] = w.create(c, "/websites", fmt.Sprintf(
		`{"domain":"flow.%s.example.test","manual_detection_group_id":"%s","auto_detection_group_id":"%s"}`, c.name, t["flowgroup"],
		w.create(c, "/groups", `{"name":"flows","monitoring":true}`)))
	t["flow"] = w.create(c, "/flows", fmt.Sprintf(`{"website_id":"%s","name":"Checkout","url":"https://flow.%s.example.test/","steps":[
		{"type":"fill","selector":"label=Password","value":"correct horse","sensitive":true},
		{"type":"assert","assertion":{"kind":"text","operator":"contains","expected":"Welcome"}},
		{"type":"checkpoint","label":"Signed in"},{"type":"press","value":"Escape"}]}`, t["flowsite"], c.name))
	f, err := w.use.Inventory.Flow(w.t.Context(), c.actor, vcd.ID(t["flow"]))
	w.check(err)
	t["step"] = string(f.StepIDs[2])
	t["flowrun"] = w.runFlow(c, "pre", w.finishFlow)
	trial, err := w.use.Inventory.TryFlow(w.t.Context(), c.actor, inventory.FlowTrialInput{FlowID: &f.ID})
	w.check(err)
	t["trial"] = string(trial.ID)
}

// runFlowInAllWays notes a run of each kind.
func (w *world) runFlowInAllWays(c *caller) {
	w.t.Helper()
	c.things["comparedrun"] = w.runFlow(c, "post", w.finishFlow)
	c.things["failedrun"] = w.runFlow(c, "pre", w.failFlow)
	c.things["lostrun"] = w.runFlow(c, "pre", func(c *caller, task *run.CaptureTask) {
		w.check(w.use.Runs.FailCapture(w.t.Context(), c.actor, task.Entry.ID, run.CaptureFailure{Reason: "dns", Sentence: "No such host."}))
	})
	c.things["openrun"] = w.runFlow(c, "pre", func(*caller, *run.CaptureTask) {})
}

// runFlow runs the group with the flow, which ends as end does it, and returns the id of the run of the flow.
func (w *world) runFlow(c *caller, kind string, end func(*caller, *run.CaptureTask)) string {
	w.t.Helper()
	w.clock.Advance(time.Second)
	batch := w.create(c, "/screenshots/take", `{"group_ids":["`+c.things["flowgroup"]+`"],"sc_type":"`+kind+`"}`)
	for _, e := range w.todo(c, batch) {
		if e.Leads() {
			task, err := w.use.Runs.BeginCapture(w.t.Context(), c.actor, e.ID)
			w.check(err)
			end(c, task)
		}
	}
	for _, e := range w.todo(c, batch) {
		if e.Type == vcd.QueueCompare && e.Dispatched {
			w.compare(c, e.ID, 2)
		}
	}
	last, err := w.use.Inventory.LastFlowRuns(w.t.Context(), c.actor, []vcd.ID{vcd.ID(c.things["flow"])})
	w.check(err)
	return string(last[vcd.ID(c.things["flow"])].ID)
}

// steps are what became of the steps of the flow.
func (w *world) steps(task *run.CaptureTask, found, problem string) []vcd.FlowRunStep {
	f := task.Flow.Flow
	steps := make([]vcd.FlowRunStep, len(f.StepIDs))
	status := vcd.StepPassed
	for i := range steps {
		s := &f.Definition.Steps[i]
		steps[i] = vcd.FlowRunStep{ID: f.StepIDs[i], Type: vcd.StepType(s), Label: s.Label, Does: s.Does(), Status: status,
			Milliseconds: 12.5}
		if i == 1 {
			steps[i].Actual = found
			if problem != "" {
				steps[i].Status, steps[i].Error, status = vcd.StepFailed, problem, vcd.StepSkipped
			}
		}
		if e := task.Flow.Entries[i]; e != nil {
			steps[i].Entry = &e.ID
		}
	}
	return steps
}

func (w *world) finishFlow(c *caller, task *run.CaptureTask) {
	w.t.Helper()
	shots := map[vcd.ID]run.CaptureResult{}
	for i, e := range task.Flow.Entries {
		shots[e.ID] = run.CaptureResult{
			Address: task.Flow.Flow.CheckpointAddress(i), Picture: w.picture("checkpoint " + string(e.ID)), Title: "A title",
			StatusCode: 200, FinalURL: task.Flow.Flow.Definition.Start, SCVersion: "1",
		}
	}
	w.check(w.use.Runs.FinishFlow(w.t.Context(), c.actor, task.Entry.ID, run.FlowResult{
		Shots: shots, Steps: w.steps(task, "Welcome back", ""),
	}))
}

func (w *world) failFlow(c *caller, task *run.CaptureTask) {
	w.t.Helper()
	window := w.picture("window " + string(task.Entry.ID))
	w.check(w.use.Runs.FinishFlow(w.t.Context(), c.actor, task.Entry.ID, run.FlowResult{
		Last: &window, Steps: w.steps(task, "Sorry", "The text is “Sorry”, expected one that contains “Welcome”."),
	}))
}
