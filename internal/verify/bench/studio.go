package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/imgdiff"
	"afterimage/internal/egress"
	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/internal/verify/labelled"
	"afterimage/internal/verify/labelled/sites"
)

// studio serves the labelled pages, captures and compares them.
type studio struct {
	lanes   int
	keep    string // folder, "" = none
	offline bool   // capture nothing of the generated sites
	server  *http.Server
	base    string
	pool    *chrome.Pool // nil until the first capture
	once    sync.Once
	err     error // of starting the pool
}

// outcome is how a pair came out.
type outcome struct {
	pair   labelled.Pair
	result *verify.Result
	took   time.Duration // of judging alone
	known  *verify.Pair
}

func newStudio(ctx context.Context, lanes int, keep string) (*studio, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serve the pages: %w", err)
	}
	s := &studio{lanes: lanes, keep: keep, base: "http://" + listener.Addr().String()}
	mux := http.NewServeMux()
	mux.Handle("/", labelled.Handler())
	mux.Handle("/site/", sites.Handler())
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

func (s *studio) close() error {
	err := s.server.Close()
	if s.pool != nil {
		err = errors.Join(err, s.pool.Close())
	}
	return err
}

// judgeAll judges all pairs, in their order.
func (s *studio) judgeAll(ctx context.Context, pairs []labelled.Pair) ([]outcome, error) {
	outcomes := make([]outcome, len(pairs))
	err := s.each(len(pairs), func(i int) (err error) {
		outcomes[i], err = s.judge(ctx, pairs[i])
		return err
	})
	return outcomes, err
}

// each does n things, as many at the same time as there are lanes.
func (s *studio) each(n int, do func(i int) error) error {
	errs := make([]error, n)
	next := make(chan int)
	var workers sync.WaitGroup
	for range s.lanes {
		workers.Go(func() {
			for i := range next {
				errs[i] = do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
	return errors.Join(errs...)
}

func (s *studio) judge(ctx context.Context, p labelled.Pair) (outcome, error) {
	known, err := s.known(ctx, p)
	if err != nil {
		return outcome{}, fmt.Errorf("%s: %w", p.Name(), err)
	}
	begin := time.Now()
	result, err := verify.Verify(ctx, known)
	if err != nil {
		return outcome{}, fmt.Errorf("%s: %w", p.Name(), err)
	}
	return outcome{p, result, time.Since(begin), known}, nil
}

// known is what the engine and the comparison find out about a pair, from the folder when it is there.
func (s *studio) known(ctx context.Context, p labelled.Pair) (*verify.Pair, error) {
	path := filepath.Join(s.keep, url.PathEscape(p.Name())+".json.gz")
	if s.keep != "" {
		kept := &verify.Pair{}
		if load(path, kept) == nil {
			return kept, nil
		}
	}
	known, err := s.capture(ctx, p)
	if err != nil || s.keep == "" {
		return known, err
	}
	return known, save(path, known)
}

func (s *studio) capture(ctx context.Context, p labelled.Pair) (*verify.Pair, error) {
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	var shots [2]*capture.Shot
	for i, side := range []string{"before", "after"} {
		request := capture.Request{URL: s.base + "/" + side + "/" + url.PathEscape(p.Name()) + "/", Device: capture.Desktop}
		if p.Mobile() {
			request.Device = capture.Mobile
		}
		shot, err := s.pool.Capture(ctx, request)
		if err != nil {
			return nil, fmt.Errorf("capture the page %s: %w", side, err)
		}
		shots[i] = shot
	}
	return measure(ctx, &visited{shots[0].Visit, shots[0].PNG}, &visited{shots[1].Visit, shots[1].PNG})
}

// open starts the browser with the first capture.
func (s *studio) open(ctx context.Context) error {
	s.once.Do(func() {
		var policy *egress.Policy
		if policy, s.err = egress.NewPolicy(s.base[len("http://"):]); s.err == nil {
			s.pool, s.err = chrome.Start(ctx, chrome.Config{Lanes: s.lanes, Policy: policy})
		}
	})
	if s.err != nil {
		return fmt.Errorf("start the browser: %w", s.err)
	}
	return nil
}

// measure compares two visits as a comparison of the product does.
func measure(ctx context.Context, before, after *visited) (*verify.Pair, error) {
	options := imgdiff.DefaultOptions()
	options.Keep = true
	for _, v := range []*visited{before, after} {
		options.Ignore = append(options.Ignore, page.Rects(v.Manifest.Unstable)...)
	}
	found, err := imgdiff.Compare(ctx, before.PNG, after.PNG, options)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	known := &verify.Pair{Before: verify.PageOf(&before.Visit), After: verify.PageOf(&after.Visit)}
	known.Measure(found)
	return known, nil
}

// load reads what save has written.
func load(path string, value any) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	return json.NewDecoder(unpacked).Decode(value)
}

func save(path string, value any) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	packed := gzip.NewWriter(file)
	return errors.Join(json.NewEncoder(packed).Encode(value), packed.Close(), file.Close())
}
