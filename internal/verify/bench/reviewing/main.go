// Command reviewing counts what a reviewer has to do until all changes of a run are decided, with the rules of its own version: the cards
// of the run and the keys to press. It reads the runs that "corpus -runs" captured, so that versions can be compared on the same captures.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"afterimage/imgdiff"
	"afterimage/internal/findings"
	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/vcd"
)

func main() {
	verbose := flag.Bool("v", false, "print what is said of each page")
	flag.Parse()
	folder := "runs"
	if flag.NArg() > 0 {
		folder = flag.Arg(0)
	}
	if err := review(context.Background(), folder, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "reviewing:", err)
		os.Exit(1)
	}
}

// work is what a reviewer does in a run.
type work struct {
	views, entries int
	cards          map[string]bool
	open           int // comparisons that are not done when all cards are approved
	seconds        float64
	verbose        bool
}

// keys are those to press, with the keys of the dashboard: a for each card, which shows the next one, v to go to the pages and a for each
// that is still open.
func (w *work) keys() int {
	keys := len(w.cards) + w.open
	if w.open > 0 {
		keys++
	}
	return keys
}

func review(ctx context.Context, folder string, verbose bool) error {
	runs, err := filepath.Glob(filepath.Join(folder, "run *"))
	if err != nil {
		return err
	}
	var cards, keys []int
	for _, run := range runs {
		w, err := reviewRun(ctx, run, verbose)
		if err != nil {
			return err
		}
		edits, err := fs.ReadFile(os.DirFS(run), "edits")
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %s | %d | %d | %d | %d | %.1f |\n", strings.TrimPrefix(filepath.Base(run), "run "), edits, w.views, w.entries,
			len(w.cards), w.keys(), w.seconds)
		cards, keys = append(cards, len(w.cards)), append(keys, w.keys())
	}
	fmt.Printf("%d cards and %d keys in %d runs; in the middle %d and %d, at most %d and %d\n", sum(cards), sum(keys), len(runs),
		middle(cards), middle(keys), slices.Max(cards), slices.Max(keys))
	return nil
}

func sum(list []int) (n int) {
	for _, one := range list {
		n += one
	}
	return n
}

func middle(list []int) int {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

func reviewRun(ctx context.Context, run string, verbose bool) (*work, error) {
	w := &work{cards: make(map[string]bool), verbose: verbose}
	views, err := filepath.Glob(filepath.Join(run, "*", "before.png"))
	if err != nil {
		return nil, err
	}
	for _, first := range views {
		if err := w.compare(ctx, filepath.Dir(first)); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Dir(first), err)
		}
	}
	return w, nil
}

// compare judges two captures of a page as the service does.
func (w *work) compare(ctx context.Context, folder string) error {
	before, was, err := read(folder, "before")
	if err != nil {
		return err
	}
	after, is, err := read(folder, "after")
	if err != nil {
		return err
	}
	began := time.Now()
	options := imgdiff.DefaultOptions()
	options.Keep = true
	options.Ignore = append(page.Rects(was.Manifest.Unstable), page.Rects(is.Manifest.Unstable)...)
	found, err := imgdiff.Compare(ctx, before, after, options)
	if err != nil {
		return err
	}
	defer found.Release()
	pair := &verify.Pair{Before: verify.PageOf(was), After: verify.PageOf(is)}
	pair.Measure(found)
	result, err := verify.Verify(ctx, pair)
	if err != nil {
		return err
	}
	w.seconds += time.Since(began).Seconds()
	w.views++
	w.print(folder, result)
	for _, f := range findings.Of(pair, result) {
		if f.Category != vcd.CategoryAllGood {
			w.entries++
			w.cards[f.Fingerprint] = true
		}
	}
	if !result.Explained && !result.Harmless() {
		w.open++
	}
	return nil
}

// print says what changed of a page.
func (w *work) print(folder string, result *verify.Result) {
	if !w.verbose {
		return
	}
	fmt.Println(folder)
	for i := range result.Findings {
		f := &result.Findings[i]
		fmt.Printf("  %s %s: %s [%s]\n", f.Ruling.Category, f.Change, f.Description, f.Consequences.Words)
	}
}

func read(folder, side string) (picture []byte, visit *page.Visit, err error) {
	files := os.DirFS(folder)
	if picture, err = fs.ReadFile(files, side+".png"); err != nil {
		return nil, nil, err
	}
	text, err := fs.ReadFile(files, side+".json")
	if err != nil {
		return nil, nil, err
	}
	visit = new(page.Visit)
	return picture, visit, json.Unmarshal(text, visit)
}
