package causes

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/imgdiff"
	"afterimage/internal/egress"
	"afterimage/internal/page"
	"afterimage/internal/verify"
)

// Studio captures two states of pages and judges what changed, as a comparison of the product does.
type Studio struct {
	pool   *chrome.Pool
	before *httptest.Server
	after  *httptest.Server
	taken  map[view]*capture.Shot // of the first state

	// Keep is called with the captures of each pair, if it is set.
	Keep func(before, after *capture.Shot) error
}

// view is a page on a device.
type view struct {
	path   string
	device capture.Device
}

// Open starts a browser and serves both states of all pages, each under the same path.
func Open(ctx context.Context, lanes int, before, after http.Handler) (*Studio, error) {
	s := &Studio{before: httptest.NewServer(before), after: httptest.NewServer(after), taken: make(map[view]*capture.Shot)}
	policy, err := egress.NewPolicy(s.before.Listener.Addr().String(), s.after.Listener.Addr().String())
	if err == nil {
		s.pool, err = chrome.Start(ctx, chrome.Config{Lanes: lanes, Policy: policy})
	}
	if err != nil {
		s.before.Close()
		s.after.Close()
		return nil, fmt.Errorf("start the browser: %w", err)
	}
	return s, nil
}

// Addresses are where the two states are served.
func (s *Studio) Addresses() (before, after string) { return s.before.URL, s.after.URL }

// Close ends the browser.
func (s *Studio) Close() error {
	defer s.before.Close()
	defer s.after.Close()
	return s.pool.Close()
}

// patience is how long a capture may take on a machine that is busy with other tests.
const patience = 3 * time.Minute

// Judged is what was found out about two states of a page.
type Judged struct {
	Pair    *verify.Pair // without its pixels
	Result  *verify.Result
	Changed int // pixels that differ in place
	Heights [2]int
}

// Judge captures and judges both states of a page.
func (s *Studio) Judge(ctx context.Context, path string, device capture.Device) (*Judged, error) {
	before, err := s.capture(ctx, s.before, view{path, device})
	if err != nil {
		return nil, err
	}
	return s.judge(ctx, before, view{path, device})
}

// JudgeEdit is Judge for one of several edits of a page: its first state, under a path of its own, is captured once on each device.
func (s *Studio) JudgeEdit(ctx context.Context, page, edit string, device capture.Device) (*Judged, error) {
	first := view{page, device}
	if s.taken[first] == nil {
		shot, err := s.capture(ctx, s.before, first)
		if err != nil {
			return nil, err
		}
		s.taken[first] = shot
	}
	return s.judge(ctx, s.taken[first], view{edit, device})
}

func (s *Studio) capture(ctx context.Context, server *httptest.Server, v view) (*capture.Shot, error) {
	shot, err := s.pool.Capture(ctx, capture.Request{URL: server.URL + v.path, Device: v.device, Deadline: patience})
	if err != nil {
		return nil, fmt.Errorf("capture %s: %w", v.path, err)
	}
	return shot, nil
}

// judge captures the second state of a page, and judges what changed since the first.
func (s *Studio) judge(ctx context.Context, before *capture.Shot, v view) (*Judged, error) {
	after, err := s.capture(ctx, s.after, v)
	if err != nil {
		return nil, err
	}
	if s.Keep != nil {
		if err := s.Keep(before, after); err != nil {
			return nil, fmt.Errorf("keep the captures of %s: %w", v.path, err)
		}
	}
	shots := [2]*capture.Shot{before, after}
	options := imgdiff.DefaultOptions()
	options.Keep = true
	for _, shot := range shots {
		options.Ignore = append(options.Ignore, page.Rects(shot.Manifest.Unstable)...)
	}
	found, err := imgdiff.Compare(ctx, shots[0].PNG, shots[1].PNG, options)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", v.path, err)
	}
	defer found.Release()
	known := &verify.Pair{Before: verify.PageOf(&shots[0].Visit), After: verify.PageOf(&shots[1].Visit)}
	known.Measure(found)
	result, err := verify.Verify(ctx, known)
	if err != nil {
		return nil, fmt.Errorf("judge %s: %w", v.path, err)
	}
	return &Judged{Pair: known, Result: result, Changed: found.Changed, Heights: [2]int{shots[0].Height, shots[1].Height}}, nil
}

// Entries are the changes that somebody has to look at.
func (j *Judged) Entries() []*verify.Finding {
	var entries []*verify.Finding
	for i := range j.Result.Findings {
		if f := &j.Result.Findings[i]; f.Ruling.Category != verify.AllGood {
			entries = append(entries, f)
		}
	}
	return entries
}

// Told lists what is said of all changes.
func (j *Judged) Told() string {
	var told []string
	for i := range j.Result.Findings {
		f := &j.Result.Findings[i]
		says := string(f.Ruling.Category) + " " + string(f.Change) + ": " + f.Description
		if f.Ruling.Category == verify.AllGood {
			says += " (" + f.Ruling.Reason + ")"
		}
		if f.Consequences.Words != "" {
			says += " [" + f.Consequences.Words + "]"
		}
		told = append(told, says)
	}
	return strings.Join(told, "\n  ")
}

// Pages serves documents by path.
func Pages(documents map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		html, ok := documents[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if strings.HasSuffix(r.URL.Path, ".png") {
			w.Header().Set("Content-Type", "image/png")
		} else {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		_, _ = w.Write([]byte(html))
	})
}
