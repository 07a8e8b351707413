package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"afterimage/internal/chart"
)

// growthPages is how many pages of the shop are captured at least in a round.
const growthPages = 16

// grown is what a tool did with so many pages at once, at a distance of the site.
type grown struct {
	tool      tool
	distance  time.Duration // round trip
	atOnce    int
	rate, cpu float64 // captures a second, and CPU-seconds each: medians
	failed    int
}

// measureGrowth measures how rate and cost grow with the pages at once and with the distance of the site. Ours share assets, as in the
// service.
func measureGrowth(ctx context.Context, s settings) error {
	var all []grown
	load := loadAverage()
	for text := range strings.SplitSeq(s.distances, ",") {
		distance, err := time.ParseDuration(text)
		if err != nil || distance < 0 {
			return fmt.Errorf("-distances: %q is no round-trip time", text)
		}
		some, err := growAt(ctx, s, distance)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	text := growthReport(all, load+" at the start, "+loadAverage()+" at the end")
	fmt.Print(text)
	if s.markdown == "" {
		return nil
	}
	if err := os.WriteFile(s.markdown, []byte(text), 0o644); err != nil { //nolint:gosec // documentation
		return err
	}
	picture := strings.TrimSuffix(s.markdown, ".md") + ".svg"
	return os.WriteFile(picture, []byte(growthCharts(all)), 0o644) //nolint:gosec // documentation
}

// growAt measures all tools at one distance, round by round in changing order.
func growAt(ctx context.Context, s settings, distance time.Duration) (all []grown, err error) {
	levels, err := numbers(s.atOnce)
	if err != nil {
		return nil, err
	}
	site, err := openShop(ctx, max(growthPages, 2*slices.Max(levels)), distance)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, site.close()) }()
	b, services, stop, err := startGrowth(ctx, s, site)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	for _, atOnce := range levels {
		samples := make([][]sample, len(services))
		for round := range s.speedRounds {
			for k := range services {
				i := (k + round) % len(services)
				taken, err := b.takeGrowth(services[i], site, atOnce)
				if err != nil {
					return nil, err
				}
				samples[i] = append(samples[i], taken)
				fmt.Fprintf(os.Stderr, "%s away, %d at once: %s %.2f/s %.2f CPU-s, %d failed\n", distance, atOnce, services[i].tool.Name,
					taken.rate(), taken.cpuEach(), taken.Failed)
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
			}
		}
		for i := range services {
			g := grown{tool: services[i].tool, distance: distance, atOnce: atOnce, rate: rate(samples[i]), cpu: cpuEach(samples[i])}
			for _, taken := range samples[i] {
				g.failed += taken.Failed
			}
			all = append(all, g)
		}
	}
	return all, nil
}

func startGrowth(ctx context.Context, s settings, site *shop) (*bench, []*service, func() error, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, nil, err
	}
	peers, err := filepath.Abs(s.peers)
	if err != nil {
		return nil, nil, nil, err
	}
	b := &bench{settings: s}
	hosts := []string{strings.TrimPrefix(site.url, "http://")}
	all := contenders(self, "", peers, s.browser, hosts)
	if s.program != "" {
		all = append(all, throughService(self, s.program, s.browser, hosts)...)
	}
	for _, t := range all {
		if t.Ours {
			t.argv = append(slices.Clone(t.argv), "-share")
		}
		if wants(s.tools, t.Name) {
			b.tools = append(b.tools, t)
		}
	}
	if b.folder, err = os.MkdirTemp("", "growthbench-"); err != nil {
		return nil, nil, nil, err
	}
	services, stop, err := b.startAll(ctx, func(tool) bool { return true })
	return b, services, func() error { return errors.Join(stop(), os.RemoveAll(b.folder)) }, err
}

// takeGrowth captures pages of the shop, after some that are not measured.
func (b *bench) takeGrowth(s *service, site *shop, atOnce int) (sample, error) {
	question := func(pages int) batch {
		all := batch{Concurrency: atOnce}
		for i := range pages {
			b.files++
			file := filepath.Join(b.folder, strconv.Itoa(b.files)+".png")
			all.Jobs = append(all.Jobs, job{URL: fmt.Sprintf("%s/page%d", site.url, i), File: file})
		}
		return all
	}
	warm := question(atOnce)
	if _, _, err := s.take(warm); err != nil {
		return sample{}, err
	}
	measured := question(max(growthPages, 2*atOnce))
	a, taken, err := s.take(measured)
	if err != nil {
		return sample{}, err
	}
	for _, failed := range a.Errors {
		if failed != nil {
			taken.Failed++
		}
	}
	return taken, errors.Join(b.forget(warm), b.forget(measured))
}

// numbers reads a list of numbers of pictures at once.
func numbers(list string) (all []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-at-once: %q is not a number of pictures", text)
		}
		all = append(all, n)
	}
	return all, nil
}

func growthReport(all []grown, load string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# How captures grow\n\n%s, measured on %s by `make bench-growth`; load average %s.\n\nPages of a shop with "+
		"%d requests and about 2.5 MB each, on the desktop. Captures per second, and CPU-seconds per\ncapture in brackets.\n\n"+
		"![Captures per second and CPU-seconds per capture by pages at once](capture-growth.svg)\n", machine(),
		time.Now().UTC().Format("2006-01-02 15:04 UTC"), load, shopRequests)
	for _, distance := range distinct(all, func(g grown) time.Duration { return g.distance }) {
		fmt.Fprintf(&b, "\n## Round trip %s\n\n| At once |", distance)
		here := filter(all, func(g grown) bool { return g.distance == distance })
		names := distinct(here, func(g grown) string { return g.tool.Name })
		fmt.Fprintf(&b, " %s |\n|---:|%s\n", strings.Join(names, " | "), strings.Repeat("---:|", len(names)))
		for _, n := range distinct(here, func(g grown) int { return g.atOnce }) {
			fmt.Fprintf(&b, "| %d |", n)
			for _, g := range filter(here, func(g grown) bool { return g.atOnce == n }) {
				fmt.Fprintf(&b, " %.2f (%.2f)%s |", g.rate, g.cpu, failures(g.failed))
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("\n## Settings\n\n")
	for _, about := range distinct(all, func(g grown) string { return g.tool.Name + ": " + g.tool.About }) {
		fmt.Fprintf(&b, "- %s\n", about)
	}
	return b.String()
}

func failures(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d failed", n)
}

func growthCharts(all []grown) string {
	var charts []chart.Chart
	for _, distance := range distinct(all, func(g grown) time.Duration { return g.distance }) {
		here := filter(all, func(g grown) bool { return g.distance == distance })
		atOnce := chart.Axis{Name: "pages at once"}
		rates := chart.Chart{Title: "Round trip " + distance.String(), X: atOnce, Y: chart.Axis{Name: "captures per second"}, Low: true}
		costs := chart.Chart{X: atOnce, Y: chart.Axis{Name: "CPU-seconds per capture"}, Low: true}
		for _, name := range distinct(here, func(g grown) string { return g.tool.Name }) {
			rate, cost := chart.Series{Name: name}, chart.Series{Name: name}
			for _, g := range filter(here, func(g grown) bool { return g.tool.Name == name }) {
				rate.Points = append(rate.Points, chart.Point{X: float64(g.atOnce), Y: g.rate})
				cost.Points = append(cost.Points, chart.Point{X: float64(g.atOnce), Y: g.cpu})
			}
			rates.Series, costs.Series = append(rates.Series, rate), append(costs.Series, cost)
		}
		charts = append(charts, rates, costs)
	}
	return chart.SVG(charts...)
}

func filter(all []grown, wanted func(grown) bool) (some []grown) {
	for _, g := range all {
		if wanted(g) {
			some = append(some, g)
		}
	}
	return some
}

// distinct lists the values of a property in their order.
func distinct[T comparable](all []grown, of func(grown) T) (values []T) {
	for _, g := range all {
		if v := of(g); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}
