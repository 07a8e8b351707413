package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"afterimage/capture"
	"afterimage/imgdiff"
	"afterimage/internal/page"
	"afterimage/vcd"
)

// Progress is how far a run is, in pages and devices.
type Progress struct {
	Done, All int
	Changed   int // somebody will have to look at them
	Failed    int // they could not be compared
}

// Album keeps the pictures of a pair. Pictures of different pairs come at the same time.
type Album interface {
	Keep(p *Pair, before, after []byte) error
}

// run is a comparison in progress.
type run struct {
	browser       Capturer
	options       *Options
	album         Album // nil for none
	hosts         *translator
	before, after side
	pairs         []Pair

	mu        sync.Mutex
	progress  Progress
	watch     func(Progress)
	confirmed map[string]bool // changes by fingerprint, see confirm
}

// Run compares the two sites. It keeps the pictures of pages that are not equal in the album, if there is one, and tells watch how
// far it is, once after each page and not twice at the same time. An error means that nothing can be told of the sites, while the
// outcome of a single page that could not be compared is [Failed].
func Run(ctx context.Context, browser Capturer, o *Options, album Album, watch func(Progress)) (*Result, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Stored == nil && o.Before.String() == o.After.String() {
		return nil, fmt.Errorf("both sides are %s: give the address of another one", o.Before)
	}
	r := newRun(browser, o, album, watch)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(o.Concurrency)
	for i := range r.pairs {
		group.Go(func() error { return r.pair(ctx, &r.pairs[i]) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return r.outcome()
}

// outcome is the result without what turned out to be no page.
func (r *run) outcome() (*Result, error) {
	var noPages []string
	r.pairs = slices.DeleteFunc(r.pairs, func(p Pair) bool {
		if p.noPage {
			noPages = append(noPages, p.Path)
		}
		return p.noPage
	})
	if len(r.pairs) == 0 {
		return nil, errors.New("none of the listed addresses is a page")
	}
	result := r.result()
	result.NoPages = slices.Compact(noPages) // one for all devices
	return result, nil
}

func newRun(browser Capturer, o *Options, album Album, watch func(Progress)) *run {
	r := &run{
		browser: browser, options: o, album: album, hosts: newTranslator(o.Before, o.After), watch: watch,
		before: side{site: o.Before, scope: o.Assets.Scope("before")}, after: side{site: o.After, scope: o.Assets.Scope("after")},
		confirmed: make(map[string]bool),
	}
	for _, path := range o.Paths {
		for _, device := range o.Devices {
			r.pairs = append(r.pairs, Pair{Path: cmp.Or(path, o.Before.base, "/"), Device: device, asked: path})
		}
	}
	r.progress.All = len(r.pairs)
	return r
}

// result sets apart what can only be told once all pages are known, and groups the changes.
func (r *run) result() *Result {
	setApartMarks(r.pairs, r.options.After)
	result := &Result{Before: r.options.Before.String(), After: r.options.After.String(), Pairs: r.pairs}
	for i := range r.pairs {
		p := &r.pairs[i]
		p.settle()
		if m := &p.After.Manifest; result.Engine == "" && m.Engine != "" {
			result.Engine = m.Version()
		}
	}
	result.Changes, result.Ignored, result.Unused, result.Unreached = group(r.pairs), r.ignored(), r.unused(), r.unreached()
	return result
}

// pair compares one page on one device.
func (r *run) pair(ctx context.Context, p *Pair) error {
	begun := time.Now()
	err := r.compare(ctx, p)
	p.Took = time.Since(begun)
	if err != nil {
		var single *pageError
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, errNoPage):
			p.noPage = true
		case errors.As(err, &single):
			p.Problem = single.Error()
		case errors.Is(err, imgdiff.ErrTooLarge), errors.Is(err, imgdiff.ErrCorrupt):
			p.Problem = err.Error()
		default:
			return err
		}
	}
	r.advance(p)
	return nil
}

// advance tells that a pair is done.
func (r *run) advance(p *Pair) {
	changed := slices.ContainsFunc(p.Findings, func(f Finding) bool { return f.tells(FailOnUnsure) && !f.isMark(r.options.After) })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Done++
	switch {
	case p.Problem != "":
		r.progress.Failed++
	case changed:
		r.progress.Changed++
	}
	if r.watch != nil {
		r.watch(r.progress)
	}
}

func (r *run) compare(ctx context.Context, p *Pair) error {
	before, after, err := r.both(ctx, p, false)
	if errors.Is(err, ErrNotStored) {
		p.Tell(kindNew, vcd.CategoryNotSure, "The page is new: the baseline does not have it.", "There is nothing to compare it with.", "")
		return nil
	}
	var failed *stepError
	if errors.As(err, &failed) {
		p.tellStep(failed)
		return nil
	}
	if err != nil {
		return err
	}
	p.see(before, after)
	if !r.comparable(p, &before.Visit, &after.Visit) {
		return r.keep(p, before, after)
	}
	p.compared = true
	unstable := append(page.Rects(before.Manifest.Unstable), page.Rects(after.Manifest.Unstable)...)
	if err := r.judge(ctx, p, before, after, unstable); err != nil {
		return err
	}
	if r.doubted(p) {
		if err := r.confirm(ctx, p, before, after, unstable); err != nil {
			return err
		}
	}
	return r.keep(p, before, after)
}

// doubted reports whether a pair shows a change that somebody has to look at and that has not been confirmed on another page. What
// looks like the mark of an environment does not count: every page has it.
func (r *run) doubted(p *Pair) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range p.Findings {
		f := &p.Findings[i]
		if f.tells(FailOnUnsure) && !f.isMark(r.options.After) && !r.confirmed[f.Fingerprint] {
			return true
		}
	}
	return false
}

func (p *Pair) see(before, after *capture.Shot) {
	view := func(s *capture.Shot) View {
		return View{Address: s.FinalURL, Status: s.Status, Title: s.Title, Width: s.Width, Height: s.Height, Manifest: s.Manifest}
	}
	p.Before, p.After = view(before), view(after)
}

func (r *run) keep(p *Pair, before, after *capture.Shot) error {
	if p.settle(); r.album == nil || p.Outcome == Equal {
		return nil
	}
	if err := r.album.Keep(p, before.PNG, after.PNG); err != nil {
		return fmt.Errorf("the pictures of %s cannot be kept: %w", p.Path, err)
	}
	return nil
}

// confirm captures both sides again, and judges once more without what differs between two captures of one side: a server that
// deals out other products at each visit has not changed.
func (r *run) confirm(ctx context.Context, p *Pair, before, after *capture.Shot, unstable []image.Rectangle) error {
	if f := r.options.Flow; f != nil && f.Flow.Changes() { // a second walk would change something twice
		r.markConfirmed(p)
		return nil
	}
	again, later, err := r.both(ctx, p, true)
	if err != nil {
		return err
	}
	moved, err := moves(ctx, before, again)
	if err != nil {
		return err
	}
	also, err := moves(ctx, after, later)
	if err != nil {
		return err
	}
	if moved = append(moved, also...); len(moved) > 0 {
		err = r.judge(ctx, p, before, after, append(unstable, moved...))
	}
	r.markConfirmed(p)
	return err
}

// markConfirmed notes that what was found needs no further look.
func (r *run) markConfirmed(p *Pair) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range p.Findings {
		r.confirmed[p.Findings[i].Fingerprint] = true
	}
}

// moves lists where two captures of one side differ.
func moves(ctx context.Context, first, second *capture.Shot) ([]image.Rectangle, error) {
	found, err := imgdiff.Compare(ctx, first.PNG, second.PNG, imgdiff.DefaultOptions())
	if err != nil {
		return nil, fmt.Errorf("compare two captures of one side: %w", err)
	}
	defer found.Release()
	var boxes []image.Rectangle
	for _, region := range found.Seen {
		boxes = append(boxes, region.Box, region.BeforeBox)
	}
	return boxes, nil
}
