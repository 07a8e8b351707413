package main

import (
	"fmt"
	"slices"
	"strings"

	"afterimage/capture/zoo"
	"afterimage/internal/page"
)

// gateStage is the stage of our pipeline that waits until a page is ready.
const gateStage = "settle"

// zooTable writes how many pages each tool takes right, how fast and at what cost.
func (r *report) zooTable(b *strings.Builder) {
	if len(r.Zoo) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Correct pages\n\nScreenshots of %d pages, interleaved, %d at once. A steady page is correct if all its "+
		"screenshots are identical, contain every\nsentinel colour and nothing that should be hidden; a restless page if its screenshots "+
		"differ only where the tool reports it. Rates and\nCPU time cover the %d runs that all tools took part in.\n",
		len(r.Zoo[0].Pages), r.settings.concurrency, r.settings.runs)
	fmt.Fprintf(b, "\n| Tool | Screenshots per page | Steady pages correct | Restless pages correct | Captures/s | CPU-s per capture "+
		"|\n|---|---:|---:|---:|---:|---:|\n")
	for _, z := range r.Zoo {
		steady, ofSteady := z.right(zoo.Steady)
		restless, ofRestless := z.right(zoo.Restless)
		fmt.Fprintf(b, "| %s | %d | %d of %d | %d of %d | %.2f | %.2f |\n", r.bold(z.Tool), z.most(), steady, ofSteady, restless,
			ofRestless, rate(z.Samples), cpuEach(z.Samples))
	}
}

// right counts the pages of a kind that are right, and all of them.
func (z zooResult) right(kind zoo.Kind) (right, all int) {
	for _, p := range z.Pages {
		if p.Kind == kind {
			all++
			if p.Verdict == "" && p.Pictures > 0 {
				right++
			}
		}
	}
	return right, all
}

// most is how many pictures there are of the page with most.
func (z zooResult) most() int {
	n := 0
	for _, p := range z.Pages {
		n = max(n, p.Pictures)
	}
	return n
}

// pageTable writes what each tool made of each page.
func (r *report) pageTable(b *strings.Builder) {
	if len(r.Zoo) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Page by page\n\n“incomplete”: at least one screenshot lacks a sentinel colour or shows something that should be "+
		"hidden. “differs”: screenshots of a steady\npage are not identical, or those of a restless page differ where the tool does not "+
		"report it. The dealt pages change with every load, so\nthere is nothing to judge from one load.\n\n| Page | Shows | Kind |")
	line := "\n|---|---|---|"
	for _, z := range r.Zoo {
		fmt.Fprintf(b, " %s |", r.bold(z.Tool))
		line += "---|"
	}
	b.WriteString(line + "\n")
	for i, p := range r.Zoo[0].Pages {
		fmt.Fprintf(b, "| %s | %s | %s |", p.Page, p.Shows, p.Kind)
		for _, z := range r.Zoo {
			fmt.Fprintf(b, " %s |", z.Pages[i].Short)
		}
		b.WriteString("\n")
	}
}

// speedTables write the throughput and its cost by concurrency.
func (r *report) speedTables(b *strings.Builder) {
	if len(r.Speed) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Throughput\n\nThe pages %s, which wait neither for the network nor for a timer, %d times each per round, "+
		"%d interleaved rounds. Medians;\nin brackets the median of the ratios to ours in the same round.\n",
		strings.ReplaceAll(r.settings.speedPages, ",", ", "), speedRepeats, r.settings.speedRounds)
	r.byConcurrency(b, "Captures per second", r.Speed, sample.rate)
	r.byConcurrency(b, "CPU-s per capture", r.Speed, sample.cpuEach)
}

// gateTables write what our pipeline adds on a page that is ready at once.
func (r *report) gateTables(b *strings.Builder) {
	if len(r.Gate) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## A page that is ready immediately\n\nThe page %s, %d times per round, %d interleaved rounds. Medians; "+
		"in brackets the median of the ratios to ours in the same round.\n",
		readyPage, gateRepeats, r.settings.gateRounds)
	r.byConcurrency(b, "Wall milliseconds per capture", r.Gate, func(s sample) float64 { return 1000 / s.rate() })
	r.byConcurrency(b, "CPU-s per capture", r.Gate, sample.cpuEach)
	fmt.Fprintf(b, "\nOur time per stage, median milliseconds from the manifest; the readiness gate is the stage %s:\n\n", gateStage)
	for _, s := range r.Stages {
		var parts []string
		for _, stage := range s.Stages {
			parts = append(parts, fmt.Sprintf("%s %s", stage.Stage, digits(stage.Milliseconds)))
		}
		fmt.Fprintf(b, "- %d at once: %s%s\n", s.Concurrency, strings.Join(parts, ", "), r.gateShare(s))
	}
}

// gateShare tells what part of a bare capture the readiness gate takes.
func (r *report) gateShare(s stageResult) string {
	gate := slices.IndexFunc(s.Stages, func(t page.StageTime) bool { return t.Stage == gateStage })
	bare := slices.IndexFunc(r.Gate, func(g speedResult) bool { return g.Tool == "bare" && g.Concurrency == s.Concurrency })
	if gate < 0 || bare < 0 {
		return ""
	}
	// from its begin to its end
	whole := float64(s.Concurrency) * median(values(r.Gate[bare].Samples, func(s sample) float64 { return 1000 / s.rate() }))
	return fmt.Sprintf(" — the gate is %.0f %% of a bare capture", 100*s.Stages[gate].Milliseconds/whole)
}

// byConcurrency writes a table with a column a tool.
func (r *report) byConcurrency(b *strings.Builder, title string, results []speedResult, value func(sample) float64) {
	var tools []string
	var rows []int
	cells := make(map[int]map[string][]sample)
	for _, result := range results {
		if !slices.Contains(tools, result.Tool) {
			tools = append(tools, result.Tool)
		}
		if cells[result.Concurrency] == nil {
			rows = append(rows, result.Concurrency)
			cells[result.Concurrency] = make(map[string][]sample)
		}
		cells[result.Concurrency][result.Tool] = result.Samples
	}
	fmt.Fprintf(b, "\n| %s, at once |", title)
	line := "\n|---|"
	for _, t := range tools {
		fmt.Fprintf(b, " %s |", r.bold(t))
		line += "---:|"
	}
	b.WriteString(line + "\n")
	for _, concurrency := range rows {
		fmt.Fprintf(b, "| %d |", concurrency)
		ours := cells[concurrency][r.ours()]
		for _, t := range tools {
			samples := cells[concurrency][t]
			fmt.Fprintf(b, " %s", digits(median(values(samples, value))))
			if t != r.ours() && len(ours) == len(samples) {
				fmt.Fprintf(b, " (%.2f ×)", median(ratios(samples, ours, value)))
			}
			if failed := sum(samples).Failed; failed > 0 {
				fmt.Fprintf(b, ", %d of %d fail", failed, sum(samples).Pictures)
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
}

func (r *report) ours() string {
	if i := slices.IndexFunc(r.tools, func(t tool) bool { return t.Ours }); i >= 0 {
		return r.tools[i].Name
	}
	return ""
}

func (r *report) bold(name string) string {
	if name == r.ours() {
		return "**" + name + "**"
	}
	return name
}

// rate is pictures per second over all samples, cpuEach the seconds of processor time of one.
func rate(samples []sample) float64    { return sum(samples).rate() }
func cpuEach(samples []sample) float64 { return sum(samples).cpuEach() }

func sum(samples []sample) sample {
	var all sample
	for _, s := range samples {
		all.Pictures, all.Failed, all.Took, all.CPU = all.Pictures+s.Pictures, all.Failed+s.Failed, all.Took+s.Took, all.CPU+s.CPU
	}
	return all
}

func values(samples []sample, value func(sample) float64) []float64 {
	var all []float64
	for _, s := range samples {
		all = append(all, value(s))
	}
	return all
}

func ratios(samples, ours []sample, value func(sample) float64) []float64 {
	var all []float64
	for i, s := range samples {
		all = append(all, value(s)/value(ours[i]))
	}
	return all
}

// median is the middle value, or the mean of the two in the middle.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// digits writes a number with about three digits.
func digits(v float64) string {
	switch {
	case v < 1:
		return fmt.Sprintf("%.2f", v)
	case v < 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
