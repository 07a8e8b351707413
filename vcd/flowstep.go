package vcd

import (
	"strings"

	"afterimage/internal/flow"
)

// StepWaitForLoad is the type of a step that waits until the page is quiet. All other types are the kinds of package flow.
const StepWaitForLoad = "wait_for_load"

// StepType is the type of a step.
func StepType(s *flow.Step) string {
	if s.Kind == flow.Wait && (s.For == flow.AwaitQuiet || s.For == "") {
		return StepWaitForLoad
	}
	return string(s.Kind)
}

// StepSelector is by what the elements of a step are found; empty for the page as a whole.
func StepSelector(s *flow.Step) string {
	if s.Kind == flow.Hide {
		return strings.Join(s.Selectors, ", ")
	}
	return s.Element.Selector()
}

// StepValue is the text of a step; empty for a secret.
func StepValue(s *flow.Step) string {
	if s.Kind == flow.Check {
		return map[bool]string{true: "false", false: "true"}[s.Off]
	}
	return s.Value
}
