package jobs

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"afterimage/capture"
	"afterimage/internal/flow"
	"afterimage/internal/page"
	"afterimage/internal/tracing"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// signIn runs the sign-in flow of a group in the turn of one of its pages and stores what the browser keeps of it, for this page and the
// others. It takes no screenshots.
func (w *captureWorker) signIn(ctx context.Context, actor vcd.Actor, task *run.CaptureTask, region vcd.Region) error {
	began := time.Now()
	result, err := w.signedIn(ctx, actor, task, region)
	if err != nil {
		return err
	}
	failed := ""
	for i := range result.Steps {
		if result.Steps[i].Status == vcd.StepFailed {
			failed = result.Steps[i].Type
		}
	}
	w.logger.InfoContext(ctx, "sign-in flow ended", "account", actor.Account, "batch", task.Entry.BatchID, "entry", task.Entry.ID,
		"flow", task.SignIn.Flow.ID, "device", task.Device, "steps", len(result.Steps), "passed", result.State != "", "failed", failed,
		"ms", time.Since(began).Milliseconds())
	return w.service.Runs.FinishSignIn(ctx, actor, task.Entry.ID, result)
}

// signedIn is what became of the sign-in flow. The error is a fault of ours, or says that the work is to stop.
func (w *captureWorker) signedIn(
	ctx context.Context, actor vcd.Actor, task *run.CaptureTask, region vcd.Region,
) (result run.SignInResult, err error) {
	request, err := w.walkRequest(task, task.SignIn, region)
	if err != nil {
		return unableToSignIn(err)
	}
	request.Flow.Steps, request.Keep = withoutPictures(request.Flow.Steps), true
	request.Told = func(capture.WalkedStep) {}
	var denied error
	request.Begins = func(step int) error {
		denied = w.service.Runs.BeginSignInChange(ctx, actor, task.Entry.ID, step)
		return denied
	}
	inBrowser, end := tracing.Begin(ctx, "browser", attribute.String("device", string(task.Device)),
		attribute.String("flow", string(task.SignIn.Flow.ID)))
	walked, err := w.walker.Walk(inBrowser, request)
	end(err)
	switch {
	case ctx.Err() != nil: // this process is stopping, or the batch was cancelled
		return result, ctx.Err()
	case errors.Is(denied, run.ErrStopped):
		return result, nil
	case denied != nil:
		return result, denied
	}
	if walked != nil {
		for i := range walked.Steps {
			result.Steps = append(result.Steps, stepOf(task.SignIn, &walked.Steps[i]))
		}
		if walked.Failed() != nil {
			return result, nil
		}
	}
	if err != nil {
		return unableToSignIn(err)
	}
	state, err := walked.Session.Encode()
	if err != nil {
		result.Failure = "What the browser keeps of it is too large: " + err.Error() + "."
		return result, nil
	}
	result.State = vcd.PageState(state)
	return result, nil
}

// unableToSignIn is the result of a flow that could not begin, or could not go on for a reason that is not its own.
func unableToSignIn(err error) (run.SignInResult, error) {
	var never *refused
	var failure *capture.Failure
	switch {
	case errors.As(err, &never):
		return run.SignInResult{Failure: never.sentence}, nil
	case errors.As(err, &failure):
		return run.SignInResult{Failure: failure.Sentence(), Retryable: failure.Retryable()}, nil
	}
	return run.SignInResult{}, err
}

// withoutPictures waits where a flow takes pictures, so that all steps keep their numbers.
func withoutPictures(steps []flow.Step) []flow.Step {
	changed := make([]flow.Step, len(steps))
	for i, s := range steps {
		if s.Kind == flow.Checkpoint {
			s = flow.Step{Kind: flow.Wait, For: flow.AwaitQuiet, Label: s.Label, Deadline: s.Deadline, Line: s.Line}
		}
		changed[i] = s
	}
	return changed
}

// signedOut tells whether a page that was captured with a session asked to sign in after all, and was dealt with.
func (w *captureWorker) signedOut(
	ctx context.Context, actor vcd.Actor, task *run.CaptureTask, shot *capture.Shot, scheme string,
) (bool, error) {
	if task.Session == "" {
		return false, nil
	}
	wall := shot.Barrier(scheme + "://" + task.Address)
	if wall == nil || wall.Kind != page.WallSignIn {
		return false, nil
	}
	w.logger.InfoContext(ctx, "signed out", "account", actor.Account, "batch", task.Entry.BatchID, "entry", task.Entry.ID,
		"address", task.Address, "device", task.Device, "round", task.SessionRound)
	return w.service.Runs.SignedOut(ctx, actor, task.Entry.ID, task.SessionRound)
}
