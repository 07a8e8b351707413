package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"afterimage/capture/zoo"
	"afterimage/internal/page"
)

// readyPage is the page of the zoo that is ready at once.
const readyPage = "plain"

// speedPages are those whose throughput is measured: none waits for the
// network or a timer, so that the tools are measured and not the pages.
var speedPages = []string{readyPage, "css-entrance", "hero", "reveal", "shadow-open"}

const (
	speedRepeats = 2 // of each page in a batch
	gateRepeats  = 8 // of the page that is ready at once in a batch
)

// measureSpeed measures the throughput on a few pages.
func (b *bench) measureSpeed(ctx context.Context) (err error) {
	var pages []zoo.Page
	for name := range strings.SplitSeq(b.settings.speedPages, ",") {
		p, err := zoo.Find(name)
		if err != nil {
			return err
		}
		pages = append(pages, p)
	}
	services, stop, err := b.startAll(ctx, func(t tool) bool { return t.Speed })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	levels, err := numbers(b.settings.atOnce)
	if err != nil {
		return err
	}
	for _, concurrency := range levels {
		samples, _, err := b.alternate(ctx, services, concurrency, b.settings.speedRounds, repeat(pages, speedRepeats))
		if err != nil {
			return err
		}
		for i, s := range services {
			b.report.addSpeed(s.tool, concurrency, samples[i])
		}
	}
	return nil
}

// measureGate measures what all our waiting and looking adds on a page that
// needs none of it.
func (b *bench) measureGate(ctx context.Context) (err error) {
	plain, err := zoo.Find(readyPage)
	if err != nil {
		return err
	}
	services, stop, err := b.startAll(ctx, func(t tool) bool { return t.Gate })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	for _, concurrency := range []int{1, 2} {
		samples, stages, err := b.alternate(ctx, services, concurrency, b.settings.gateRounds, repeat([]zoo.Page{plain}, gateRepeats))
		if err != nil {
			return err
		}
		for i, s := range services {
			b.report.addGate(s.tool, concurrency, samples[i])
		}
		b.report.addStages(concurrency, stages)
	}
	return nil
}

// alternate takes the same pages with all services in turn, and returns the
// samples of each and the stages of our captures.
func (b *bench) alternate(
	ctx context.Context, services []*service, concurrency, rounds int, pages []zoo.Page,
) ([][]sample, [][]page.StageTime, error) {
	for _, s := range services {
		if err := b.warm(s, concurrency); err != nil {
			return nil, nil, err
		}
	}
	samples := make([][]sample, len(services))
	var stages [][]page.StageTime
	for round := range rounds {
		for k := range services {
			i := (k + round) % len(services)
			a, taken, err := b.take(services[i], concurrency, pages)
			if err != nil {
				return nil, nil, err
			}
			samples[i] = append(samples[i], taken)
			stages = slices.Concat(stages, a.Stages)
			fmt.Fprintf(os.Stderr, "%d at once: %s %.2f/s %.2f CPU-s\n", concurrency, services[i].tool.Name, taken.rate(), taken.cpuEach())
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
		}
	}
	return samples, stages, nil
}

// rate is pictures per second of wall time.
func (s sample) rate() float64 { return float64(s.Pictures) / s.Took.Seconds() }

// cpuEach is seconds of processor time per picture.
func (s sample) cpuEach() float64 { return s.CPU.Seconds() / float64(s.Pictures) }
