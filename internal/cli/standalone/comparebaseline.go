package standalone

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/internal/bucket"
	"afterimage/internal/cli"
	"afterimage/internal/compare"
	"afterimage/internal/compare/baseline"
	"afterimage/internal/compare/report"
	"afterimage/vcd"
)

// baselineStore is the store at the place of --baseline.
func (c *Compare) baselineStore(ctx context.Context) (baseline.Store, error) {
	if !bucket.IsURL(c.Baseline) {
		path, err := cli.FolderPath(c.Baseline)
		if err != nil {
			return nil, fmt.Errorf("a baseline is kept in %w", err)
		}
		return baseline.Folder(path), nil
	}
	objects, err := bucket.Open(ctx, c.Baseline)
	if err != nil {
		return nil, err
	}
	c.close = objects.Close
	return baseline.InBucket(objects), nil
}

// openBaseline opens the baseline. What no flag says about pages, devices and the date is as in the baseline. One that is to be
// updated may be missing or damaged.
func (c *Compare) openBaseline(ctx context.Context, o *compare.Options) (err error) {
	if c.store, err = c.baselineStore(ctx); err != nil {
		return fmt.Errorf("--baseline: %w", err)
	}
	stored, err := baseline.Open(ctx, c.store)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case c.Update && (missing || errors.Is(err, baseline.ErrUnusable)):
		o.Before = o.After
		return nil
	case missing:
		return fmt.Errorf("there is no baseline in %s: make one with --update", c.store)
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

// record updates the baseline: with all pages, or not at all.
func (c *Compare) record(ctx context.Context, pool *chrome.Pool, o *compare.Options) error {
	recorder, err := baseline.NewRecorder(ctx, c.store, baseline.Index{Site: o.After.String(), Date: o.Date.UTC()})
	if err != nil {
		return err
	}
	o.Before = o.After
	progress := report.Progress{Out: os.Stderr, Live: cli.IsTerminal(os.Stderr)}
	var kept atomic.Int64
	keep := func(ctx context.Context, path string, device capture.Device, shot *capture.Shot) error {
		kept.Add(1)
		return recorder.Keep(ctx, path, device, shot)
	}
	if err := compare.Record(ctx, pool, o, keep, progress.Show); err != nil {
		return fmt.Errorf("the baseline was not updated: %w", errors.Join(err, recorder.Abort(context.WithoutCancel(ctx))))
	}
	if err := recorder.Commit(ctx); err != nil {
		return err
	}
	fmt.Printf("The baseline in %s has %s, %d of them new.\n", c.store, vcd.Plural(int(kept.Load()), "picture"), recorder.Fresh())
	return nil
}
