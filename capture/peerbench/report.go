package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"afterimage/capture/zoo"
	"afterimage/internal/page"
)

// report is everything that one run measured.
type report struct {
	Machine  string            `json:"machine"`
	Begun    time.Time         `json:"begun"`
	Load     []string          `json:"load_average"` // at the beginning and at the end, over 1, 5 and 15 minutes
	Browser  string            `json:"browser"`
	Versions map[string]string `json:"versions"`
	Zoo      []zooResult       `json:"zoo"`
	Speed    []speedResult     `json:"speed"`
	Gate     []speedResult     `json:"gate"`
	Stages   []stageResult     `json:"stages"`

	tools    []tool
	settings settings
}

// zooResult is how one tool did on the zoo.
type zooResult struct {
	Tool    string       `json:"tool"`
	Samples []sample     `json:"samples"`
	Pages   []pageResult `json:"pages"`
}

// pageResult is what one tool made of one page.
type pageResult struct {
	Page     string   `json:"page"`
	Shows    string   `json:"shows"`
	Kind     zoo.Kind `json:"kind"`
	Pictures int      `json:"pictures"`
	Verdict  string   `json:"verdict,omitempty"` // what is wrong
	Short    string   `json:"short"`             // the same in a word
}

// speedResult is what one tool did with so many pictures at a time.
type speedResult struct {
	Tool        string   `json:"tool"`
	Concurrency int      `json:"concurrency"`
	Samples     []sample `json:"samples"`
}

// stageResult is how long the stages of our captures took.
type stageResult struct {
	Concurrency int              `json:"concurrency"`
	Stages      []page.StageTime `json:"stages"` // medians, in order
}

func newReport(s settings, tools []tool) (*report, error) {
	r := &report{Machine: machine(), Browser: s.browser, tools: tools, settings: s}
	data, err := os.ReadFile(filepath.Join(s.peers, "package.json"))
	if err != nil {
		return nil, err
	}
	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, fmt.Errorf("read package.json: %w", err)
	}
	r.Versions = manifest.Dependencies
	return r, nil
}

// machine describes what the figures hold for.
func machine() string {
	model := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%d cores of %s, %s", runtime.NumCPU(), model, runtime.Version())
}

func (r *report) begin() {
	r.Begun = time.Now().UTC().Truncate(time.Second)
	r.Load = append(r.Load, loadAverage())
}

func (r *report) end() { r.Load = append(r.Load, loadAverage()) }

func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}

func (r *report) addZoo(t tool, samples []sample, tallies map[string]*zoo.Tally, pages []zoo.Page) {
	result := zooResult{Tool: t.Name, Samples: samples}
	for _, p := range pages {
		tally := tallies[p.Name]
		result.Pages = append(result.Pages, pageResult{
			Page: p.Name, Shows: p.Shows, Kind: p.Kind, Pictures: tally.Pictures, Verdict: tally.Verdict(), Short: inAWord(tally),
		})
	}
	r.Zoo = append(r.Zoo, result)
}

// inAWord is a verdict for a table.
func inAWord(t *zoo.Tally) string {
	var words []string
	if len(t.Failures) > 0 {
		words = append(words, "fails")
	}
	if len(t.Faults) > 0 {
		words = append(words, "incomplete")
	}
	if t.Page.Kind == zoo.Steady && t.Distinct > 1 || t.Page.Kind == zoo.Restless && t.Uncovered > 0 {
		words = append(words, "differs")
	}
	if len(words) == 0 {
		return "✓"
	}
	return strings.Join(words, ", ")
}

func (r *report) addSpeed(t tool, concurrency int, samples []sample) {
	r.Speed = append(r.Speed, speedResult{t.Name, concurrency, samples})
}

func (r *report) addGate(t tool, concurrency int, samples []sample) {
	r.Gate = append(r.Gate, speedResult{t.Name, concurrency, samples})
}

// addStages reduces the stages of our captures of the page that is ready at once.
func (r *report) addStages(concurrency int, captures [][]page.StageTime) {
	var order []string
	times := make(map[string][]float64)
	for _, stages := range captures {
		for _, s := range stages {
			if times[s.Stage] == nil {
				order = append(order, s.Stage)
			}
			times[s.Stage] = append(times[s.Stage], s.Milliseconds)
		}
	}
	result := stageResult{Concurrency: concurrency}
	for _, name := range order {
		result.Stages = append(result.Stages, page.StageTime{Stage: name, Milliseconds: median(times[name])})
	}
	r.Stages = append(r.Stages, result)
}

// write writes the tables to standard output and the files asked for.
func (r *report) write(s settings) error {
	if err := r.writeMarkdown(os.Stdout); err != nil {
		return err
	}
	if s.json != "" {
		data, err := json.MarshalIndent(r, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(s.json, append(data, '\n'), 0o644); err != nil { //nolint:gosec // a report for everybody
			return err
		}
	}
	if s.markdown == "" {
		return nil
	}
	file, err := os.Create(s.markdown)
	if err != nil {
		return err
	}
	return errors.Join(r.writeMarkdown(file), file.Close())
}

// writeMarkdown writes the tables.
func (r *report) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Capture benchmark\n\n%s. Measured on %s; load average %s at the start, %s at the end.\nBrowser of all tools: "+
		"`%s`.\n",
		r.Machine, r.Begun.Format("2006-01-02 15:04 UTC"), r.Load[0], r.Load[len(r.Load)-1], filepath.Base(r.Browser))
	r.zooTable(&b)
	r.speedTables(&b)
	r.gateTables(&b)
	r.pageTable(&b)
	fmt.Fprintf(&b, "\n## Settings\n\n")
	for _, t := range r.tools {
		fmt.Fprintf(&b, "- %s: %s\n", t.Name, t.About)
	}
	fmt.Fprintf(&b, "\nVersions:")
	for _, name := range slices.Sorted(maps.Keys(r.Versions)) {
		fmt.Fprintf(&b, " %s %s;", name, r.Versions[name])
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}
