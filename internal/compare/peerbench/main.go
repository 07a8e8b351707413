// Command comparebench holds `afterimage compare` against other tools that compare a preview with production, in one run on the
// same pages: how many planted differences each finds, how often it raises a false alarm, how long it takes and with how much
// processor time. README.md tells how to run it.
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

	"afterimage/internal/processtree"
	"afterimage/internal/toolpath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "comparebench:", err)
		os.Exit(1) //nolint:gocritic // the process ends anyway
	}
}

// settings are the flags.
type settings struct {
	afterimage, peers, browser string
	markdown, json, tools      string
	pages, rounds, reruns      int
	concurrency                int
	keeper                     bool
}

func parseFlags() settings {
	var s settings
	flag.StringVar(&s.afterimage, "afterimage", "bin/afterimage", "our program")
	flag.StringVar(&s.peers, "peers", ".", "folder with package.json and node_modules")
	flag.StringVar(&s.browser, "browser", "", "the browser that all tools use; the best on this machine if empty")
	flag.StringVar(&s.markdown, "markdown", "", "also write the tables to this file")
	flag.StringVar(&s.json, "json", "", "write everything to this file as JSON")
	flag.StringVar(&s.tools, "tools", "", "only tools with these names, by commas")
	flag.IntVar(&s.pages, "pages", 60, "how many pages of the shop are compared, each on two devices")
	flag.IntVar(&s.rounds, "rounds", 3, "how often each tool compares the preview with production")
	flag.IntVar(&s.reruns, "reruns", 10, "how often each tool compares production with an unchanged copy")
	flag.IntVar(&s.concurrency, "concurrency", 2, "pages that a tool captures at the same time")
	flag.BoolVar(&s.keeper, "keeper", false, "be the keeper of a command")
	flag.Parse()
	return s
}

func run(ctx context.Context) error {
	s := parseFlags()
	if s.keeper {
		return processtree.Keep(flag.Args())
	}
	b, err := newBench(s)
	if err != nil {
		return err
	}
	defer b.close()
	r, err := b.measure(ctx)
	return errors.Join(err, r.write(s)) // what was measured before an error is told, too
}

// newBench serves the sites and finds the tools.
func newBench(s settings) (*bench, error) {
	if s.browser == "" {
		var err error
		if s.browser, err = toolpath.Browser(); err != nil {
			return nil, err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if s.peers, err = filepath.Abs(s.peers); err != nil {
		return nil, err
	}
	b := &bench{settings: s, sites: serve(), keeper: []string{self, "-keeper", "--"}}
	for _, t := range contenders(s) {
		if s.tools == "" || slices.Contains(strings.Split(s.tools, ","), t.Name) {
			b.tools = append(b.tools, t)
		}
	}
	if len(b.tools) == 0 {
		b.close()
		return nil, errors.New("-tools names none that is there")
	}
	return b, nil
}
