package verify

import (
	"context"
	"fmt"
)

const (
	// stepsEach bounds how many elements are looked at for each element, region and band that there is. A long page of which
	// everything changed takes some hundreds; only a page that is made for it takes more.
	stepsEach = 4096
	// leastInput is what a pair counts at least.
	leastInput = 1000
	// stepsHeard is how many steps are taken before the context is heard again.
	stepsHeard = 1 << 14
)

// steps counts the work on a pair, and hears the caller's context. Work ends by a panic with a bailout when either says so, as
// in package imgdiff.
type steps struct {
	ctx           context.Context
	left, unheard int
}

// bailout ends the work; the cause is nil when the steps were used up.
type bailout struct{ cause error }

func newSteps(ctx context.Context, p *Pair) *steps {
	input := leastInput + len(p.Before.Elements) + len(p.After.Elements) + len(p.Regions) + len(p.Remaining) + len(p.Bands)
	return &steps{ctx: ctx, left: stepsEach * input, unheard: stepsHeard} // heard at the first step
}

// take counts elements that are about to be looked at.
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

// until works until it is done or the steps are used up, and tells which; an error is that of the context.
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

// unjudged is the verdict on a region that the steps did not suffice for.
func unjudged(r *Region) Verdict {
	const what = "Something looks different here."
	return Verdict{
		RegionID: r.ID, Category: NotSure, Code: CodeUnknown, Confidence: 0.5, Description: what,
		Reason:   "Too much of this page changed for the rules to examine all of it.",
		Findings: []Finding{{RegionID: r.ID, Box: r.Box, Change: Repainted, Confidence: 0.4, Category: NotSure, Description: what}},
	}
}
