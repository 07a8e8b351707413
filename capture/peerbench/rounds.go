package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"

	"afterimage/capture/zoo"
	"afterimage/internal/page"
)

// measureZoo has every tool take every page, round by round in changing order,
// so that whatever else the machine does falls on all alike.
func (b *bench) measureZoo(ctx context.Context) (err error) {
	services, stop, err := b.startAll(ctx, func(t tool) bool { return t.Zoo })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	tallies := make([]map[string]*zoo.Tally, len(services))
	for i, s := range services {
		tallies[i] = make(map[string]*zoo.Tally)
		for _, p := range b.pages {
			tallies[i][p.Name] = zoo.NewTally(p)
		}
		if err := b.warm(s, b.settings.concurrency); err != nil {
			return err
		}
	}
	samples := make([][]sample, len(services))
	for round := range max(b.settings.runs, b.settings.ownRuns) {
		for k := range services {
			i := (k + round) % len(services)
			if round >= b.settings.runs && !(services[i].tool.Ours && round < b.settings.ownRuns) {
				continue
			}
			taken, err := b.takeZoo(services[i], tallies[i], round)
			if err != nil {
				return err
			}
			if round < b.settings.runs {
				samples[i] = append(samples[i], taken)
			}
			fmt.Fprintf(os.Stderr, "zoo %d: %s %.2f/s %.2f CPU-s\n", round+1, services[i].tool.Name, taken.rate(), taken.cpuEach())
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	for i, s := range services {
		b.report.addZoo(s.tool, samples[i], tallies[i], b.pages)
	}
	return nil
}

// warm starts what a tool keeps running. It is not measured.
func (b *bench) warm(s *service, concurrency int) error {
	plain, err := zoo.Find(readyPage)
	if err != nil {
		return err
	}
	_, _, err = b.take(s, concurrency, repeat([]zoo.Page{plain}, concurrency))
	return err
}

// takeZoo takes every page once and counts the pictures, after the clock has stopped.
func (b *bench) takeZoo(s *service, tallies map[string]*zoo.Tally, round int) (sample, error) {
	first := round % len(b.pages)
	pages := slices.Concat(b.pages[first:], b.pages[:first])
	question := b.batch(b.settings.concurrency, pages)
	a, taken, err := s.take(question)
	if err != nil {
		return sample{}, err
	}
	for i, p := range pages {
		if a.Errors[i] != nil {
			tallies[p.Name].Fail(errors.New(*a.Errors[i]))
			continue
		}
		picture, err := os.ReadFile(question.Jobs[i].File)
		if err != nil {
			return sample{}, err
		}
		var unstable []image.Rectangle
		if a.Unstable != nil {
			unstable = page.Rects(a.Unstable[i])
		}
		tallies[p.Name].Add(picture, unstable)
	}
	return taken, b.forget(question)
}

// batch names a file for each page.
func (b *bench) batch(concurrency int, pages []zoo.Page) batch {
	question := batch{Concurrency: concurrency}
	for _, p := range pages {
		b.files++
		file := filepath.Join(b.folder, fmt.Sprintf("%d.png", b.files))
		question.Jobs = append(question.Jobs, job{URL: b.site.Address(p), File: file})
	}
	return question
}

// take takes pictures that are not looked at. Those that fail count as failed.
func (b *bench) take(s *service, concurrency int, pages []zoo.Page) (answer, sample, error) {
	question := b.batch(concurrency, pages)
	a, taken, err := s.take(question)
	if err != nil {
		return answer{}, sample{}, err
	}
	for i, failed := range a.Errors {
		if failed != nil {
			taken.Failed++
			fmt.Fprintf(os.Stderr, "%s did not take %s: %s\n", s.tool.Name, pages[i].Name, *failed)
		}
	}
	return a, taken, b.forget(question)
}

// forget removes the pictures, and what a tool wrote beside them.
func (b *bench) forget(question batch) error {
	var errs []error
	for _, j := range question.Jobs {
		left, err := filepath.Glob(j.File + "*")
		errs = append(errs, err)
		for _, path := range left {
			errs = append(errs, os.Remove(path))
		}
	}
	return errors.Join(errs...)
}

// repeat is a list of pages several times over.
func repeat(pages []zoo.Page, times int) []zoo.Page {
	var all []zoo.Page
	for range times {
		all = append(all, pages...)
	}
	return all
}
