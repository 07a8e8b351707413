package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"afterimage/capture/chrome"
	"afterimage/internal/compare"
	"afterimage/internal/compare/baseline"
	"afterimage/internal/compare/report"
)

// openBaseline opens the baseline. What no flag says about pages, devices and the date is as in the baseline. One that is to be
// renewed may be missing or damaged.
func (c *compareCmd) openBaseline(o *compare.Options) error {
	stored, err := baseline.Open(c.Baseline)
	switch {
	case err != nil && c.Update:
		o.Before = o.After
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no baseline in %s: make one with --update", c.Baseline)
	case err != nil:
		return err
	}
	if o.Before, err = compare.ParseSite(stored.Site); err != nil {
		return fmt.Errorf("the site of the baseline: %w", err)
	}
	c.stored = stored
	if !c.Update {
		o.Stored = stored
	}
	if len(c.Devices) == 0 {
		for _, device := range stored.Devices() {
			c.Devices = append(c.Devices, string(device))
		}
	}
	if o.Date.IsZero() {
		o.Date = stored.Date
	}
	return nil
}

// record renews the baseline: with all pages, or not at all.
func (c *compareCmd) record(ctx context.Context, pool *chrome.Pool, o *compare.Options) error {
	recorder, err := baseline.NewRecorder(c.Baseline, baseline.Index{Site: o.After.String(), Date: o.Date.UTC()})
	if err != nil {
		return err
	}
	o.Before = o.After
	progress := report.Progress{Out: os.Stderr, Live: isTerminal(os.Stderr)}
	if err := compare.Record(ctx, pool, o, recorder.Keep, progress.Show); err != nil {
		return fmt.Errorf("the baseline was not renewed: %w", errors.Join(err, recorder.Abort()))
	}
	if err := recorder.Commit(); err != nil {
		return err
	}
	fmt.Printf("The baseline in %s has %d pictures, %d of them new.\n", c.Baseline, len(o.Paths)*len(o.Devices), recorder.Fresh())
	return nil
}
