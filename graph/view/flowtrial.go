package view

import (
	"afterimage/graph/scalar"
	"afterimage/internal/flow"
	"afterimage/vcd"
)

// FlowTrial shows a trial of a flow.
type FlowTrial struct {
	*vcd.FlowTrial

	links Links
}

// NewFlowTrial shows t.
func NewFlowTrial(t *vcd.FlowTrial, links Links) *FlowTrial { return &FlowTrial{t, links} }

// ErrorMsg is why it failed before its first step, or was ended.
func (t *FlowTrial) ErrorMsg() *string { return textIfAny(t.Error) }

// Failure is why it failed, at a step or before.
func (t *FlowTrial) Failure() *string { return textIfAny(t.FlowTrial.Failure()) }

// last is the picture of the window after the last step that was run; nil if there is none.
func (t *FlowTrial) last() *vcd.Image {
	n := 0
	for _, step := range t.FlowTrial.Steps {
		if step.Status != vcd.StepSkipped {
			n++
		}
	}
	return t.Pictures[n]
}

// PictureLink is the address of the picture after the last step that was run.
func (t *FlowTrial) PictureLink() *string { return t.links.Image(t.last()) }

// PreviewLink is that of its small form.
func (t *FlowTrial) PreviewLink() *string { return t.links.Preview(t.last()) }

// Steps are the steps that are tried.
func (t *FlowTrial) Steps() []*FlowTrialStep {
	shown := make([]*FlowTrialStep, len(t.Flow.StepIDs))
	for i := range shown {
		shown[i] = t.step(i)
	}
	return shown
}

func (t *FlowTrial) step(i int) *FlowTrialStep {
	s := &t.Flow.Definition.Steps[i]
	shown := &FlowTrialStep{Number: i + 1, Type: scalar.Word(vcd.StepType(s)), Label: textIfAny(s.Label), Does: s.Does()}
	if i >= len(t.FlowTrial.Steps) {
		shown.PictureLink, shown.PreviewLink = t.links.Image(t.Pictures[i]), t.links.Preview(t.Pictures[i])
		return shown
	}
	done := &t.FlowTrial.Steps[i]
	status := scalar.Word(done.Status)
	shown.Status, shown.Error = &status, textIfAny(done.Error)
	if done.Status == vcd.StepSkipped {
		return shown
	}
	shown.DurationMs = &done.Milliseconds
	shown.PictureLink, shown.PreviewLink = t.links.Image(t.Pictures[i]), t.links.Preview(t.Pictures[i])
	if shown.Type == scalar.Word(flow.Assert) {
		shown.Actual = &done.Actual
	}
	return shown
}

// FlowTrialStep shows a step of a trial.
type FlowTrialStep struct {
	Number      int
	Type        scalar.Word
	Label       *string
	Does        string
	Status      *scalar.Word
	DurationMs  *float64
	Error       *string
	Actual      *string
	PictureLink *string
	PreviewLink *string
}

// FlowTrialPayload is the result of tryFlow and cancelFlowTrial.
type FlowTrialPayload struct{ Trial *FlowTrial }
