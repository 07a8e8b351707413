package capture

import (
	"errors"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/page"
)

// Limits of counting what the CSS of a request is for.
const (
	styledBudget      = 500 * time.Millisecond // in one document
	maxStyled         = 200                    // selectors
	maxStyledSelector = 300                    // characters
)

// hideBudget is for all selectors together in the document, and once more in all frames of its process.
const hideBudget = 2 * time.Second

// ErrSlowSelectors is the cause of a failure: the elements that are to be hidden could not be found in time.
var ErrSlowSelectors = errors.New("the elements to be hidden were not found in time: the selectors are too slow, or the page is busy")

// styles applies the request's CSS to the document, to open shadow trees and to all frames that our script reaches. Those that come later
// are reached when the stage is repeated.
func (r *run) styles() error {
	if len(r.req.Styles) == 0 {
		return nil
	}
	if err := r.ask("styles", scriptBudget, nil, r.req.Styles); err != nil {
		return err
	}
	return r.inOtherFrames("styles", func(*proto.RuntimeEvaluateResult) {}, r.req.Styles)
}

// inOtherFrames calls a function of our script in all frames but the main one, those of other processes too, and hands on the answers. It
// is best effort, as in still.
func (r *run) inOtherFrames(function string, take func(*proto.RuntimeEvaluateResult), args ...any) error {
	for _, world := range r.events.otherWorlds() {
		answer, err := r.evaluate(call(world, function, args...), hideBudget)
		if r.ctx.Err() != nil || errors.Is(err, errMoved) {
			return err
		}
		take(answer)
	}
	return r.inOtherProcesses(function, take, args...)
}

func (r *run) inOtherProcesses(function string, take func(*proto.RuntimeEvaluateResult), args ...any) error {
	ask := proto.RuntimeEvaluate{}
	for _, raw := range r.tab.InFrames(r.ctx, worldName, ownScript+";"+call(0, function, args...).Expression, maxFrames) {
		if answer, err := decodeAnswer[proto.RuntimeEvaluateResult](ask, raw); err == nil {
			take(answer)
		}
	}
	return r.ctx.Err()
}

// hide hides the elements that the request names, in open shadow trees and in frames too, and records how many there are of each, and
// of those that its CSS is for.
func (r *run) hide() error {
	if err := r.styles(); err != nil {
		return err
	}
	if err := r.countStyled(); err != nil || len(r.req.Hide) == 0 {
		return err
	}
	counts := make([]int, len(r.req.Hide))
	err := r.ask("hide", hideBudget, &counts, r.req.Hide)
	var failure *Failure
	if errors.As(err, &failure) && failure.Reason == ReasonTimeout {
		return &Failure{Reason: ReasonTimeout, Err: ErrSlowSelectors}
	}
	if err != nil {
		return err
	}
	if err := r.hideInFrames(counts); err != nil {
		return err
	}
	r.shot.Manifest.Hidden = make([]page.Selected, len(counts))
	for i, n := range counts {
		r.shot.Manifest.Hidden[i] = page.Selected{Selector: r.req.Hide[i], Elements: n}
	}
	return nil
}

// countStyled records how many elements the first selectors of the request's CSS match. On a page whose selectors are too slow to be
// counted, or that moves on meanwhile, nothing is recorded: what the CSS does is in the picture.
func (r *run) countStyled() error {
	if len(r.req.Styles) == 0 {
		return nil
	}
	args := []any{r.req.Styles, maxStyled, maxStyledSelector}
	var styled []page.Selected
	if err := r.ask("matched", styledBudget, &styled, args...); err != nil {
		if r.ctx.Err() != nil || errors.Is(err, errMoved) {
			return err
		}
		return nil
	}
	err := r.inOtherFrames("matched", func(answer *proto.RuntimeEvaluateResult) {
		var found []page.Selected
		if answer != nil && answer.Result != nil && answer.Result.Value.Unmarshal(&found) == nil {
			styled = sum(styled, found)
		}
	}, args...)
	r.shot.Manifest.Styled = styled
	return err
}

// sum adds what further documents have of the same selectors.
func sum(all, more []page.Selected) []page.Selected {
	for i := range all {
		for _, s := range more {
			if s.Selector == all[i].Selector {
				all[i].Elements += s.Elements
			}
		}
	}
	return all
}

// hideInFrames is best effort, as in still: a frame that has just been removed hides nothing.
func (r *run) hideInFrames(counts []int) error {
	add := func(answer *proto.RuntimeEvaluateResult) {
		var found []int
		if answer == nil || answer.Result == nil || answer.Result.Value.Unmarshal(&found) != nil || len(found) != len(counts) {
			return
		}
		for i, n := range found {
			counts[i] += max(n, 0)
		}
	}
	begun := r.clock.Now()
	for _, world := range r.events.otherWorlds() {
		left := hideBudget - r.clock.Now().Sub(begun)
		if left <= 0 {
			return &Failure{Reason: ReasonTimeout, Err: ErrSlowSelectors}
		}
		answer, err := r.evaluate(call(world, "hide", r.req.Hide), left)
		if r.ctx.Err() != nil || errors.Is(err, errMoved) {
			return err
		}
		if err == nil && answer == nil {
			return &Failure{Reason: ReasonTimeout, Err: ErrSlowSelectors}
		}
		if err == nil {
			add(answer)
		}
	}
	return r.inOtherProcesses("hide", add, r.req.Hide)
}
