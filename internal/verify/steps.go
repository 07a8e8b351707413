package verify

import (
	"context"
	"fmt"
)

const (
	// stepsEach limits how many elements are examined per element, region and band. A long page on which everything
	// changed takes several hundred; only a page crafted for it takes more.
	stepsEach = 4096
	// leastInput is the minimum size assumed for a pair.
	leastInput = 1000
	// stepsHeard is how many steps are taken between checks of the context.
	stepsHeard = 1 << 14
)

// steps counts the work on a pair and checks the caller's context. When either ends the work, it panics with a bailout,
// as in package imgdiff.
type steps struct {
	ctx           context.Context
	left, unheard int
}

// bailout ends the work; the cause is nil when the steps are used up.
type bailout struct{ cause error }

func newSteps(ctx context.Context, p *Pair) *steps {
	input := leastInput + len(p.Before.Elements) + len(p.After.Elements) + len(p.Regions) + len(p.Remaining) + len(p.Bands)
	return &steps{ctx: ctx, left: stepsEach * input, unheard: stepsHeard} // the context is checked at the first step
}

// take counts elements that are about to be examined.
func (s *steps) take(n int) {
	if s.left -= n; s.left < 0 {
		panic(bailout{})
	}
	if s.unheard += n; s.unheard >= stepsHeard {
		s.unheard = 0
		if err := s.ctx.Err(); err != nil {
			panic(bailout{fmt.Errorf("verify: %w", err)})
		}
	}
}

// until runs work until it is done or the steps are used up, and reports whether it is done. The error is that of the
// context.
func until(work func()) (done bool, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			ended, ok := cause.(bailout)
			if !ok {
				panic(cause)
			}
			err = ended.cause
		}
	}()
	work()
	return true, nil
}

// unjudged is the finding for a region beyond the limit of steps.
func unjudged(r *Region) Finding {
	return Finding{
		Change: Repainted, Confidence: 0.4, at: -1, pixels: r.Pixels, Shape: r.Fingerprint, Box: r.Box,
		Description: "Something looks different here.",
		Ruling:      Ruling{NotSure, CodeUnknown, "Too much of this page changed for the rules to examine everything.", 0.5, false},
	}
}
