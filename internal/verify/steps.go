package verify

import (
	"context"
	"fmt"
	"image"
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

// giveUp lists the regions beyond the limit of steps, once: a redesign that nothing can explain is one thing to look at.
func (l *listing) giveUp(regions []Region) {
	at, places := -1, 0
	for i := range regions {
		r := &regions[i]
		if l.judged[r.ID] {
			continue
		}
		f := unjudged(r)
		if places++; at < 0 {
			at = len(l.found)
			l.found = append(l.found, f)
		} else {
			l.found[at].join(&f)
		}
		l.put(at, r.ID)
	}
	if places > 1 {
		l.found[at].Description = fmt.Sprintf(
			"%d places look different. Too much of this page changed to tell what happened in each.", places)
	}
}

// unjudged is the finding for a region beyond the limit of steps.
func unjudged(r *Region) Finding {
	return Finding{
		Change: Repainted, Confidence: 0.4, at: -1, pixels: r.Pixels, Shape: r.Fingerprint, Box: r.Box, BeforeBox: r.BeforeBox,
		Description: "Something looks different here.", places: []image.Rectangle{r.Box},
		Ruling: Ruling{NotSure, CodeUnknown, "Too much of this page changed for the rules to examine everything.", 0.5, false},
	}
}
