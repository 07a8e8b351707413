// Command peerbench holds Afterimage's capture against other tools that take
// pictures of pages, in one run on the pages of the zoo: how many pages each
// takes right, how fast and with how much processor time. README.md tells how
// to run it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"afterimage/capture/zoo"
	"afterimage/internal/processtree"
	"afterimage/internal/toolpath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "peerbench:", err)
		os.Exit(1) //nolint:gocritic // the process ends anyway
	}
}

// settings are the flags.
type settings struct {
	peers, markdown, json   string
	pages, tools            string
	speedPages, atOnce      string
	before                  string
	runs, ownRuns           int
	concurrency             int
	speedRounds, gateRounds int
	serve, allow, browser   string
	program                 string
	auto                    bool
	share, shop, growth     bool
	distances               string
	shopPages, shopRounds   int
}

func parseFlags() settings {
	var s settings
	flag.StringVar(&s.peers, "peers", ".", "folder with package.json and node_modules")
	flag.StringVar(&s.markdown, "markdown", "", "also write the tables to this file")
	flag.StringVar(&s.json, "json", "", "write everything to this file as JSON")
	flag.StringVar(&s.pages, "pages", "", "only pages of the zoo with these names, by commas")
	flag.StringVar(&s.tools, "tools", "", "only tools with these names, by commas")
	flag.IntVar(&s.runs, "runs", 8, "how often each tool takes each page; 0 leaves the zoo out")
	flag.IntVar(&s.ownRuns, "own-runs", 20, "how often Afterimage takes each page, if more")
	flag.IntVar(&s.concurrency, "concurrency", 4, "pictures taken at the same time in the zoo")
	flag.IntVar(&s.speedRounds, "speed-rounds", 3, "rounds of the throughput table; 0 leaves it out")
	flag.StringVar(&s.speedPages, "speed-pages", strings.Join(speedPages, ","), "pages of the zoo of the throughput table, by commas")
	flag.StringVar(&s.atOnce, "at-once", "1,2,4,8", "how many pictures at the same time in the throughput table, by commas")
	flag.StringVar(&s.before, "before", "", "another build of this program, whose capture is measured as well, as the tool before")
	flag.IntVar(&s.gateRounds, "gate-rounds", 7, "rounds on the page that is ready at once; 0 leaves them out")
	flag.StringVar(&s.browser, "browser", "", "the browser that all tools use; the best on this machine if empty")
	flag.StringVar(&s.serve, "serve", "", "be one of the processes of a run: ours, service, or keeper with a command")
	flag.StringVar(&s.program, "program", "", "the afterimage program, whose service stands in the tables of throughput and growth, too")
	flag.BoolVar(&s.auto, "auto", false, "of -serve service: it chooses by itself how many pages it captures at once")
	flag.StringVar(&s.allow, "allow", "", "of -serve ours: what pages may reach, by commas")
	flag.BoolVar(&s.share, "share", false, "of -serve ours: the pages of a batch share assets")
	flag.BoolVar(&s.shop, "shop", false, "instead of all this, measure what it is worth to share the assets of a shop that is far away")
	flag.BoolVar(&s.growth, "growth", false, "instead of all this, measure how rate and cost grow with pages at once and distance")
	flag.StringVar(&s.distances, "distances", "0s,80ms,300ms", "round trips to the shop of -growth, by commas")
	flag.IntVar(&s.shopPages, "shop-pages", 60, "pages of the shop")
	flag.IntVar(&s.shopRounds, "shop-rounds", 1, "rounds on the shop")
	flag.Parse()
	return s
}

// wants reports whether a list of the flags names something.
func wants(list, name string) bool {
	return list == "" || slices.Contains(strings.Split(list, ","), name)
}

func run(ctx context.Context) (err error) {
	s := parseFlags()
	if s.browser == "" {
		if s.browser, err = toolpath.Browser(); err != nil {
			return err
		}
	}
	switch s.serve {
	case "":
	case "keeper":
		return processtree.Keep(flag.Args())
	case "service":
		return answerBatches(ctx, os.Stdin, os.Stdout, func(atOnce int) (taker, error) { return startThrough(ctx, s, atOnce) })
	default:
		return serve(ctx, s, os.Stdin, os.Stdout)
	}
	if s.shop {
		return measureShop(ctx, s)
	}
	if s.growth {
		return measureGrowth(ctx, s)
	}
	site, err := zoo.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	folder, err := os.MkdirTemp("", "peerbench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	b, err := newBench(s, site, folder)
	if err != nil {
		return err
	}
	err = b.fill(ctx)
	b.report.end()
	return errors.Join(err, b.report.write(s)) // what was measured before an error is told, too
}

// bench is a run of the comparison.
type bench struct {
	settings settings
	site     *zoo.Site
	folder   string // for pictures, one file a job
	tools    []tool
	pages    []zoo.Page
	report   *report
	files    int // named so far
}

func newBench(s settings, site *zoo.Site, folder string) (*bench, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	peers, err := filepath.Abs(s.peers)
	if err != nil {
		return nil, err
	}
	b := &bench{settings: s, site: site, folder: folder}
	all := contenders(self, s.before, peers, s.browser, site.Hosts())
	if s.program != "" {
		all = append(all, throughService(self, s.program, s.browser, site.Hosts())[0])
	}
	for _, t := range all {
		if wants(s.tools, t.Name) {
			b.tools = append(b.tools, t)
		}
	}
	for _, p := range zoo.Pages() {
		if wants(s.pages, p.Name) {
			b.pages = append(b.pages, p)
		}
	}
	if len(b.tools) == 0 || len(b.pages) == 0 {
		return nil, errors.New("-tools or -pages names nothing that is there")
	}
	b.report, err = newReport(s, b.tools)
	return b, err
}

// fill measures everything.
func (b *bench) fill(ctx context.Context) error {
	b.report.begin()
	if b.settings.runs > 0 {
		if err := b.measureZoo(ctx); err != nil {
			return err
		}
	}
	if b.settings.speedRounds > 0 {
		if err := b.measureSpeed(ctx); err != nil {
			return err
		}
	}
	if b.settings.gateRounds > 0 {
		if err := b.measureGate(ctx); err != nil {
			return err
		}
	}
	return nil
}
