package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"afterimage/capture"
	"afterimage/internal/assetcache"
)

// Capturer takes screenshots. *chrome.Pool is one.
type Capturer interface {
	Capture(ctx context.Context, r capture.Request) (*capture.Shot, error)
}

// side is one of the two sites in a run.
type side struct {
	site  Site
	scope *assetcache.Scope

	mu      sync.Mutex
	reached bool
	missed  int // pages that could not be reached while none could
}

// enoughMisses is after how many pages that could not be reached a site counts as unreachable.
const enoughMisses = 2

// ofTheSite are the reasons that concern a site rather than one of its pages.
var ofTheSite = map[capture.Reason]bool{
	capture.ReasonDNS: true, capture.ReasonConnect: true, capture.ReasonTLS: true, capture.ReasonNoTLS: true,
	capture.ReasonBlockedAddress: true, capture.ReasonCredentials: true, capture.ReasonProxy: true,
}

// UnreachableError ends a comparison when not a single page of one side can be captured.
type UnreachableError struct {
	Site    string
	Failure *capture.Failure
}

func (e *UnreachableError) Error() string {
	text := fmt.Sprintf("%s cannot be captured: %s", e.Site, e.Failure.Sentence())
	if e.Failure.Reason == capture.ReasonCredentials {
		text += " Give them with --basic-auth, --header or --cookie."
	}
	return text
}

func (e *UnreachableError) Unwrap() error { return e.Failure }

// both captures a page on both sides, with nothing of other captures if it is to be fresh. One that failed for a reason that
// may pass is captured once more.
func (r *run) both(ctx context.Context, p *Pair, fresh bool) (before, after *capture.Shot, err error) {
	if r.options.Flow != nil {
		return r.checkpoints(ctx, p, fresh)
	}
	var noPage [2]error
	group, ctx := errgroup.WithContext(ctx)
	capture := func(s *side, shot **capture.Shot, no *error) func() error {
		return func() (err error) {
			if *shot, err = r.take(ctx, s, p, fresh); isNoPage(err) {
				*no, err = err, nil // what the other side answers with matters
			}
			return err
		}
	}
	group.Go(capture(&r.before, &before, &noPage[0]))
	group.Go(capture(&r.after, &after, &noPage[1]))
	err = group.Wait()
	switch {
	case err != nil:
	case noPage[0] != nil && noPage[1] != nil && r.options.Listed:
		err = errNoPage
	default:
		err = cmp.Or(noPage[1], noPage[0])
	}
	return before, after, err
}

// errNoPage means that both sides answer with a file that is no page.
var errNoPage = errors.New("there is no page on either side")

func isNoPage(err error) bool {
	var single *pageError
	return errors.As(err, &single) && single.failure != nil &&
		(single.failure.Reason == capture.ReasonNotHTML || single.failure.Reason == capture.ReasonDownload)
}

// pageError is a page that could not be captured on one side.
type pageError struct {
	address string
	failure *capture.Failure
	text    string // in place of both
}

func (e *pageError) Error() string {
	if e.text != "" {
		return e.text
	}
	if errors.Is(e.failure, capture.ErrSlowSelectors) {
		return e.address + ": The elements to ignore could not be found in time. Use simpler selectors for --ignore."
	}
	return e.address + ": " + e.failure.Sentence()
}

func (r *run) take(ctx context.Context, s *side, p *Pair, fresh bool) (*capture.Shot, error) {
	if stored := r.options.Stored; stored != nil && s == &r.before {
		return stored.Shot(ctx, p.Path, p.Device)
	}
	request := r.options.request(s.site, p.asked, p.Device)
	if !fresh {
		request.Shared = s.scope
	}
	shot, err := r.browser.Capture(ctx, request)
	var failure *capture.Failure
	if errors.As(err, &failure) && failure.Retryable() && !failure.NeverReady() && ctx.Err() == nil {
		request.Shared = nil
		shot, err = r.browser.Capture(ctx, request)
	}
	switch {
	case err == nil:
		s.mu.Lock()
		s.reached = true
		s.mu.Unlock()
		if wrong := misunderstood(shot); wrong != "" {
			return nil, fmt.Errorf("--ignore: %q is neither a CSS selector nor a box x,y,width,height", wrong)
		}
		return shot, r.sameEngine(shot)
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !errors.As(err, &failure):
		return nil, err
	}
	if ofTheSite[failure.Reason] && s.unreachable(len(r.pairs)) {
		return nil, &UnreachableError{Site: s.site.String(), Failure: failure}
	}
	return nil, &pageError{address: request.URL, failure: failure}
}

// unreachable counts a page that could not be reached and reports whether the site as a whole cannot.
func (s *side) unreachable(pages int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missed++
	return !s.reached && s.missed >= min(enoughMisses, pages)
}
