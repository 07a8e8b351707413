package zoo_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/capture/zoo"
	"afterimage/internal/egress"
	"afterimage/internal/page"
)

// TestDeterminism takes every page several times, the pages in turn and several at once: a steady page gives the same pixels
// each time, a restless one differs only where its mask says so, and nothing is missing or left over in any picture.
// AFTERIMAGE_SOAK=1 takes all pages 20 times, four at once, otherwise every second one is taken twice.
// AFTERIMAGE_ZOO names single pages, AFTERIMAGE_ZOO_KEEP a folder that keeps the pictures.
func TestDeterminism(t *testing.T) {
	whole := os.Getenv("AFTERIMAGE_SOAK") != ""
	pages := wanted(t, whole)
	times, lanes := 2, 2
	if whole {
		times, lanes = 20, 4
	}
	site := startSite(t)
	pool := startPool(t, site, lanes)
	tallies := make(map[string]*zoo.Tally, len(pages))
	for _, p := range pages {
		tallies[p.Name] = zoo.NewTally(p)
	}
	begin := time.Now()
	captureAll(t, pool, site, pages, times, lanes, tallies)
	took := time.Since(begin)
	right := 0
	for _, p := range pages {
		if verdict := tallies[p.Name].Verdict(); verdict != "" {
			t.Errorf("%s (%s): %s", p.Name, p.Shows, verdict)
			continue
		}
		right++
	}
	t.Logf("%d of %d pages right in all of %d runs, %d at once; %.1f captures/s", right, len(pages), times, lanes,
		float64(times*len(pages))/took.Seconds())
}

// TestAPlayingVideoIsTakenAtItsFirstFrame takes a page whose video plays, on a machine that has other things to do: how far it
// has played is then another each time, and the frame that was sought comes to the display late. AFTERIMAGE_SOAK=1 takes it 16 times,
// otherwise half as often.
func TestAPlayingVideoIsTakenAtItsFirstFrame(t *testing.T) {
	p, err := zoo.Find("video-late")
	if err != nil {
		t.Fatal(err)
	}
	times, lanes := 8, 4
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		times = 16
	}
	site := startSite(t)
	tally := zoo.NewTally(p)
	captureAll(t, startPool(t, site, lanes), site, []zoo.Page{p}, times, lanes, map[string]*zoo.Tally{p.Name: tally})
	if verdict := tally.Verdict(); verdict != "" {
		t.Error(verdict)
	}
}

// wanted are the pages that AFTERIMAGE_ZOO names by commas. Without it they are all pages, or every second one.
func wanted(t *testing.T, whole bool) []zoo.Page {
	names := os.Getenv("AFTERIMAGE_ZOO")
	var pages []zoo.Page
	if names == "" {
		for i, p := range zoo.Pages() {
			if whole || i%2 == 0 {
				pages = append(pages, p)
			}
		}
		return pages
	}
	for name := range strings.SplitSeq(names, ",") {
		p, err := zoo.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	return pages
}

func captureAll(t *testing.T, pool *chrome.Pool, site *zoo.Site, pages []zoo.Page, times, lanes int, tallies map[string]*zoo.Tally) {
	type turn struct {
		zoo.Page

		last bool
	}
	work := make(chan turn)
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range lanes {
		workers.Go(func() {
			for p := range work {
				request := capture.Request{URL: site.Address(p.Page), Device: capture.Desktop, Deadline: 5 * time.Minute, Probe: p.last}
				shot, err := pool.Capture(t.Context(), request)
				mu.Lock()
				if err != nil {
					tallies[p.Name].Fail(err)
				} else {
					tallies[p.Name].Add(shot.PNG, page.Rects(shot.Manifest.Unstable))
					keep(t, p.Page, tallies[p.Name], shot)
					checkProbes(t, p.Name, shot.Probes)
				}
				mu.Unlock()
			}
		})
	}
	for n := range times {
		for _, p := range pages {
			work <- turn{p, n == times-1}
		}
	}
	close(work)
	workers.Wait()
}

// checkProbes looks whether frames that were painted around elements are where the list of elements has them.
func checkProbes(t *testing.T, name string, p *capture.Probes) {
	if p == nil { // not asked for, or taken screen by screen
		return
	}
	for _, misplaced := range p.Misplaced {
		t.Errorf("%s: %s", name, misplaced)
	}
	if p.Painted >= 20 && p.Seen < p.Painted/2 {
		t.Errorf("%s: of %d frames %d are in the picture", name, p.Painted, p.Seen)
	}
}

// keep writes pictures to the folder AFTERIMAGE_ZOO_KEEP for the eye.
func keep(t *testing.T, p zoo.Page, tally *zoo.Tally, shot *capture.Shot) {
	folder := os.Getenv("AFTERIMAGE_ZOO_KEEP")
	if folder == "" {
		return
	}
	name := fmt.Sprintf("%s/%s-%02d", folder, p.Name, tally.Pictures)
	if err := os.WriteFile(name+".png", shot.PNG, 0o600); err != nil {
		t.Error(err)
	}
	manifest := fmt.Sprintf("%+v\n", shot.Manifest)
	if err := os.WriteFile(name+".txt", []byte(manifest), 0o600); err != nil {
		t.Error(err)
	}
}

func startSite(t *testing.T) *zoo.Site {
	t.Helper()
	site, err := zoo.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := site.Close(); err != nil {
			t.Error(err)
		}
	})
	return site
}

func startPool(t *testing.T, site *zoo.Site, lanes int) *chrome.Pool {
	t.Helper()
	policy, err := egress.NewPolicy(site.Hosts()...)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := chrome.Start(context.Background(), chrome.Config{Lanes: lanes, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return pool
}
