package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"afterimage/capture"
	"afterimage/internal/tracing"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// try runs a flow that is not saved, once, and stores what its steps come to and what the window shows before each. Its checkpoints are
// taken to see whether they can be, and thrown away. Nothing begins it again: its steps may have changed something.
func (w *captureWorker) try(ctx context.Context, actor vcd.Actor, task *run.CaptureTask, region vcd.Region) error {
	id := task.Trial.ID
	request, err := w.walkRequest(task, task.Flow, region)
	if err != nil {
		return w.endTrial(ctx, actor, task, nil, err)
	}
	began := time.Now()
	inBrowser, end := tracing.Begin(ctx, "browser", attribute.String("device", string(task.Device)), attribute.String("trial", string(id)))
	stopped := false
	unless := func(err error) error {
		stopped = stopped || errors.Is(err, run.ErrStopped)
		return err
	}
	request.Begins = func(int) error { return unless(w.service.Runs.ContinueTrial(ctx, actor, id)) }
	request.Looks = func(stepsDone int, picture []byte) error {
		stored, err := w.storeWindow(ctx, picture)
		if err != nil {
			return err
		}
		return unless(w.service.Runs.AddTrialPicture(ctx, actor, id, stepsDone, stored))
	}
	told, followed := w.followSteps(task.Flow, w.logger.With("account", actor.Account, "trial", id),
		func(steps []vcd.FlowRunStep) error { return w.service.Runs.NoteTrialSteps(ctx, actor, id, steps) })
	request.Told = told
	walked, err := w.walker.Walk(inBrowser, request)
	followed()
	end(err)
	if ctx.Err() != nil { // another trial was begun, or this process is stopping
		return ctx.Err()
	}
	if stopped {
		err = nil
	}
	passed := err == nil && !stopped && walked.Failed() == nil
	w.logger.InfoContext(ctx, "flow tried", "account", actor.Account, "trial", id, "device", task.Device,
		"steps", len(task.Flow.Flow.StepIDs), "passed", passed, "ms", time.Since(began).Milliseconds())
	return w.endTrial(ctx, actor, task, walked, err)
}

// endTrial stores what became of a trial. A failure that is not of a step fails the trial as a whole; others are faults of ours.
func (w *captureWorker) endTrial(ctx context.Context, actor vcd.Actor, task *run.CaptureTask, walked *capture.Walked, err error) error {
	steps := []vcd.FlowRunStep{}
	if walked != nil {
		for i := range walked.Steps {
			steps = append(steps, stepOf(task.Flow, &walked.Steps[i]))
		}
	}
	var never *refused
	var failure *capture.Failure
	sentence := ""
	switch {
	case err == nil || walked != nil && walked.Failed() != nil: // which says why
	case errors.As(err, &never):
		sentence = never.sentence
	case errors.As(err, &failure):
		sentence = failure.Sentence()
	default:
		return err
	}
	return w.service.Runs.FinishTrial(ctx, actor, task.Trial.ID, steps, sentence)
}

// storeWindow stores a picture of the window.
func (w *captureWorker) storeWindow(ctx context.Context, picture []byte) (run.Picture, error) {
	size, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		return run.Picture{}, fmt.Errorf("read a picture of the window: %w", err)
	}
	return w.pictures.put(ctx, picture, size.Width, size.Height)
}
