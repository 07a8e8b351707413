package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"afterimage/capture"
	"afterimage/internal/verify"
	"afterimage/internal/verify/bench/causes"
)

// signs are by what an entry about an edit is recognised, in small letters. Edits without one take something away, put it elsewhere or show
// another picture.
var signs = map[string]string{
	"word": "newly", "paragraph": "there is more to say", "heading": "quite another heading", "button": "do it now",
	"menu": "one more of them", "strip": "office is closed", "link colour": "#b0006d", "heading font": "serif", "root size": "text",
	"button padding": "padding", "corners": "radius", "shadow": "shadow", "background": "#f3e6c9", "letter spacing": "letter spacing",
	"line height": "line height", "faded pictures": "opacity", "card border": "border", "gradient": "gradient",
	"heading weight": "weight", "text case": "capitals", "underlined": "decoration", "card more": "one more of them", "cell": "1,234.50",
	"placeholder": "write here, please", "field border": "border", "colour variable": "#a8480f",
}

// combination is a page with several edits.
type combination struct {
	page    string
	edits   []string
	removed map[string]string // by edit: the text that it took away
}

// Numbers of edits of a page.
const (
	leastEdits = 2
	mostEdits  = 6
)

// combine draws edits of a page, each of which is still there after the others: first one of some kinds, if there are any.
func combine(dir, page string, with []string, rnd *rand.Rand) (*combination, error) {
	wanted := leastEdits + rnd.IntN(mostEdits-leastEdits+1)
	c := &combination{page: page, removed: make(map[string]string)}
	var names []string
	for _, i := range rnd.Perm(len(with)) {
		names = append(names, with[i])
	}
	first := len(names)
	for _, i := range rnd.Perm(len(edits)) {
		names = append(names, edits[i].name)
	}
	for i, name := range names {
		if len(c.edits) == wanted {
			break
		}
		if i < first && len(c.edits) > 0 || slices.Contains(c.edits, name) {
			continue
		}
		d, err := open(dir, page)
		if err != nil {
			return nil, err
		}
		tried := append(slices.Clone(c.edits), name)
		if d.makes(tried) {
			c.edits, c.removed[name] = tried, d.removed
		}
	}
	return c, nil
}

// makes reports whether all edits can be made and none takes away what another one changed.
func (d *document) makes(names []string) bool {
	for _, name := range names {
		if !d.do(name) {
			return false
		}
	}
	return d.whole()
}

func (c *combination) path() string { return c.page + "?" + url.Values{"edit": c.edits}.Encode() }

// isOf reports whether an entry is about an edit.
func (c *combination) isOf(f *verify.Finding, name string) bool {
	says := strings.ToLower(strings.Join([]string{f.Description, f.Before, f.After}, "\n"))
	switch name {
	case "card less", "section less", "entry less", "menu less":
		return f.Change == verify.Vanished && (c.removed[name] == "" || alike(c.removed[name], f.Before))
	case "sections swapped":
		return f.Change == verify.Reordered
	case "picture", "missing picture":
		return f.Change == verify.ImageReplaced
	case "narrower":
		return f.Change == verify.Resized || strings.Contains(says, "largest width")
	}
	return strings.Contains(says, signs[name])
}

// alike reports whether most words of a part are in a text, whatever their capitals: another edit may have changed some, and not all of a
// text can be seen.
func alike(whole, part string) bool {
	known := make(map[string]bool)
	for word := range strings.FieldsSeq(strings.ToLower(whole)) {
		known[word] = true
	}
	words, found := strings.Fields(strings.ToLower(part)), 0
	for _, word := range words {
		if known[word] {
			found++
		}
	}
	return 2*found > len(words)
}

// sums are what was counted of pages with several edits.
type sums struct {
	pages, edits, entries, guesses int
	last                           int // number of the page that is judged
	silent, beside                 []string
	perEdit                        []float64
}

// judgeSeveral measures pages with several edits.
func (o *options) judgeSeveral(ctx context.Context, studio *causes.Studio, pages []string) error {
	rnd, until := rand.New(rand.NewPCG(o.seed, 36)), time.Now().Add(o.most) //nolint:gosec // the same pages each time
	var t sums
	for n := 0; n < o.several && time.Now().Before(until); n++ {
		c, err := combine(o.dir, pages[n%len(pages)], o.with, rnd)
		if err != nil {
			return err
		}
		device := o.devices[n/len(pages)%len(o.devices)]
		if n < o.skip || len(c.edits) < leastEdits {
			continue
		}
		if t.last = n; o.keep != "" {
			studio.Keep = keepIn(filepath.Join(o.keep, fmt.Sprintf("run %03d", n), string(device)))
		}
		if err := t.judge(ctx, studio, c, device, o); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", c.path(), err)
		}
	}
	t.print()
	return nil
}

// judge counts the entries of a page with several edits. An edit without an entry that no pixel shows by itself is none.
func (t *sums) judge(ctx context.Context, studio *causes.Studio, c *combination, device capture.Device, o *options) error {
	first := c.page + "?edit=none"
	j, err := studio.JudgeEdit(ctx, first, c.path(), device)
	if err != nil {
		return err
	}
	studio.Keep = nil
	entries, told := j.Entries(), make(map[string]bool)
	where := c.path() + " on " + string(device)
	for _, f := range entries {
		of := false
		for _, name := range c.edits {
			if c.isOf(f, name) {
				of, told[name] = true, true
			}
		}
		if isGuess(f) {
			t.guesses++
		}
		if !of {
			t.beside = append(t.beside, where+"\n    "+string(f.Change)+": "+f.Description)
		}
	}
	made := 0
	var failed error
	for _, name := range c.edits {
		if !told[name] {
			alone, err := studio.JudgeEdit(ctx, first, c.page+"?"+url.Values{"edit": {name}}.Encode(), device)
			switch failed = errors.Join(failed, err); {
			case err != nil, alone.Changed == 0:
				continue
			}
			t.silent = append(t.silent, where+": "+name)
		}
		made++
	}
	t.pages, t.edits, t.entries = t.pages+1, t.edits+made, t.entries+len(entries)
	t.perEdit = append(t.perEdit, float64(len(entries))/float64(max(1, made)))
	if o.verbose {
		fmt.Printf("%s: %d entries for %d edits\n  %s\n", where, len(entries), made, j.Told())
	}
	if o.keep != "" {
		failed = errors.Join(failed, noteEdits(filepath.Join(o.keep, fmt.Sprintf("run %03d", t.last)), made))
	}
	return errors.Join(failed, o.check(ctx, studio, j, first, c.path(), device))
}

func (t *sums) print() {
	if t.pages == 0 {
		return
	}
	slices.Sort(t.perEdit)
	fmt.Printf("%d pages with %d edits: %d entries, %.2f for each edit, up to %.2f on 90 %% of the pages, %.2f at most; "+
		"%d consequences or guesses\n", t.pages, t.edits, t.entries, float64(t.entries)/float64(max(1, t.edits)),
		t.perEdit[len(t.perEdit)*9/10], t.perEdit[len(t.perEdit)-1], t.guesses)
	fmt.Printf("%d edits without an entry\n", len(t.silent))
	for _, path := range t.silent {
		fmt.Println("  " + path)
	}
	fmt.Printf("%d entries about none of the edits\n", len(t.beside))
	for _, path := range t.beside {
		fmt.Println("  " + path)
	}
}
