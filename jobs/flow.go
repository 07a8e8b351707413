package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"afterimage/capture"
	"afterimage/internal/flow"
	"afterimage/internal/tracing"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// Walker carries out the steps of flows. *chrome.Pool implements it. Its errors are *capture.Failure.
type Walker interface {
	Walk(ctx context.Context, r capture.WalkRequest) (*capture.Walked, error)
}

// walk runs the flow of a checkpoint and stores what came of it. A flow that could not begin is like a page that could not be captured;
// one that began is not done again, because its steps may have changed something. One that is interrupted, as by a restart, is done again
// unless a step had begun that is marked as changing something.
func (w *captureWorker) walk(ctx context.Context, actor vcd.Actor, task *run.CaptureTask, region vcd.Region) error {
	request, err := w.walkRequest(task, task.Flow, region)
	if err != nil {
		return w.fail(ctx, actor, task, err, nil)
	}
	began := time.Now()
	inBrowser, end := tracing.Begin(ctx, "browser", attribute.String("device", string(task.Device)), attribute.String("flow",
		string(task.Flow.Flow.ID)))
	var denied error
	request.Begins = func(step int) error {
		denied = w.service.Runs.BeginChange(ctx, actor, task.Entry.ID, step)
		return denied
	}
	told, followed := w.followSteps(task.Flow, w.logger.With("account", task.Entry.Account, "entry", task.Entry.ID),
		func(steps []vcd.FlowRunStep) error {
			return w.service.Runs.NoteFlowSteps(ctx, actor, task.Entry.ID, steps)
		})
	request.Told = told
	walked, err := w.walker.Walk(inBrowser, request)
	followed()
	end(err)
	switch {
	case ctx.Err() != nil: // this process is stopping
		return ctx.Err()
	case errors.Is(denied, run.ErrStopped): // its entries have ended
		return w.service.Runs.FinishFlow(ctx, actor, task.Entry.ID, run.FlowResult{})
	case denied != nil:
		return denied
	}
	if walked == nil || len(walked.Steps) == 0 {
		return w.fail(ctx, actor, task, err, nil)
	}
	result, err := w.storeWalk(ctx, task, walked)
	if err != nil {
		return err
	}
	if err := w.service.Runs.FinishFlow(ctx, actor, task.Entry.ID, result); err != nil {
		return err
	}
	failed := walked.Failed()
	w.logger.InfoContext(ctx, "flow run", "account", task.Entry.Account, "batch", task.Entry.BatchID, "entry", task.Entry.ID,
		"flow", task.Flow.Flow.ID, "device", task.Device, "steps", len(walked.Steps), "passed", failed == nil,
		"ms", time.Since(began).Milliseconds())
	return nil
}

// walkRequest is how the flow of a task is run.
func (w *captureWorker) walkRequest(task *run.CaptureTask, f *run.FlowTask, region vcd.Region) (capture.WalkRequest, error) {
	if w.walker == nil {
		return capture.WalkRequest{}, &refused{"no_browser", "This worker cannot run flows."}
	}
	proxy, err := w.proxy(task, region)
	if err != nil {
		return capture.WalkRequest{}, err
	}
	secrets := make(map[string]capture.Secret, len(f.Secrets))
	for name, text := range f.Secrets {
		if secrets[name], err = capture.NewSecret(text); err != nil {
			return capture.WalkRequest{}, &refused{"invalid_secret", fmt.Sprintf("The flow's secret %s cannot be typed: %v.", name, err)}
		}
	}
	request, err := w.request(task, "https") // the flow has the address
	if err != nil {
		return capture.WalkRequest{}, err
	}
	request.Region, request.Proxy = string(region), proxy
	definition := *f.Flow.Definition
	definition.Deadline = min(definition.Limit(), w.flowLimit())
	return capture.WalkRequest{Flow: &definition, Request: request, Secrets: secrets}, nil
}

// flowLimit is how long a flow may take: as long as its job, but for storing the result.
func (w *captureWorker) flowLimit() time.Duration {
	return CaptureTimeout(w.deadline) - lanePatience - 15*time.Second
}

// storeWalk stores the pictures of a flow.
func (w *captureWorker) storeWalk(ctx context.Context, task *run.CaptureTask, walked *capture.Walked) (run.FlowResult, error) {
	result := run.FlowResult{Shots: map[vcd.ID]run.CaptureResult{}, Steps: make([]vcd.FlowRunStep, len(walked.Steps))}
	for i := range walked.Steps {
		step := &walked.Steps[i]
		result.Steps[i] = stepOf(task.Flow, step)
		entry := task.Flow.Entries[i]
		if entry == nil || step.Shot == nil {
			continue
		}
		kept := *task
		kept.Address = task.Flow.Flow.CheckpointAddress(i)
		shot, err := w.store(ctx, &kept, step.Shot, "")
		if err != nil {
			return result, err
		}
		result.Shots[entry.ID] = shot
		w.figures.Captured(string(task.Device), "", step.Took)
	}
	var err error
	result.Last, err = w.storeLast(ctx, walked)
	return result, err
}

// storeLast stores the picture of the window when a step failed; nil if there is none. In it, too, what is a secret is covered.
func (w *captureWorker) storeLast(ctx context.Context, walked *capture.Walked) (*run.Picture, error) {
	failed := walked.Failed()
	if failed == nil || failed.Picture == nil {
		return nil, nil
	}
	picture, err := w.storeWindow(ctx, failed.Picture)
	return &picture, err
}

func stepOf(t *run.FlowTask, step *capture.WalkedStep) vcd.FlowRunStep {
	i := step.Number - 1
	done := vcd.FlowRunStep{
		ID: t.Flow.StepIDs[i], Type: vcd.StepType(&t.Flow.Definition.Steps[i]), Label: step.Label, Does: step.Does,
		Status: statusOf[step.State], Milliseconds: float64(step.Took) / float64(time.Millisecond), Error: step.Sentence,
		Actual: actualOf(step),
	}
	if entry := t.Entries[i]; entry != nil {
		done.Entry = &entry.ID
	}
	return done
}

// statusOf is how the states of steps are stored.
var statusOf = map[capture.StepState]string{
	capture.StepPassed: vcd.StepPassed, capture.StepFailed: vcd.StepFailed, capture.StepSkipped: vcd.StepSkipped,
}

func actualOf(step *capture.WalkedStep) string {
	if step.Kind != flow.Assert {
		return ""
	}
	return step.Actual
}
