package dom

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

// Steps counts the work on a pair and checks the caller's context. When either ends the work, it panics with a bailout,
// as in package imgdiff.
type Steps struct {
	ctx           context.Context
	left, unheard int
}

// bailout ends the work; the cause is nil when the steps are used up.
type bailout struct{ cause error }

// NewSteps allows as many steps as are due to an input of this size.
func NewSteps(ctx context.Context, size int) *Steps {
	return &Steps{ctx: ctx, left: stepsEach * (leastInput + size), unheard: stepsHeard} // the context is checked at the first step
}

// Remaining is how many steps may still be taken.
func (s *Steps) Remaining() int { return s.left }

// Context is that of the caller.
func (s *Steps) Context() context.Context { return s.ctx }

// Take counts elements that are about to be examined.
func (s *Steps) Take(n int) {
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

// Until runs work until it is done or the steps are used up, and reports whether it is done. The error is that of the
// context.
func Until(work func()) (done bool, err error) {
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
