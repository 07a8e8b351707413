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
func serve(ctx context.Context, s settings, in io.Reader, out io.Writer) (err error) {
	policy, err := egress.NewPolicy(strings.Split(s.allow, ",")...)
	if err != nil {
		return err
	}
	var pool *chrome.Pool
	lanes, batches := 0, 0
	var assets *assetcache.Cache
	if s.share {
		assets = assetcache.New(sharedBytes)
	}
	defer func() {
		if pool != nil {
			err = errors.Join(err, pool.Close())
		}
	}()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var b batch
		if err := json.Unmarshal(lines.Bytes(), &b); err != nil {
			return fmt.Errorf("read a batch: %w", err)
		}
		if b.Concurrency != lanes {
			if pool != nil {
				if err := pool.Close(); err != nil {
					return err
				}
			}
			lanes = b.Concurrency
			if pool, err = chrome.Start(ctx, chrome.Config{Binary: s.browser, Lanes: lanes, Policy: policy}); err != nil {
				return err
			}
		}
		batches++
		if err := json.NewEncoder(out).Encode(b.take(ctx, pool, assets.Scope(strconv.Itoa(batches)))); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
	return lines.Err()
}

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
