package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"afterimage/capture"
	"afterimage/internal/verify/bench/causes"
)

// showcasePath is the page that shows a design system.
const showcasePath = "showcase.html"

// comparison is a page of two versions of a package.
type comparison struct {
	release *release
	path    string
}

// judgeUpdates compares versions of packages, and counts in what their pages differ by DevTools, and what is said of that.
func (o *options) judgeUpdates(ctx context.Context) error {
	var all []comparison
	for i := range releases {
		r := &releases[i]
		if o.kind != "" && !strings.HasPrefix(r.name+"@"+r.to, o.kind) {
			continue
		}
		if err := o.fetchBoth(ctx, r); err != nil {
			fmt.Fprintf(os.Stderr, "%s %s is left out: %v\n", r.name, r.to, err)
			continue
		}
		pages := r.pages
		if r.sheet != "" {
			pages = []string{showcasePath}
		}
		for _, page := range pages {
			all = append(all, comparison{r, "/" + r.folder() + "/" + page})
		}
	}
	studio, err := causes.Open(ctx, 2, o.version(false), o.version(true))
	if err != nil {
		return err
	}
	until := time.Now().Add(o.most)
	for _, c := range all {
		for _, device := range o.devices {
			if time.Now().After(until) {
				break
			}
			if err := o.judgeUpdate(ctx, studio, c, device); err != nil {
				fmt.Fprintf(os.Stderr, "%s %s: %v\n", c.release.name, c.path, err)
			}
		}
	}
	return studio.Close()
}

func (r *release) folder() string {
	return strings.NewReplacer("@", "", "/", "-").Replace(r.name) + "-" + r.to
}

func (o *options) home(r *release, later bool) string {
	version := r.from
	if later {
		version = r.to
	}
	return filepath.Join(o.dir, strings.NewReplacer("@", "", "/", "-").Replace(r.name+"-"+version))
}

func (o *options) fetchBoth(ctx context.Context, r *release) error {
	for _, later := range []bool{false, true} {
		home, version := o.home(r, later), r.from
		if later {
			version = r.to
		}
		if _, err := os.Stat(home); err == nil {
			continue
		}
		if err := download(ctx, o.dir, r.name+"@"+version, home); err != nil {
			return err
		}
	}
	return nil
}

// version serves all packages in their earlier or later version, below folders that do not name the version.
func (o *options) version(later bool) http.Handler {
	mux := http.NewServeMux()
	for i := range releases {
		r := &releases[i]
		prefix := "/" + r.folder() + "/"
		mux.Handle(prefix, http.StripPrefix(prefix, http.FileServer(http.Dir(o.home(r, later)))))
		mux.HandleFunc(prefix+showcasePath, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(showcase(r.sheet, r.classes)))
		})
	}
	return mux
}

func (o *options) judgeUpdate(ctx context.Context, studio *causes.Studio, c comparison, device capture.Device) error {
	j, err := studio.Judge(ctx, c.path, device)
	if err != nil {
		return err
	}
	was, is := studio.Addresses()
	pair, done, err := o.checker.pair(ctx, was+c.path, is+c.path, device)
	if err != nil {
		return err
	}
	facts := pair.Facts()
	r := c.release
	fmt.Printf("| %s | %s → %s | %s | %s | %d | %d | %d |\n", r.name, r.from, r.to, filepath.Base(c.path), device, j.Changed, len(facts),
		len(j.Entries()))
	if o.verbose {
		for _, f := range facts {
			fmt.Printf("    %d × %s\n", f.Elements, f.Says)
		}
		fmt.Printf("  %s\n", j.Told())
	}
	o.checker.entries(ctx, pair, j, c.release.name+" "+c.path+" on "+string(device))
	return errors.Join(done())
}
