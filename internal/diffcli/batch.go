package diffcli

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"afterimage/imgdiff"
)

// outcome is what became of one pair.
type outcome struct {
	pair   pair
	report *Report
	err    error
}

// summary counts outcomes.
type summary struct{ same, different, onlyBefore, onlyAfter, failed int }

// compareFolders compares all pairs of two folders and prints them in order.
func (c Command) compareFolders(ctx context.Context, s Streams) (bool, error) {
	m, err := match(c.Before, c.After)
	if err != nil {
		return false, err
	}
	bar := newProgress(s.Err, len(m.pairs))
	defer bar.clear()
	out := listing{out: s.Out, json: c.JSON, bar: bar, width: m.nameWidth()}
	sum := summary{onlyBefore: len(m.onlyBefore), onlyAfter: len(m.onlyAfter)}
	if err := c.eachPair(ctx, m.pairs, func(o outcome) error {
		bar.step(o.pair.name)
		switch {
		case o.err != nil:
			sum.failed++
		case o.report.Different:
			sum.different++
		default:
			sum.same++
		}
		return out.outcome(o)
	}); err != nil {
		return false, err
	}
	if err := out.singles(m); err != nil {
		return false, err
	}
	bar.clear()
	if err := sum.write(s, c.JSON); err != nil {
		return false, err
	}
	return sum.different+sum.onlyBefore+sum.onlyAfter > 0, failures(sum.failed)
}

// eachPair calls f with every outcome in the order of the pairs. Reading and
// decoding use two cores a pair, so half as many pairs as cores run at a time.
func (c Command) eachPair(ctx context.Context, pairs []pair, f func(outcome) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	pool := sync.Pool{New: func() any { return new(files) }}
	running := make(chan chan outcome, runtime.GOMAXPROCS(0)/2)
	wg.Go(func() {
		defer close(running)
		for _, p := range pairs {
			done := make(chan outcome, 1)
			select {
			case <-ctx.Done():
				return
			case running <- done:
			}
			wg.Go(func() {
				files := pool.Get().(*files)
				defer pool.Put(files)
				done <- c.comparePair(ctx, files, p)
			})
		}
	})
	for done := range running {
		if err := f(<-done); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// comparePair compares one pair of folders; pictures are made only of what is
// different.
func (c Command) comparePair(ctx context.Context, files *files, p pair) outcome {
	report, err := files.compare(ctx, p, c.Options, func(r *imgdiff.Result) (pictures, error) {
		if !isDifferent(r) {
			return pictures{}, nil
		}
		return pictures{mask: c.Mask, compose: c.Compose}.below(p.name)
	})
	return outcome{pair: p, report: report, err: err}
}

// failures is the error for pairs that could not be compared, each of which
// has had its own line.
func failures(n int) error {
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%s could not be compared", count(n, "pair"))
}
