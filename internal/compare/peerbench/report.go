package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"afterimage/internal/compare/peerbench/shopsite"
)

// outcome is one comparison by one tool.
type outcome struct {
	Seconds    float64     `json:"seconds"`
	CPUSeconds float64     `json:"cpu_seconds"`
	Red        []place     `json:"red"`
	Changes    []ownChange `json:"changes,omitempty"` // ours alone: what somebody is asked to look at
}

// results are all comparisons by one tool.
type results struct {
	tool

	Preview   []outcome `json:"preview"`
	Quiet     []outcome `json:"quiet"`
	Unchanged []outcome `json:"unchanged"`
}

// report is everything that was measured.
type report struct {
	Begun   time.Time `json:"begun"`
	Pages   int       `json:"pages"`
	Load    string    `json:"load"` // of the machine before it began
	Tools   []results `json:"tools"`
	version string
}

func newReport(s settings, tools []tool) *report {
	load, _ := os.ReadFile("/proc/loadavg") // "" where there is none
	r := &report{Begun: time.Now().UTC(), Pages: min(s.pages, shopsite.Pages), Load: strings.Join(strings.Fields(string(load))[:3], " ")}
	r.version = runtime.Version()
	for _, t := range tools {
		r.Tools = append(r.Tools, results{tool: t})
	}
	return r
}

func (r *report) write(s settings) error {
	if r == nil {
		return nil
	}
	r.markdown(os.Stdout)
	var errs []error
	if s.markdown != "" {
		var b strings.Builder
		r.markdown(&b)
		errs = append(errs, os.WriteFile(s.markdown, []byte(b.String()), 0o600))
	}
	if s.json != "" {
		text, err := json.MarshalIndent(r, "", "  ")
		errs = append(errs, err, os.WriteFile(s.json, text, 0o600))
	}
	return errors.Join(errs...)
}

func (r *report) markdown(w io.Writer) {
	fmt.Fprintf(w, "# Comparison benchmark\n\n%d processors, %s. Measured on %s; load average %s at the start.\n\n",
		runtime.NumCPU(), r.version, r.Begun.Format("2006-01-02 15:04 MST"), r.Load)
	fmt.Fprintf(w, "%d pages of a small shop, each on desktop and mobile: %d pictures per side. Seconds are medians; "+
		"in brackets the median of the\nratios to ours in the same round.\n\n", r.Pages, r.Pages*len(devices))
	r.quietTable(w)
	r.previewTable(w)
	r.unchangedTable(w)
	fmt.Fprint(w, "## How each tool is set\n\n")
	for _, t := range r.Tools {
		fmt.Fprintf(w, "- %s: %s\n", t.Name, t.About)
	}
}

// quietTable tells the alarms by page.
func (r *report) quietTable(w io.Writer) {
	damaged := r.damaged()
	harmless := 0
	for n := range shopsite.Habits {
		if n < r.Pages {
			harmless++
		}
	}
	fmt.Fprintf(w, "## A preview with %d damaged pages\n\n%d other pages differ in harmless ways, %d are identical. "+
		"A picture is a page on a device. Each tool\ncaptures both sides; the worst round counts.\n\n",
		len(damaged), harmless, r.Pages-len(damaged)-harmless)
	fmt.Fprint(w, "| Tool | Damaged pictures found | Other pictures red | Seconds | CPU-s |\n|---|---:|---:|---:|---:|\n")
	for i := range r.Tools {
		t := &r.Tools[i]
		found, wrong := len(damaged)*len(devices), 0
		for _, o := range t.Quiet {
			right := 0
			for _, p := range o.Red {
				if slices.Contains(damaged, p.Path) {
					right++
				}
			}
			found, wrong = min(found, right), max(wrong, len(o.Red)-right)
		}
		fmt.Fprintf(w, "| %s | %d of %d | %d of %d | %s | %s |\n", t.title(), found, len(damaged)*len(devices),
			wrong, (r.Pages-len(damaged))*len(devices), r.times(t, quiet, seconds), r.times(t, quiet, cpuSeconds))
	}
	fmt.Fprintln(w)
}

// previewTable tells what somebody has to look at where all pages differ.
func (r *report) previewTable(w io.Writer) {
	fmt.Fprint(w, "## A preview with a ribbon and a new phone number on all pages\n\nThe same preview; besides, all its pages "+
		"have a ribbon that names it, and a new phone number, which\nis the twelfth planted difference.\n\n")
	fmt.Fprint(w, "| Tool | To review | Planted differences named | Seconds | CPU-s |\n|---|---:|---:|---:|---:|\n")
	for i := range r.Tools {
		t := &r.Tools[i]
		look, named := 0, len(shopsite.Damages)
		for _, o := range t.Preview {
			if !t.Ours {
				look, named = max(look, len(o.Red)), 0
				continue
			}
			look, named = max(look, len(o.Changes)), min(named, o.named())
		}
		what, names := fmt.Sprintf("%d pictures", look), "none"
		if t.Ours {
			what, names = fmt.Sprintf("%d changes", look), fmt.Sprintf("%d of %d", named, len(shopsite.Damages))
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", t.title(), what, names,
			r.times(t, preview, seconds), r.times(t, preview, cpuSeconds))
	}
	fmt.Fprintln(w)
}

// unchangedTable tells how often a tool cries wolf.
func (r *report) unchangedTable(w io.Writer) {
	fickle := 0
	for n, habit := range shopsite.Habits {
		if habit.Fickle && n < r.Pages {
			fickle++
		}
	}
	fmt.Fprintf(w, "## No change\n\nProduction is captured once. Then an unchanged copy is compared with what is stored, again and again. "+
		"%d of the pages are served\ndifferently at each visit (a count of views, an advertisement, …); "+
		"the others move by scripts only, or not at all.\n\n", fickle)
	fmt.Fprint(w, "| Tool | Runs red | Red pictures in the worst run | of these served identically | Seconds | CPU-s |\n"+
		"|---|---:|---:|---:|---:|---:|\n")
	for i := range r.Tools {
		t := &r.Tools[i]
		runs, worst, steady := 0, 0, 0
		for _, o := range t.Unchanged {
			if len(o.Red) > 0 {
				runs++
			}
			worst, steady = max(worst, len(o.Red)), max(steady, len(o.Red)-o.onFickle())
		}
		fmt.Fprintf(w, "| %s | %d of %d | %d | %d | %s | %s |\n", t.title(), runs, len(t.Unchanged), worst, steady,
			r.times(t, unchanged, seconds), r.times(t, unchanged, cpuSeconds))
	}
	fmt.Fprintln(w)
}

// damaged are the paths of the pages with a planted difference of their own.
func (r *report) damaged() []string {
	var paths []string
	for _, d := range shopsite.Damages {
		for _, n := range d.Pages {
			if n < r.Pages {
				paths = append(paths, fmt.Sprintf("/p/%d", n))
			}
		}
	}
	return paths
}

// named counts the planted differences that a change names.
func (o *outcome) named() int {
	n := 0
	for _, d := range shopsite.Damages {
		if slices.ContainsFunc(o.Changes, func(c ownChange) bool { return c.names(d) }) {
			n++
		}
	}
	return n
}

// onFickle counts red pictures of pages that the server serves differently at each visit.
func (o *outcome) onFickle() int {
	n := 0
	for _, p := range o.Red {
		var page int
		if _, err := fmt.Sscanf(p.Path, "/p/%d", &page); err == nil && shopsite.Habits[page].Fickle {
			n++
		}
	}
	return n
}

func (t *results) title() string {
	if t.Ours {
		return "**" + t.Name + "**"
	}
	return t.Name
}

func preview(t *results) []outcome   { return t.Preview }
func quiet(t *results) []outcome     { return t.Quiet }
func unchanged(t *results) []outcome { return t.Unchanged }

func seconds(o outcome) float64    { return o.Seconds }
func cpuSeconds(o outcome) float64 { return o.CPUSeconds }

// times is the median of a figure over the rounds, with its ratio to ours.
func (r *report) times(t *results, of func(*results) []outcome, figure func(outcome) float64) string {
	var values, ratios []float64
	own := of(&r.Tools[0])
	for i, o := range of(t) {
		values = append(values, figure(o))
		if i < len(own) {
			ratios = append(ratios, figure(o)/figure(own[i]))
		}
	}
	text := fmt.Sprintf("%.1f", median(values))
	if !t.Ours && r.Tools[0].Ours && len(ratios) > 0 {
		text += fmt.Sprintf(" (%.2f ×)", median(ratios))
	}
	return text
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
