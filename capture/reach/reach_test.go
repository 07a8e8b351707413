package reach_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/capture/reach"
	"afterimage/internal/egress"
	"afterimage/internal/page"
)

var soak = os.Getenv("AFTERIMAGE_SOAK") != ""

func TestMain(m *testing.M) {
	code := m.Run()
	http.DefaultClient.CloseIdleConnections()
	if err := goleak.Find(); err != nil {
		_, _ = os.Stderr.WriteString(err.Error() + "\n")
		code = 1
	}
	os.Exit(code)
}

// TestAPageIsSeenWholeOrSaidNotToBe takes every page, and many twice, with another price far from its beginning the second time: the last
// part of the page is in the picture and the prices are told apart, or the capture says what is missing. Each day it leaves out those that
// TestEveryTextIsShownOrTold takes, unless they are told to be incomplete or fade. AFTERIMAGE_SOAK=1 takes all of them twice, and a third
// time, which has to be the first again. AFTERIMAGE_REACH names single pages, AFTERIMAGE_REACH_KEEP a folder that keeps the pictures.
func TestAPageIsSeenWholeOrSaidNotToBe(t *testing.T) {
	site := startSite(t)
	pool := startPool(t, site)
	taken := make(map[string]int) // pages of a family
	for _, p := range wanted() {
		priced := !p.Told && (soak || p.Fades || taken[p.Family]%3 == 0)
		taken[p.Family]++
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			before := take(t, pool, site, p, "19.50", !p.Tall)
			after, again := before, before
			if priced {
				after = take(t, pool, site, p, "49.00", false)
			}
			if soak && !p.Told {
				again = take(t, pool, site, p, "19.50", false)
			}
			checkProbes(t, p, before)
			img := pixels(t, before)
			ends := countEnds(img)
			t.Logf("%s: %d × %d, %d pixels of the end, missing: %v", p.Shows, before.Width, before.Height, ends, before.Manifest.Missing)
			if !bytes.Equal(before.PNG, again.PNG) {
				t.Error("two captures of the same page differ")
			}
			if !strings.Contains(before.Content.Text, p.Keeps) {
				t.Errorf("the picture does not show %q", p.Keeps)
			}
			if p.Told {
				if *before.Manifest.Complete {
					t.Error("the capture calls itself complete")
				}
				checkTold(t, p.Tells, before)
				if p.Held || p.Looks {
					checkHeld(t, p, before, take(t, pool, site, p, "49.00", false))
				}
				return
			}
			for _, part := range before.Manifest.Missing {
				if part.Element != p.Misses || p.Misses == "" {
					t.Errorf("the capture calls itself incomplete: %v", part)
				}
			}
			if p.Misses != "" && *before.Manifest.Complete {
				t.Errorf("the capture does not tell of %s", p.Misses)
			}
			if ends < p.LeastEnd() {
				t.Errorf("the end of the page has %d pixels, want %d", ends, p.LeastEnd())
			}
			if priced && bytes.Equal(before.PNG, after.PNG) {
				t.Error("another price makes no other picture")
			}
			checkBoxes(t, before, img)
		})
	}
}

// checkTold looks for the elements that have to be told as missing.
func checkTold(t *testing.T, names []string, shot *capture.Shot) {
	t.Helper()
	for _, name := range names {
		if !slices.ContainsFunc(shot.Manifest.Missing, func(part page.Missing) bool { return part.Element == name }) {
			t.Errorf("the capture does not tell of %s", name)
		}
	}
}

// checkHeld compares two visits by what no picture shows of them: the same visit is compared whole, another price is told.
func checkHeld(t *testing.T, of reach.Page, before, after *capture.Shot) {
	t.Helper()
	if unseen := page.WhatNoneShows(before.Manifest.Missing, before.Manifest.Missing); unseen != "" {
		t.Errorf("what was read is told as not seen: %s", unseen)
	}
	for _, c := range page.Compare(&before.Visit, &after.Visit) {
		priced := strings.Contains(c.Before, "19.50") && strings.Contains(c.After, "49.00")
		if c.Kind == page.ChangedOutOfSight && (of.Looks || priced) {
			return
		}
	}
	t.Errorf("another price out of sight is not told: %v and %v", before.Manifest.Missing, after.Manifest.Missing)
}

// checkProbes looks whether frames that were painted around elements are where the list of elements has them.
func checkProbes(t *testing.T, of reach.Page, shot *capture.Shot) {
	t.Helper()
	p := shot.Probes
	if p == nil { // taken screen by screen, without elements, or tall
		return
	}
	for _, misplaced := range p.Misplaced[:min(len(p.Misplaced), 5)] {
		t.Error(misplaced)
	}
	if !of.Inside && p.Painted >= 20 && p.Seen < p.Painted/2 {
		t.Errorf("of %d frames %d are in the picture", p.Painted, p.Seen)
	}
}

// checkBoxes looks for the end of a page where the list of elements has it.
func checkBoxes(t *testing.T, shot *capture.Shot, img *image.RGBA) {
	t.Helper()
	found := false
	for _, e := range shot.Content.Elements {
		if e.Classes != "end" {
			continue
		}
		found = true
		box := image.Rect(e.Box.X, e.Box.Y, e.Box.X+e.Box.Width, e.Box.Y+e.Box.Height).Inset(2)
		for _, at := range []image.Point{box.Min, box.Max.Sub(image.Pt(1, 1))} {
			if c := img.RGBAAt(at.X, at.Y); c != reach.End {
				t.Errorf("the end of the page is at %v by the list of elements, but the pixel at %v is %v", box, at, c)
			}
		}
	}
	if !found {
		t.Log("the end of the page is not among the elements")
	}
}

func wanted() []reach.Page {
	names := os.Getenv("AFTERIMAGE_REACH")
	var pages []reach.Page
	if names == "" {
		for _, p := range reach.Pages() {
			if soak || p.Told || p.Fades || !hasMarks(p) {
				pages = append(pages, p)
			}
		}
		return pages
	}
	for _, p := range reach.Pages() {
		for name := range strings.SplitSeq(names, ",") {
			if p.Name == name || p.Family == name {
				pages = append(pages, p)
			}
		}
	}
	return pages
}

// startSite serves each page under its name and price.
func startSite(t *testing.T) *httptest.Server {
	t.Helper()
	pages := http.NewServeMux()
	for _, p := range reach.Pages() {
		pages.HandleFunc("/"+p.Name+"/{price}", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprint(w, p.HTML(r.PathValue("price")))
		})
	}
	site := httptest.NewServer(pages)
	t.Cleanup(site.Close)
	return site
}

func startPool(t *testing.T, site *httptest.Server) *chrome.Pool {
	t.Helper()
	policy, err := egress.NewPolicy(strings.TrimPrefix(site.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	pool, err := chrome.Start(context.Background(), chrome.Config{Lanes: 2, Policy: policy})
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

func take(t *testing.T, pool *chrome.Pool, site *httptest.Server, p reach.Page, price string, probe bool) *capture.Shot {
	t.Helper()
	device := capture.Desktop
	if p.Mobile {
		device = capture.Mobile
	}
	shot, err := pool.Capture(t.Context(), capture.Request{
		URL: site.URL + "/" + p.Name + "/" + price, Device: device, Probe: probe, Deadline: 3 * time.Minute, // on a busy machine
	})
	if err != nil {
		t.Fatal(err)
	}
	if folder := os.Getenv("AFTERIMAGE_REACH_KEEP"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, p.Name+"-"+price+".png"), shot.PNG, 0o600); err != nil {
			t.Error(err)
		}
	}
	return shot
}

// countEnds counts the pixels of the colour with which the page ends.
func countEnds(img *image.RGBA) int {
	n := 0
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i] == reach.End.R && img.Pix[i+1] == reach.End.G && img.Pix[i+2] == reach.End.B {
			n++
		}
	}
	return n
}

func pixels(t *testing.T, shot *capture.Shot) *image.RGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(shot.PNG))
	if err != nil {
		t.Fatal(err)
	}
	if opaque, ok := img.(*image.RGBA); ok {
		return opaque
	}
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out
}
