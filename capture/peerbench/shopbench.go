package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"afterimage/capture"
)

// shopDevices are those on which every page is captured.
var shopDevices = []capture.Device{capture.Desktop, capture.Mobile}

// shopRun is what one tool did with the shop.
type shopRun struct {
	tool            tool
	sample          sample
	requests, bytes int64
}

// shopContenders are ours with and without sharing, and Playwright.
func shopContenders(self, peers, browser, host string) []tool {
	all := contenders(self, "", peers, browser, []string{host})
	ours := all[0]
	alone := ours
	ours.Name, alone.Name = "together", "alone"
	ours.argv = append(slices.Clone(ours.argv), "-share")
	ours.About = "Afterimage as in the service: the pages of a batch share assets"
	alone.About = "Afterimage with --asset-cache 0"
	i := slices.IndexFunc(all, func(t tool) bool { return t.Name == "playwright" })
	return []tool{ours, alone, all[i]}
}

// measureShop has every tool capture the shop on both devices, round by round in changing order.
func measureShop(ctx context.Context, s settings) (err error) {
	site, err := openShop(ctx, s.shopPages, shopRoundTrip)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.close()) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	peers, err := filepath.Abs(s.peers)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "shopbench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	tools := shopContenders(self, peers, s.browser, strings.TrimPrefix(site.url, "http://"))
	b := &bench{settings: s, tools: tools}
	services, stop, err := b.startAll(ctx, func(tool) bool { return true })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	load := loadAverage()
	var runs []shopRun
	for round := range s.shopRounds {
		for k := range services {
			service := services[(k+round)%len(services)]
			run, err := takeShop(ctx, site, service, s, folder)
			if err != nil {
				return err
			}
			runs = append(runs, run)
			fmt.Fprintf(os.Stderr, "%s: %d requests, %d bytes, %s, %s CPU, %d failed\n", service.tool.Name, run.requests, run.bytes,
				run.sample.Took.Round(time.Millisecond), run.sample.CPU, run.sample.Failed)
		}
	}
	different, err := differentPictures(folder, s.shopPages)
	if err != nil {
		return err
	}
	var text strings.Builder
	writeShop(&text, s, tools, runs, different, load+" at the start, "+loadAverage()+" at the end")
	fmt.Print(text.String())
	if s.markdown == "" {
		return nil
	}
	return os.WriteFile(s.markdown, []byte(text.String()), 0o644) //nolint:gosec // documentation
}

// takeShop has one tool capture all pages. Before, it takes a page that is not measured.
func takeShop(ctx context.Context, site *shop, service *service, s settings, folder string) (shopRun, error) {
	warm := batch{Concurrency: s.concurrency}
	all := batch{Concurrency: s.concurrency}
	for i := range s.shopPages {
		for _, device := range shopDevices {
			file := filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", service.tool.Name, i, device))
			all.Jobs = append(all.Jobs, job{URL: fmt.Sprintf("%s/page%d", site.url, i), File: file, Device: device})
		}
	}
	for range s.concurrency {
		warm.Jobs = append(warm.Jobs, job{URL: site.url + "/page0?warm", File: filepath.Join(folder, "warm.png")})
	}
	if _, _, err := service.take(warm); err != nil {
		return shopRun{}, err
	}
	site.count()
	a, taken, err := service.take(all)
	if err != nil {
		return shopRun{}, err
	}
	for i, failed := range a.Errors {
		if failed != nil {
			taken.Failed++
			fmt.Fprintf(os.Stderr, "%s did not take %s: %s\n", service.tool.Name, all.Jobs[i].URL, *failed)
		}
	}
	run := shopRun{tool: service.tool, sample: taken}
	run.requests, run.bytes = site.count()
	return run, ctx.Err()
}

// differentPictures counts our pictures that sharing changed.
func differentPictures(folder string, pages int) (int, error) {
	different := 0
	for i := range pages {
		for _, device := range shopDevices {
			name := fmt.Sprintf("-%d-%s.png", i, device)
			together, err := os.ReadFile(filepath.Join(folder, "together"+name))
			alone, err2 := os.ReadFile(filepath.Join(folder, "alone"+name))
			if err := errors.Join(err, err2); err != nil {
				return 0, err
			}
			if !bytes.Equal(together, alone) {
				different++
			}
		}
	}
	return different, nil
}

// writeShop writes the table: medians over the rounds, and ratios within a round.
func writeShop(w io.Writer, s settings, tools []tool, runs []shopRun, different int, load string) {
	_, _ = fmt.Fprintf(w, `# Asset benchmark

%s, measured on %s by `+"`make bench-assets`"+`; load average %s.

A shop of %d pages, each with %d requests and about 2.5 MB, of which %d pictures are on one page only. All pages are captured on
desktop and mobile, %d at a time. The server is %s away (round trip); everything but documents may be kept for a year. Medians of
%d rounds; in brackets the ratio to Playwright in the same round.

| | Requests to the site | MB from the site | Wall time, s | CPU-s per capture | Failed |
|---|---:|---:|---:|---:|---:|
`, machine(), time.Now().UTC().Format("2006-01-02 15:04 UTC"), load, s.shopPages, shopRequests, shopOwnPictures, s.concurrency,
		shopRoundTrip, s.shopRounds)
	of := func(name string, value func(shopRun) float64) (values []float64) {
		for _, r := range runs {
			if r.tool.Name == name {
				values = append(values, value(r))
			}
		}
		return values
	}
	cell := func(name, format string, value func(shopRun) float64) string {
		ours, peer := of(name, value), of("playwright", value)
		ratios := make([]float64, len(ours))
		for i := range ours {
			ratios[i] = ours[i] / peer[i]
		}
		return fmt.Sprintf(format+" (%.3g ×)", median(ours), median(ratios))
	}
	for _, t := range tools {
		_, _ = fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %.0f |\n", t.Name,
			cell(t.Name, "%.0f", func(r shopRun) float64 { return float64(r.requests) }),
			cell(t.Name, "%.1f", func(r shopRun) float64 { return float64(r.bytes) / 1e6 }),
			cell(t.Name, "%.1f", func(r shopRun) float64 { return r.sample.Took.Seconds() }),
			cell(t.Name, "%.2f", func(r shopRun) float64 { return r.sample.cpuEach() }),
			median(of(t.Name, func(r shopRun) float64 { return float64(r.sample.Failed) })))
	}
	_, _ = fmt.Fprintf(w, "\n%d of %d pictures differ between together and alone.\n\n", different, s.shopPages*len(shopDevices))
	for _, t := range tools {
		_, _ = fmt.Fprintf(w, "- %s: %s\n", t.Name, t.About)
	}
}
