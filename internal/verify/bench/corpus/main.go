// Command corpus measures how many entries a single edit of a page makes, on public templates that others wrote. It fetches them with
// npm, changes one thing of a page at a time while it serves it, and counts what is said of it. Nothing of the templates is stored.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"afterimage/capture"
	"afterimage/internal/verify"
	"afterimage/internal/verify/bench/causes"
)

// templates are packages of npm with pages in them, in exact versions.
var templates = []string{
	"admin-lte@4.0.0-rc4", "@themesberg/volt-bootstrap-5-dashboard@1.4.1", "soft-ui-dashboard@1.0.1", "soft-ui-design-system@1.0.4",
	"material-kit@2.0.4", "gentelella-rtl@1.4.0", "html5-boilerplate@9.0.1",
}

func main() {
	pages := flag.Int("pages", 3, "pages of each template")
	keep := flag.String("dir", "", "folder into which the templates are unpacked; a temporary one if empty")
	device := flag.String("device", "desktop", "desktop or mobile")
	verbose := flag.Bool("v", false, "print what is said of each edit with more than one entry")
	flag.Parse()
	if err := run(context.Background(), *keep, *pages, capture.Device(*device), *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, pages int, device capture.Device, verbose bool) error {
	if dir == "" {
		made, err := os.MkdirTemp("", "corpus")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(made) }()
		dir = made
	}
	var all []string
	for _, name := range templates {
		found, err := fetch(ctx, dir, name, pages)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", name, err)
			continue
		}
		all = append(all, found...)
	}
	files := http.FileServer(http.Dir(dir))
	studio, err := causes.Open(ctx, 2, edited(dir, files, false), edited(dir, files, true))
	if err != nil {
		return err
	}
	t := newTotals()
	for _, page := range all {
		for i := range edits {
			path := page + "?edit=" + url.QueryEscape(edits[i].name)
			j, err := studio.Judge(ctx, path, device)
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
				continue
			}
			t.add(edits[i].name, path, j, verbose)
		}
	}
	t.print()
	return studio.Close()
}

// totals counts the entries of edits, by kind.
type totals struct {
	entries map[string][]int
	silent  []string
	guesses int
}

func newTotals() *totals { return &totals{entries: make(map[string][]int)} }

// add counts one edit. An edit that no pixel shows is none.
func (t *totals) add(kind, path string, j *causes.Judged, verbose bool) {
	if j.Changed == 0 {
		return
	}
	found := j.Entries()
	t.entries[kind] = append(t.entries[kind], len(found))
	for _, f := range found {
		switch f.Change {
		case verify.Moved, verify.Resized, verify.Shifted, verify.Repainted, verify.Unexplained, verify.Blanked:
			t.guesses++
		}
	}
	if len(found) == 0 {
		t.silent = append(t.silent, path)
	}
	if verbose && len(found) != 1 {
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
