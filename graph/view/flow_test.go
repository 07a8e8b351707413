package view_test

import (
	"fmt"
	"strings"
	"testing"

	"afterimage/graph/view"
	"afterimage/internal/flow"
	"afterimage/vcd"
)

// TestStepsOfARun: what has ended is followed by what is still to be done, or was never begun; a run that ended has the steps that it had.
func TestStepsOfARun(t *testing.T) {
	f := view.NewFlow(&vcd.Flow{StepIDs: []vcd.ID{"open", "buy", "look"}, Definition: &flow.Flow{Steps: []flow.Step{
		{Kind: flow.Navigate, Value: "/"}, {Kind: flow.Click}, {Kind: flow.Checkpoint, Label: "Basket"},
	}}})
	done := []vcd.FlowRunStep{{ID: "open", Type: "navigate", Status: vcd.StepPassed}}
	for name, c := range map[string]struct {
		run  vcd.FlowRun
		flow *view.Flow
		want string
	}{
		"just begun":          {vcd.FlowRun{Status: vcd.QueueProcessing}, f, "open ? buy ? look ?"},
		"going on":            {vcd.FlowRun{Status: vcd.QueueProcessing, Steps: done}, f, "open passed buy ? look ?"},
		"of a deleted flow":   {vcd.FlowRun{Status: vcd.QueueProcessing, Steps: done}, nil, "open passed"},
		"cancelled":           {vcd.FlowRun{Status: vcd.QueueFailed, Error: "Cancelled.", Steps: done}, f, "open passed buy ? look ?"},
		"before more steps":   {vcd.FlowRun{Status: vcd.QueueDone, Steps: done}, f, "open passed"},
		"that could not open": {vcd.FlowRun{Status: vcd.QueueFailed, Error: "No such host."}, f, "open ? buy ? look ?"},
	} {
		var got []string
		for _, step := range view.NewFlowRunSteps(view.NewFlowRun(&c.run, view.Links{}), c.flow) {
			status := "?"
			if step.Status != nil {
				status = string(*step.Status)
			}
			got = append(got, fmt.Sprint(step.ID, " ", status))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("a run %s has the steps %q, want %q", name, text, c.want)
		}
	}
}
