package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"afterimage/imgdiff"
)

// report is everything that one run measured.
type report struct {
	Machine  string            `json:"machine"`
	Versions map[string]string `json:"versions"`
	Counts   int               `json:"counts_equal_to_pixelmatch"`
	Bands    []bands           `json:"bands"`
	Warm     []row             `json:"warm"`
	Cold     []row             `json:"cold"`
	Memory   map[string]int64  `json:"warm_peak_bytes"`

	services, commands []contender
	rounds, coldRounds int
}

// bands is what alignment found in one pair.
type bands struct {
	pair
	Found    []string `json:"found"`
	Residual int      `json:"residual"`
	Percent  float64  `json:"percent"`
	Aligned  float64  `json:"aligned_percent"`
}

// align runs alignment on the pairs that it is for.
func align(ctx context.Context, pairs []pair) ([]bands, error) {
	var all []bands
	for _, p := range pairs {
		if !strings.HasPrefix(p.Scene, "banner") && p.Scene != "reflow" {
			continue
		}
		before, err := os.ReadFile(p.Before)
		if err != nil {
			return nil, err
		}
		after, err := os.ReadFile(p.After)
		if err != nil {
			return nil, err
		}
		result, err := imgdiff.Compare(ctx, before, after, imgdiff.DefaultOptions())
		if err != nil {
			return nil, err
		}
		found := bands{pair: p, Residual: result.Residual, Percent: result.Percent, Aligned: result.AlignedPercent}
		for _, b := range result.Bands {
			found.Found = append(found.Found, fmt.Sprintf("%d rows %s at %d → %d", b.Rows, b.Kind, b.YBefore, b.YAfter))
		}
		all = append(all, found)
	}
	return all, nil
}

// versions reads the exact versions of the peers from package.json.
func versions(peers string) (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(peers, "package.json"))
	if err != nil {
		return nil, err
	}
	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, fmt.Errorf("read package.json: %w", err)
	}
	return manifest.Dependencies, nil
}

// writeMarkdown writes the tables.
func (r *report) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# imgdiff benchmark\n\n%s. Medians in milliseconds; in brackets the median of the ratios to the contender\nin bold "+
		"of the same round. %d equal counts: imgdiff counts exactly as pixelmatch on every pair of equal size.\n",
		r.Machine, r.Counts)
	fmt.Fprintf(&b, "\n| Pair | |\n|---|---|\n")
	for _, s := range scenes {
		fmt.Fprintf(&b, "| %s | %s |\n", s.name, s.about)
	}
	for _, d := range devices {
		fmt.Fprintf(&b, "\nThe %s page has %d × %d pixels.", d.name, d.width, d.height)
	}
	if len(r.Warm) > 0 {
		fmt.Fprintf(&b, "\n\n## Warm services\n\nLong-running processes, files passed in memory where supported; %d rounds after a "+
			"discarded warm-up.\n", r.rounds)
		r.table(&b, r.services, r.Warm, false, "Counting only")
		r.table(&b, r.services, r.Warm, true, "With a difference image")
		processorTimes(&b, r.services, r.Warm)
		r.memory(&b)
	}
	if len(r.Cold) > 0 {
		fmt.Fprintf(&b, "\n\n## Whole commands\n\nOne process per pair, files in the page cache; %d rounds.\n", r.coldRounds)
		r.table(&b, r.commands, r.Cold, false, "Counting only")
		r.table(&b, r.commands, r.Cold, true, "With a difference image")
		processorTimes(&b, r.commands, r.Cold)
		coldMemory(&b, r.commands, r.Cold)
	}
	r.alignment(&b)
	r.settings(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes one table with a column a contender.
func (r *report) table(b *strings.Builder, contenders []contender, rows []row, picture bool, title string) {
	fmt.Fprintf(b, "\n### %s\n\n| Device | Pair |", title)
	line := "\n|---|---|"
	for _, c := range contenders {
		if c.Picture == picture {
			fmt.Fprintf(b, " %s |", bold(c))
			line += "---:|"
		}
	}
	b.WriteString(line + "\n")
	for _, row := range rows {
		fmt.Fprintf(b, "| %s | %s |", row.Device, row.Scene)
		for i, c := range contenders {
			if c.Picture == picture {
				fmt.Fprintf(b, " %s |", row.Cells[i].text(c))
			}
		}
		b.WriteString("\n")
	}
}

// processorTimes writes what all threads of each contender used.
func processorTimes(b *strings.Builder, contenders []contender, rows []row) {
	fmt.Fprintf(b, "\n### CPU time, milliseconds\n\n| Device | Pair |")
	line := "\n|---|---|"
	for _, c := range contenders {
		fmt.Fprintf(b, " %s |", bold(c))
		line += "---:|"
	}
	b.WriteString(line + "\n")
	for _, row := range rows {
		fmt.Fprintf(b, "| %s | %s |", row.Device, row.Scene)
		for _, c := range row.Cells {
			if c.CPU == 0 {
				b.WriteString(" – |")
			} else {
				fmt.Fprintf(b, " %s |", digits(c.CPU))
			}
		}
		b.WriteString("\n")
	}
}

// bold marks the contender that others are held against.
func bold(c contender) string {
	if c.Ours {
		return "**" + c.Name + "**"
	}
	return c.Name
}

// text is one cell of a table.
func (c cell) text(of contender) string {
	switch {
	case c.Error == refusal:
		return "refuses"
	case c.Error != "":
		return "fails: " + strings.ReplaceAll(c.Error, "\n", " ")
	case of.Ours:
		return "**" + digits(c.Median) + "**"
	}
	return fmt.Sprintf("%s (%s ×)", digits(c.Median), digits(c.Ratio))
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

// memory writes the peaks of the services.
func (r *report) memory(b *strings.Builder) {
	fmt.Fprintf(b, "\n### Peak memory of the services, all pairs\n\n| Service | MiB |\n|---|---:|\n")
	for _, c := range r.services {
		fmt.Fprintf(b, "| %s | %d |\n", c.Name, r.Memory[c.Name]>>20)
	}
}

// coldMemory writes the largest peak of each command.
func coldMemory(b *strings.Builder, contenders []contender, rows []row) {
	fmt.Fprintf(b, "\n### Peak memory of the commands, largest of all pairs\n\n| Command | MiB |\n|---|---:|\n")
	for i, c := range contenders {
		var peak int64
		for _, row := range rows {
			peak = max(peak, row.Cells[i].Peak)
		}
		fmt.Fprintf(b, "| %s | %d |\n", c.Name, peak>>20)
	}
}

// alignment writes what alignment found in shifted pages.
func (r *report) alignment(b *strings.Builder) {
	fmt.Fprintf(b, "\n## Alignment results\n\n| Device | Pair | Changed | Aligned | Residual pixels | Bands "+
		"|\n|---|---|---:|---:|---:|---|\n")
	for _, f := range r.Bands {
		shown := f.Found
		if len(shown) > 4 {
			shown = append(shown[:4:4], fmt.Sprintf("and %d more", len(f.Found)-4))
		}
		fmt.Fprintf(b, "| %s | %s | %.2f %% | %.2f %% | %d | %s |\n", f.Device, f.Scene, f.Percent, f.Aligned, f.Residual,
			strings.Join(shown, "; "))
	}
}

// settings lists how every contender is set.
func (r *report) settings(b *strings.Builder) {
	fmt.Fprintf(b, "\n## Settings\n\n")
	for _, list := range [][]contender{r.services, r.commands} {
		for _, c := range list {
			if c.About != "" {
				fmt.Fprintf(b, "- %s: %s\n", c.Name, c.About)
			}
		}
	}
	fmt.Fprintf(b, "\nVersions:")
	for _, name := range sortedKeys(r.Versions) {
		fmt.Fprintf(b, " %s %s;", name, r.Versions[name])
	}
	b.WriteString("\n")
}

// writeJSON writes everything, every sample included.
func (r *report) writeJSON(path string) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644) //nolint:gosec // a report for everybody
}
