package compare

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"golang.org/x/sync/errgroup"

	"afterimage/capture"
	"afterimage/internal/page"
)

// Stored are captures of the side before that were made earlier: a baseline.
type Stored interface {
	// Shot returns the capture of a page; ErrNotStored if there is none. Any other error says that the baseline is of no use.
	Shot(ctx context.Context, path string, device capture.Device) (*capture.Shot, error)
	// Engine is the version of browser, fonts and pipeline with which all of them were made.
	Engine() string
}

// ErrNotStored means that a baseline does not have a page.
var ErrNotStored = errors.New("the baseline does not have this page")

// sameEngine refuses to compare pictures of different browsers, fonts or pipelines: they differ although the pages are the same.
func (r *run) sameEngine(shot *capture.Shot) error {
	if r.options.Stored == nil {
		return nil
	}
	if was, is := r.options.Stored.Engine(), shot.Manifest.Version(); was != is {
		return fmt.Errorf("the baseline was made with %s, and this is %s: pictures of the same page differ. "+
			"Update it with --update, or use the same browser and fonts", was, is)
	}
	return nil
}

// Keep stores the capture of a page.
type Keep func(ctx context.Context, path string, device capture.Device, shot *capture.Shot) error

// Record captures every page of the side after and gives it to keep, several at the same time. It ends with the first page that
// cannot be captured or is an error page: a baseline has all pages or is not updated. Files that the site lists are no pages.
func Record(ctx context.Context, browser Capturer, o *Options, keep Keep, watch func(Progress)) error {
	if err := o.Check(); err != nil {
		return err
	}
	r := newRun(browser, o, nil, watch)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(o.Concurrency)
	for i := range r.pairs {
		group.Go(func() error {
			p := &r.pairs[i]
			shot, err := r.take(ctx, &r.after, p, false)
			if o.Listed && isNoPage(err) { // a file that the site lists
				r.advance(p)
				return nil
			}
			if err != nil {
				return err
			}
			if shot.Status >= http.StatusBadRequest {
				return fmt.Errorf("%s answers with HTTP status %d: check the path", shot.FinalURL, shot.Status)
			}
			if problem := r.instead(p, &shot.Visit); problem != "" {
				return errors.New(problem)
			}
			if err := keep(ctx, p.Path, p.Device, shot); err != nil {
				return err
			}
			r.advance(p)
			return nil
		})
	}
	return group.Wait()
}

// instead says what the side after shows in the place of the page; "" for nothing. Compared with such a baseline the same wall would be
// no change.
func (r *run) instead(p *Pair, visit *page.Visit) string {
	side := arrival{r.options.After, r.options.After.Address(p.asked), visit}
	wall := visit.Wall(side.asked)
	if problem := side.signIn(); problem != "" || wall == nil {
		return problem
	}
	return shown(side.asked, wall)
}
