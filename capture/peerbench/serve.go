package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/internal/assetcache"
	"afterimage/internal/egress"
	"afterimage/internal/page"
)

// serve is our own service, with the protocol of peers/adapter.mjs. A pool has
// as many lanes as a batch takes pictures at a time.
func serve(ctx context.Context, s settings, in io.Reader, out io.Writer) error {
	policy, err := egress.NewPolicy(strings.Split(s.allow, ",")...)
	if err != nil {
		return err
	}
	o := &ours{}
	if s.share {
		o.assets = assetcache.New(sharedBytes)
	}
	return answerBatches(ctx, in, out, func(lanes int) (_ taker, err error) {
		o.pool, err = chrome.Start(ctx, chrome.Config{Binary: s.browser, Lanes: lanes, Policy: policy})
		return o, err
	})
}

// taker takes the pictures of batches.
type taker interface {
	take(ctx context.Context, b batch) (answer, error)
	stop() error
}

// answerBatches answers batches with a taker that is started anew for another number of pictures at a time.
func answerBatches(ctx context.Context, in io.Reader, out io.Writer, start func(atOnce int) (taker, error)) (err error) {
	var t taker
	defer func() {
		if t != nil {
			err = errors.Join(err, t.stop())
		}
	}()
	atOnce := 0
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var b batch
		if err := json.Unmarshal(lines.Bytes(), &b); err != nil {
			return fmt.Errorf("read a batch: %w", err)
		}
		if b.Concurrency != atOnce {
			if t != nil {
				err, t = t.stop(), nil
				if err != nil {
					return err
				}
			}
			started, err := start(b.Concurrency)
			if err != nil {
				return err
			}
			t, atOnce = started, b.Concurrency
		}
		a, err := t.take(ctx, b)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(out).Encode(a); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
	return lines.Err()
}

// ours is our capture, with a lane for each picture at a time.
type ours struct {
	pool    *chrome.Pool
	assets  *assetcache.Cache // nil: the pages of a batch share nothing
	batches int
}

func (o *ours) take(ctx context.Context, b batch) (answer, error) {
	o.batches++
	return b.take(ctx, o.pool, o.assets.Scope(strconv.Itoa(o.batches))), nil
}

func (o *ours) stop() error { return o.pool.Close() }

// sharedBytes is the default of --asset-cache.
const sharedBytes = 128 << 20

// take takes all pictures of the batch.
func (b batch) take(ctx context.Context, pool *chrome.Pool, shared *assetcache.Scope) answer {
	a := answer{Errors: make([]*string, len(b.Jobs)), Unstable: make([][]page.Box, len(b.Jobs)),
		Stages: make([][]page.StageTime, len(b.Jobs))}
	jobs := make(chan int)
	begin := time.Now()
	var workers sync.WaitGroup
	for range b.Concurrency {
		workers.Go(func() {
			for i := range jobs {
				shot, err := pool.Capture(ctx, capture.Request{
					URL: b.Jobs[i].URL, Device: cmp.Or(b.Jobs[i].Device, capture.Desktop), Shared: shared})
				if err == nil {
					a.Unstable[i], a.Stages[i] = shot.Manifest.Unstable, shot.Manifest.Stages
					err = os.WriteFile(b.Jobs[i].File, shot.PNG, 0o600)
				}
				if err != nil {
					a.Errors[i] = new(err.Error())
				}
			}
		})
	}
	for i := range b.Jobs {
		jobs <- i
	}
	close(jobs)
	workers.Wait()
	a.NS = time.Since(begin).Nanoseconds()
	return a
}
