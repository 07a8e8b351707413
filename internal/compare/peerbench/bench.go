package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"afterimage/internal/compare/peerbench/shopsite"
)

// sites are the servers of a run.
type sites struct {
	production, twin *httptest.Server // alike
	preview          *httptest.Server
	quiet            *httptest.Server // a preview without what all its pages show
}

func serve() sites {
	open := func(s *shopsite.Shop) *httptest.Server { return httptest.NewServer(s) }
	return sites{
		production: open(&shopsite.Shop{}), twin: open(&shopsite.Shop{}),
		preview: open(&shopsite.Shop{Preview: true}), quiet: open(&shopsite.Shop{Preview: true, Quiet: true}),
	}
}

// bench is a run of the comparison.
type bench struct {
	settings settings
	sites    sites
	tools    []tool
	keeper   []string // the command that counts the processor time of another
}

func (b *bench) close() {
	for _, s := range []*httptest.Server{b.sites.production, b.sites.twin, b.sites.preview, b.sites.quiet} {
		s.Close()
	}
}

// measure goes through all tools round by round, each time beginning with another, so that what else the machine does falls on all
// alike.
func (b *bench) measure(ctx context.Context) (*report, error) {
	r := newReport(b.settings, b.tools)
	for round := range b.settings.rounds {
		for k := range b.tools {
			i := (k + round) % len(b.tools)
			if err := b.compareSites(ctx, b.tools[i], &r.Tools[i]); err != nil {
				return r, err
			}
		}
	}
	folders := make([]string, len(b.tools))
	defer func() {
		for _, folder := range folders {
			_ = os.RemoveAll(folder) // in the folder for temporary files
		}
	}()
	unchanged := b.task(b.sites.production.URL, b.sites.twin.URL)
	for i, t := range b.tools {
		var err error
		if folders[i], err = newFolder(unchanged); err != nil {
			return r, err
		}
		if _, err := b.do(ctx, t, reference, folders[i], unchanged); err != nil {
			return r, err
		}
	}
	for rerun := range b.settings.reruns {
		for k := range b.tools {
			i := (k + rerun) % len(b.tools)
			o, err := b.do(ctx, b.tools[i], test, folders[i], unchanged)
			if err != nil {
				return r, err
			}
			r.Tools[i].Unchanged = append(r.Tools[i].Unchanged, o)
		}
	}
	return r, nil
}

// compareSites compares production with both previews.
func (b *bench) compareSites(ctx context.Context, t tool, into *results) error {
	for _, c := range []struct {
		after    string
		outcomes *[]outcome
	}{{b.sites.preview.URL, &into.Preview}, {b.sites.quiet.URL, &into.Quiet}} {
		o, err := b.compareOnce(ctx, t, b.task(b.sites.production.URL, c.after))
		if err != nil {
			return err
		}
		*c.outcomes = append(*c.outcomes, o)
	}
	return nil
}

// compareOnce compares both sites of a task from nothing.
func (b *bench) compareOnce(ctx context.Context, t tool, of task) (o outcome, err error) {
	folder, err := newFolder(of)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if t.Ours {
		return b.do(ctx, t, both, folder, of)
	}
	first, err := b.do(ctx, t, reference, folder, of)
	if err != nil {
		return o, err
	}
	o, err = b.do(ctx, t, test, folder, of)
	o.Seconds += first.Seconds
	o.CPUSeconds += first.CPUSeconds
	return o, err
}

// do runs one phase of a tool to its end.
func (b *bench) do(ctx context.Context, t tool, p phase, folder string, of task) (o outcome, err error) {
	argv := slices.Concat(b.keeper, t.argv(p, folder, of))
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGTERM) }
	var told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &told, &told
	begun := time.Now()
	failure := cmd.Run() // most tools exit with 1 if anything differs
	if err := ctx.Err(); err != nil {
		return o, err
	}
	o.Seconds = time.Since(begun).Seconds()
	if cmd.ProcessState != nil {
		o.CPUSeconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	if p != reference {
		o.Red, err = t.red(folder)
		if t.Ours && err == nil {
			o.Changes, err = ownChanges(folder)
		}
	} else {
		err = failure
	}
	if err != nil {
		return o, fmt.Errorf("%s, %s: %w\n%s", t.Name, p, err, told.Bytes()[max(0, told.Len()-4000):])
	}
	fmt.Fprintf(os.Stderr, "%-11s %-10s %6.1f s %6.1f CPU-s %4d red\n", t.Name, p, o.Seconds, o.CPUSeconds, len(o.Red))
	return o, nil
}

func (b *bench) task(before, after string) task {
	t := task{Before: before, After: after, Devices: devices, Concurrency: b.settings.concurrency, Browser: b.settings.browser}
	for n := range min(b.settings.pages, shopsite.Pages) {
		t.Paths = append(t.Paths, fmt.Sprintf("/p/%d", n))
	}
	return t
}

// newFolder is a folder with what the tools read.
func newFolder(t task) (string, error) {
	folder, err := os.MkdirTemp("", "comparebench-")
	if err != nil {
		return "", err
	}
	return folder, prepare(folder, t)
}

// ownChanges are the changes that our report asks somebody to look at.
func ownChanges(folder string) ([]ownChange, error) {
	r, err := readOwn(folder)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(r.Changes, func(c ownChange) bool { return c.Host != "" || c.Verdict == "harmless" }), nil
}

// names reports whether a change is a planted difference, found where it was planted.
func (c *ownChange) names(d shopsite.Damage) bool {
	var paths []string
	for _, p := range c.Places {
		paths = append(paths, p.Path)
	}
	return d.NamedBy(c.Kind, c.Description, paths)
}
