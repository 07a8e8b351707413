package view

import (
	"time"

	"afterimage/graph/scalar"
	"afterimage/internal/flow"
	"afterimage/vcd"
)

// Flow shows a flow.
type Flow struct{ *vcd.Flow }

// NewFlow shows f.
func NewFlow(f *vcd.Flow) *Flow { return &Flow{f} }

// Name is what the flow is called.
func (f *Flow) Name() string { return f.Flow.Definition.Name }

// URL is the address of the first page.
func (f *Flow) URL() string { return f.Flow.Definition.Start }

// Definition is the flow as a file.
func (f *Flow) Definition() (string, error) {
	text, err := f.Flow.Definition.YAML()
	return string(text), err
}

// Steps are what is done.
func (f *Flow) Steps() []*FlowStep {
	steps := make([]*FlowStep, len(f.StepIDs))
	for i := range f.StepIDs {
		steps[i] = f.step(i)
	}
	return steps
}

func (f *Flow) step(i int) *FlowStep {
	return newFlowStep(f.StepIDs[i], &f.Flow.Definition.Steps[i])
}

// StepsCount counts steps.
func (f *Flow) StepsCount() int { return len(f.StepIDs) }

// CheckpointsCount counts screenshots.
func (f *Flow) CheckpointsCount() int { return f.Flow.Definition.Checkpoints() }

// AssertsCount counts assertions.
func (f *Flow) AssertsCount() int {
	n := 0
	for i := range f.Flow.Definition.Steps {
		if f.Flow.Definition.Steps[i].Kind == flow.Assert {
			n++
		}
	}
	return n
}

// EnabledManual is whether the group of manual checks runs it.
func (f *Flow) EnabledManual() bool { return f.Manual }

// EnabledMonitoring is whether the group of monitoring runs it.
func (f *Flow) EnabledMonitoring() bool { return f.Monitoring }

// FlowStep shows a step.
type FlowStep struct {
	ID        vcd.ID
	Type      scalar.Word
	Label     *string
	Selector  *string
	Value     *string
	Sensitive bool
	ValueSet  bool
	Changes   bool
	Assertion *FlowAssertion
}

// FlowAssertion shows what must hold.
type FlowAssertion struct{ Kind, Operator, Expected string }

func newFlowStep(id vcd.ID, s *flow.Step) *FlowStep {
	shown := &FlowStep{
		ID: id, Type: scalar.Word(vcd.StepType(s)), Label: textIfAny(s.Label), Selector: textIfAny(vcd.StepSelector(s)),
		Value: textIfAny(vcd.StepValue(s)), Sensitive: s.Secret != "", Changes: s.Changes,
	}
	shown.ValueSet = shown.Sensitive || shown.Value != nil
	if s.Kind == flow.Assert {
		shown.Assertion = &FlowAssertion{string(s.Assertion.Look), string(s.Assertion.Operator), s.Assertion.Expected}
	}
	return shown
}

func textIfAny(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// FlowRun shows what became of a flow.
type FlowRun struct {
	*vcd.FlowRun

	links Links
}

// NewFlowRun shows r.
func NewFlowRun(r *vcd.FlowRun, links Links) *FlowRun { return &FlowRun{r, links} }

// PictureLink is the address of the window's picture when a step failed.
func (r *FlowRun) PictureLink() *string { return r.links.Image(r.Image) }

// ScType is the type of its screenshots.
func (r *FlowRun) ScType() vcd.QueueType { return r.Type }

// ErrorMsg is why it failed before its first step.
func (r *FlowRun) ErrorMsg() *string { return textIfAny(r.Error) }

// Failure is why it failed, at a step or before.
func (r *FlowRun) Failure() *string { return textIfAny(r.FlowRun.Failure()) }

// HasComparisons is whether any checkpoint is compared.
func (r *FlowRun) HasComparisons() bool { return r.Compared }

// FinishedAt is when it ended.
func (r *FlowRun) FinishedAt() *time.Time { return r.FlowRun.FinishedAt }

// FlowRunStep shows what became of a step.
type FlowRunStep struct {
	FlowStep
	Does       string
	Status     *scalar.Word
	DurationMs *float64
	Error      *string
	Assertion  *FlowRunAssertion
	Entry      *vcd.ID // of a checkpoint
}

// FlowRunAssertion shows what an assertion found.
type FlowRunAssertion struct {
	FlowAssertion
	Passed *bool
	Actual *string
}

// NewFlowRunSteps shows the steps of a run; f is the flow as it is now, nil if it was deleted. After the steps that have ended come those
// that a run has still to do, or did not get to.
func NewFlowRunSteps(r *FlowRun, f *Flow) []*FlowRunStep {
	var steps []*FlowStep
	if f != nil {
		steps = f.Steps()
	}
	now := make(map[vcd.ID]*FlowStep, len(steps))
	for _, step := range steps {
		now[step.ID] = step
	}
	shown, ended := make([]*FlowRunStep, 0, len(steps)), make(map[vcd.ID]bool, len(steps))
	for i := range r.FlowRun.Steps {
		done := &r.FlowRun.Steps[i]
		shown, ended[done.ID] = append(shown, newFlowRunStep(done, now[done.ID])), true
	}
	if r.Status.Ended() && r.Error == "" {
		return shown
	}
	for _, step := range steps {
		if !ended[step.ID] {
			shown = append(shown, &FlowRunStep{FlowStep: *step, Assertion: unknown(step.Assertion)})
		}
	}
	return shown
}

func newFlowRunStep(done *vcd.FlowRunStep, now *FlowStep) *FlowRunStep {
	status := scalar.Word(done.Status)
	shown := &FlowRunStep{
		FlowStep: FlowStep{ID: done.ID, Type: scalar.Word(done.Type), Label: textIfAny(done.Label)}, Does: done.Does, Status: &status,
		Error: textIfAny(done.Error), Entry: done.Entry,
	}
	if done.Status != vcd.StepSkipped {
		shown.DurationMs = &done.Milliseconds
	}
	if now == nil || now.Type != shown.Type {
		return shown
	}
	shown.Selector, shown.Value, shown.Sensitive, shown.ValueSet = now.Selector, now.Value, now.Sensitive, now.ValueSet
	if shown.Assertion = unknown(now.Assertion); shown.Assertion != nil && done.Status != vcd.StepSkipped {
		passed := done.Status == vcd.StepPassed
		shown.Assertion.Passed, shown.Assertion.Actual = &passed, &done.Actual
	}
	return shown
}

// unknown is an assertion that nobody has looked at.
func unknown(a *FlowAssertion) *FlowRunAssertion {
	if a == nil {
		return nil
	}
	return &FlowRunAssertion{FlowAssertion: *a}
}

// FlowRunCheckpoint shows the screenshot of a checkpoint.
type FlowRunCheckpoint struct {
	Screenshot  *Screenshot
	Comparison  *Comparison
	Baseline    bool
	QueueStatus vcd.QueueStatus
	ErrorMsg    *string
}
