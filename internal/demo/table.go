package demo

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Table prints the rows for a person: a table of what changed, then the links of each change.
func Table(out io.Writer, rows []Row) {
	head := []string{"Page", "Device", "Changed", "In place", "Status"}
	cells := [][]string{head}
	for _, r := range rows {
		changed, inPlace := percent(r.AlignedPercent), percent(r.DifferencePercent)
		if r.Status == "failed" {
			changed, inPlace = "–", "–"
		}
		cells = append(cells, []string{r.label(), r.Device, changed, inPlace, r.Status})
	}
	widths := make([]int, len(head))
	for _, line := range cells {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, line := range cells {
		fmt.Fprintln(out, "  "+tableLine(line, widths))
		if i == 0 {
			rule := make([]string, len(widths))
			for j, w := range widths {
				rule[j] = strings.Repeat("─", w)
			}
			fmt.Fprintln(out, "  "+strings.Join(rule, "  "))
		}
	}
	links(out, rows)
}

func percent(p float64) string { return fmt.Sprintf("%.2f %%", p) }

// tableLine pads a line's cells; figures stand to the right.
func tableLine(line []string, widths []int) string {
	const firstFigure, lastFigure = 2, 3
	padded := make([]string, len(line))
	for i, cell := range line {
		space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if firstFigure <= i && i <= lastFigure {
			padded[i] = space + cell
		} else {
			padded[i] = cell + space
		}
	}
	return strings.TrimRight(strings.Join(padded, "  "), " ")
}

// links lists the pictures of every row, and why rows failed.
func links(out io.Writer, rows []Row) {
	for _, r := range rows {
		fmt.Fprintf(out, "\n  %s, %s: %s\n", r.label(), r.Device, r.Status)
		if r.Error != "" {
			fmt.Fprintf(out, "    %s\n", r.Error)
			continue
		}
		if r.Summary != "" {
			fmt.Fprintf(out, "    %s\n", r.Summary)
		}
		fmt.Fprintf(out, "    difference  %s\n    review      %s\n", r.Difference, r.Review)
	}
}

func (r Row) label() string {
	if r.Name != "" {
		return r.Name
	}
	return r.URL
}
