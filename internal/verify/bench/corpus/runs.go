package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"

	"afterimage/capture"
	"afterimage/internal/verify/bench/causes"
)

// mostPages is how many pages a run has at most. Their number grows with that of the runs: a run has 3 to about 30 edits.
const mostPages = 5

// captureRuns captures runs of several pages on all devices, each page with edits of its own and with one that all pages of the run share,
// as a new style sheet has. The first pages of a template are in the first runs.
func (o *options) captureRuns(ctx context.Context, studio *causes.Studio, pages []string) error {
	rnd := rand.New(rand.NewPCG(o.seed, 37)) //nolint:gosec // the same runs each time
	for n := range o.runs {
		shared := []string{"link colour", "heading weight", "corners", "strip", "root size"}[n%5]
		folder, made, views := filepath.Join(o.keep, fmt.Sprintf("run %02d", n+1)), 1, 0
		for i := range 1 + n*mostPages/o.runs {
			c, err := combine(o.dir, pages[(n+i*7)%len(pages)], o.with, rnd)
			if err != nil {
				return err
			}
			own := c.edits[:min(len(c.edits), leastEdits+rnd.IntN(mostEdits-leastEdits))]
			made += len(own)
			for _, device := range o.devices {
				views++
				to := filepath.Join(folder, fmt.Sprintf("%02d %s", i+1, device))
				studio.Keep = keepIn(to)
				after := c.page + "?" + url.Values{"edit": append([]string{shared}, own...)}.Encode()
				if _, err := studio.JudgeEdit(ctx, c.page+"?edit=none", after, device); err != nil {
					fmt.Fprintln(os.Stderr, err)
				}
			}
		}
		if err := noteEdits(folder, made); err != nil {
			return err
		}
		fmt.Printf("%s: %d edits, %d comparisons\n", folder, made, views)
	}
	return nil
}

// noteEdits notes how many edits a run has.
func noteEdits(folder string, made int) error {
	return os.WriteFile(filepath.Join(folder, "edits"), fmt.Appendf(nil, "%d", made), 0o600)
}

// keepIn puts both captures of a page into a folder.
func keepIn(folder string) func(before, after *capture.Shot) error {
	return func(before, after *capture.Shot) error {
		return errors.Join(keep(before, folder, "before"), keep(after, folder, "after"))
	}
}

// keep puts a capture into a folder.
func keep(shot *capture.Shot, folder, side string) error {
	visit, err := json.Marshal(&shot.Visit)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	name := filepath.Join(folder, side)
	return errors.Join(os.WriteFile(name+".png", shot.PNG, 0o600), os.WriteFile(name+".json", visit, 0o600))
}
