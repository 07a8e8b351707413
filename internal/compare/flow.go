package compare

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"afterimage/capture"
	"afterimage/internal/flow"
	"afterimage/vcd"
)

// Flow makes the checkpoints of a flow the pages that are compared: their names take the place of paths.
type Flow struct {
	Flow    *flow.Flow
	Secrets map[string]capture.Secret
	Browser Walker

	mu    sync.Mutex
	walks map[walkOf]*walkOnce
}

// Walker runs flows; *chrome.Pool is one.
type Walker interface {
	Walk(ctx context.Context, r capture.WalkRequest) (*capture.Walked, error)
}

// Checkpoints are the names of the pictures that the flow takes, in their order.
func (f *Flow) Checkpoints() []string {
	var names []string
	for i := range f.Flow.Steps {
		if s := &f.Flow.Steps[i]; s.Kind == flow.Checkpoint {
			names = append(names, s.Label)
		}
	}
	return names
}

// walkOf tells the walks of a comparison apart. A change is confirmed by a second one.
type walkOf struct {
	site   string
	device capture.Device
	fresh  bool
}

// walkOnce is a walk that all checkpoints share.
type walkOnce struct {
	once   sync.Once
	walked *capture.Walked
	err    error
}

// kindStep is a step that can be done on the first side only.
const kindStep vcd.ChangeKind = "failed_step"

// stepError is a step that could not be done, because of which there is no picture.
type stepError struct {
	site string
	step *capture.WalkedStep
}

func (e *stepError) Error() string {
	return fmt.Sprintf("%s: step %d (%s) failed: %s", e.site, e.step.Number, e.step.Does, e.step.Sentence)
}

// checkpoints takes the pictures of a checkpoint on both sides. Both sides are walked, even if one of them fails.
func (r *run) checkpoints(ctx context.Context, p *Pair, fresh bool) (before, after *capture.Shot, err error) {
	var sides [2]*capture.Shot
	var errs [2]error
	var both sync.WaitGroup
	for i, s := range []*side{&r.before, &r.after} {
		both.Go(func() { sides[i], errs[i] = r.checkpoint(ctx, s, p, fresh) })
	}
	both.Wait()
	var failed *stepError
	for _, err := range errs {
		if err != nil && !errors.As(err, &failed) {
			return nil, nil, err
		}
	}
	if errs[0] != nil {
		return nil, nil, &pageError{text: errs[0].Error()}
	}
	return sides[0], sides[1], errs[1]
}

// checkpoint is the picture that one side has.
func (r *run) checkpoint(ctx context.Context, s *side, p *Pair, fresh bool) (*capture.Shot, error) {
	walked, err := r.walk(ctx, s, p.Device, fresh)
	if err != nil {
		return nil, err
	}
	for i := range walked.Steps {
		step := &walked.Steps[i]
		switch {
		case step.Kind == flow.Checkpoint && step.Label == p.asked && step.Shot != nil:
			return step.Shot, r.sameEngine(step.Shot)
		case step.State == capture.StepFailed:
			return nil, &stepError{s.site.String(), step}
		}
	}
	return nil, &pageError{text: fmt.Sprintf("%s: the flow did not reach “%s”.", s.site, p.asked)}
}

// walk does the flow on one side, once for all its checkpoints.
func (r *run) walk(ctx context.Context, s *side, device capture.Device, fresh bool) (*capture.Walked, error) {
	f := r.options.Flow
	f.mu.Lock()
	if f.walks == nil {
		f.walks = make(map[walkOf]*walkOnce)
	}
	key := walkOf{s.site.String(), device, fresh}
	one := f.walks[key]
	if one == nil {
		one = &walkOnce{}
		f.walks[key] = one
	}
	f.mu.Unlock()
	one.once.Do(func() { one.walked, one.err = r.walkNow(ctx, s, device) })
	return one.walked, one.err
}

func (r *run) walkNow(ctx context.Context, s *side, device capture.Device) (*capture.Walked, error) {
	f := r.options.Flow
	moved, err := moveFlow(f.Flow, s.site)
	if err != nil {
		return nil, err
	}
	request := capture.WalkRequest{Flow: moved, Secrets: f.Secrets, Request: r.options.request(s.site, "", device)}
	walked, err := f.Browser.Walk(ctx, request)
	var failure *capture.Failure
	if walked == nil && errors.As(err, &failure) && failure.Retryable() && !failure.NeverReady() && ctx.Err() == nil {
		walked, err = f.Browser.Walk(ctx, request) // it has not done a step yet
	}
	switch {
	case err == nil:
		return walked, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !errors.As(err, &failure):
		return nil, err
	case walked == nil && ofTheSite[failure.Reason]:
		return nil, &UnreachableError{Site: s.site.String(), Failure: failure}
	}
	return nil, &pageError{address: moved.Start, failure: failure}
}

// moveFlow is the flow on another site: its start, and all addresses on the same host, are on that site. Secrets whose hosts are not
// named go with the start; the others stay with the hosts that the flow names.
func moveFlow(f *flow.Flow, to Site) (*flow.Flow, error) {
	start, err := url.Parse(f.Start)
	if err != nil {
		return nil, err
	}
	origin := start.Scheme + "://" + start.Host
	move := func(address string) string {
		if rest, ok := strings.CutPrefix(address, origin); ok && (rest == "" || strings.ContainsAny(rest[:1], "/?#*")) {
			return to.origin + to.folder() + rest
		}
		if to.folder() != "" && strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") {
			return to.folder() + address
		}
		return address
	}
	moved := *f
	moved.Start = move(f.Start)
	moved.Steps = slices.Clone(f.Steps)
	for i := range moved.Steps {
		s := &moved.Steps[i]
		switch {
		case s.Kind == flow.Navigate, s.Kind == flow.Wait && s.For == flow.AwaitAddress:
			s.Value = move(s.Value)
		case s.Kind == flow.Assert && s.Assertion.Look == flow.LookAddress && s.Assertion.Operator == flow.Equals:
			s.Assertion.Expected = move(s.Assertion.Expected)
		}
	}
	return &moved, moved.Check()
}

// tellStep says that a step can be done on the first side only.
func (p *Pair) tellStep(e *stepError) {
	p.Tell(kindStep, vcd.CategoryAlert, fmt.Sprintf("Step %d of the flow (%s) fails: %s", e.step.Number, e.step.Does, e.step.Sentence),
		"The other side continues, so the pictures after this step are missing here.", fmt.Sprint(e.step.Number, e.step.Does))
}
