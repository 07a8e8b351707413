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
)

// studio serves the labelled pages, captures and compares them.
type studio struct {
	lanes  int
	keep   string // folder, "" = none
	server *http.Server
	base   string
	pool   *chrome.Pool // nil until the first capture
	once   sync.Once
	err    error // of starting the pool
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
	s.server = &http.Server{Handler: labelled.Handler(), ReadHeaderTimeout: 10 * time.Second}
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
	outcomes, errs := make([]outcome, len(pairs)), make([]error, len(pairs))
	next := make(chan int)
	var workers sync.WaitGroup
	for range s.lanes {
		workers.Go(func() {
			for i := range next {
				outcomes[i], errs[i] = s.judge(ctx, pairs[i])
			}
		})
	}
	for i := range pairs {
		next <- i
	}
	close(next)
	workers.Wait()
	return outcomes, errors.Join(errs...)
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
		if kept, err := load(path); err == nil {
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
	s.once.Do(func() {
		var policy *egress.Policy
		if policy, s.err = egress.NewPolicy(s.base[len("http://"):]); s.err == nil {
			s.pool, s.err = chrome.Start(ctx, chrome.Config{Lanes: s.lanes, Policy: policy})
		}
	})
	if s.err != nil {
		return nil, fmt.Errorf("start the browser: %w", s.err)
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
	options := imgdiff.DefaultOptions()
	for _, shot := range shots {
		options.Ignore = append(options.Ignore, page.Rects(shot.Manifest.Unstable)...)
	}
	found, err := imgdiff.Compare(ctx, shots[0].PNG, shots[1].PNG, options)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	known := &verify.Pair{Before: verify.PageOf(&shots[0].Visit), After: verify.PageOf(&shots[1].Visit)}
	known.Measure(found)
	return known, nil
}

func load(path string) (*verify.Pair, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	known := &verify.Pair{}
	return known, json.NewDecoder(unpacked).Decode(known)
}

func save(path string, known *verify.Pair) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	packed := gzip.NewWriter(file)
	return errors.Join(json.NewEncoder(packed).Encode(known), packed.Close(), file.Close())
}
