// Package report writes what a comparison of two sites found: for a person at a terminal, and as files for other programs.
package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"afterimage/internal/compare"
)

// Limits of what is printed.
const (
	maxPath        = 48 // characters
	maxDescription = 100
	maxProblem     = 500
	maxListed      = 40 // changes, and pages that could not be compared
	maxNamed       = 5  // files that are no pages
)

// words are how people read outcomes.
var words = map[compare.Outcome]string{
	compare.Equal: "equal", compare.Harmless: "harmless", compare.Unsure: "unsure", compare.Alert: "alert", compare.Failed: "failed",
}

// Print writes the pages that somebody has to look at, the distinct changes and a summary.
func Print(out io.Writer, r *compare.Result) {
	rows := [][]string{{"Page", "Device", "Changed", "Verdict", "What"}}
	for i := range r.Pairs {
		if p := &r.Pairs[i]; p.Outcome == compare.Unsure || p.Outcome == compare.Alert {
			rows = append(rows, []string{
				short(p.Path, maxPath), string(p.Device), percent(p), words[p.Outcome], short(headline(p), maxDescription),
			})
		}
	}
	if len(rows) > 1 {
		printTable(out, rows)
		fmt.Fprintln(out)
	}
	printChanges(out, r)
	printProblems(out, r)
	printUnseen(out, r)
	printLeftOut(out, r)
	fmt.Fprintln(out, Summary(r))
}

func percent(p *compare.Pair) string { return fmt.Sprintf("%.2f %%", p.Percent) }

// printProblems lists the pages that could not be compared.
func printProblems(out io.Writer, r *compare.Result) {
	told, left := 0, 0
	for i := range r.Pairs {
		p := &r.Pairs[i]
		switch {
		case p.Problem == "":
			continue
		case told == maxListed:
			left++
			continue
		case told == 0:
			fmt.Fprintln(out, "Could not be compared:")
		}
		told++
		fmt.Fprintf(out, "%s on %s: %s\n", short(p.Path, maxPath), p.Device, short(p.Problem, maxProblem))
	}
	if left > 0 {
		fmt.Fprintf(out, "… and %s more.\n", counted(left, "page"))
	}
	if told > 0 {
		fmt.Fprintln(out)
	}
}

// printUnseen lists the pages of which a part was not seen, with what was found of the rest.
func printUnseen(out io.Writer, r *compare.Result) {
	told := 0
	for i := range r.Pairs {
		p := &r.Pairs[i]
		switch {
		case p.Unseen == "":
			continue
		case told == 0:
			fmt.Fprintln(out, "Not fully captured:")
		}
		if told++; told <= maxListed {
			fmt.Fprintf(out, "%s on %s: %s, but not fully captured: %s\n", short(p.Path, maxPath), p.Device, words[p.Outcome],
				short(p.Unseen, maxProblem))
		}
	}
	if told > maxListed {
		fmt.Fprintf(out, "… and %s more.\n", counted(told-maxListed, "page"))
	}
	if told > 0 {
		fmt.Fprintln(out)
	}
}

// printLeftOut names files that are no pages, and says what selectors found to ignore.
func printLeftOut(out io.Writer, r *compare.Result) {
	for _, line := range leftOut(r) {
		fmt.Fprintln(out, short(line, maxProblem))
	}
}

func leftOut(r *compare.Result) []string {
	var lines []string
	if n := len(r.NoPages); n > 0 {
		shown := r.NoPages[:min(n, maxNamed)]
		more := ""
		if n > len(shown) {
			more = " …"
		}
		lines = append(lines, fmt.Sprintf("%s listed by the site, but not pages, were skipped: %s%s",
			counted(n, "file"), strings.Join(shown, ", "), more))
	}
	return slices.Concat(lines, ignored(r), unused(r))
}

// unused names selectors of --css that found nothing, which are likely misspelled or out of date.
func unused(r *compare.Result) []string {
	var lines []string
	for _, s := range r.Unused[:min(len(r.Unused), maxListed)] {
		lines = append(lines, fmt.Sprintf("--css %s: no page has such an element.", s))
	}
	if n := len(r.Unused) - len(lines); n > 0 {
		lines = append(lines, fmt.Sprintf("… and %s more of --css without an element.", counted(n, "selector")))
	}
	return lines
}

// ignored says how many elements each selector found. Those that found none are told first: there is something to mend.
func ignored(r *compare.Result) []string {
	var none, found []string
	for _, i := range r.Ignored {
		if i.Elements == 0 {
			none = append(none, fmt.Sprintf("--ignore %s: no page has such an element.", i.Selector))
		} else {
			found = append(found, fmt.Sprintf("--ignore %s: %s", i.Selector, counted(i.Elements, "element")))
		}
	}
	if n := len(found) - maxListed; n > 0 {
		found = append(found[:maxListed], fmt.Sprintf("… and %s more that matched elements.", counted(n, "selector")))
	}
	lines := slices.Concat(none, found)
	if r.Unreached > 0 {
		lines = append(lines, fmt.Sprintf("--ignore cannot select elements in closed shadow trees, which %s.", have(r.Unreached)))
	}
	return lines
}

func have(pages int) string {
	if pages == 1 {
		return "1 page has"
	}
	return fmt.Sprintf("%d pages have", pages)
}

// notFullySeen says how many of the pages with an outcome were not seen whole.
func notFullySeen(r *compare.Result, o compare.Outcome) string {
	all, unseen := 0, 0
	for i := range r.Pairs {
		if p := &r.Pairs[i]; p.Outcome == o {
			all++
			if p.Unseen != "" {
				unseen++
			}
		}
	}
	switch unseen {
	case 0:
		return ""
	case all:
		return " (not fully captured)"
	}
	return fmt.Sprintf(" (%d not fully captured)", unseen)
}

// headline is what is most important about a pair, in one line.
func headline(p *compare.Pair) string {
	var gravest *compare.Finding
	others := 0
	for i := range p.Findings {
		f := &p.Findings[i]
		if gravest == nil || graver(f, gravest) {
			gravest = f
		}
		others++
	}
	switch {
	case gravest == nil:
		return ""
	case gravest.Host != "":
		return "only differences between the hosts"
	case others > 1:
		return fmt.Sprintf("%s (and %d more)", gravest.Description, others-1)
	}
	return gravest.Description
}

// graver reports whether a finding says more about its page than another one.
func graver(f, than *compare.Finding) bool {
	if (f.Host == "") != (than.Host == "") {
		return f.Host == ""
	}
	return f.Category != than.Category && f.Category.Worse(than.Category) == f.Category
}

// printChanges lists the distinct changes that somebody has to look at.
func printChanges(out io.Writer, r *compare.Result) {
	var rows [][]string
	left := 0
	for i := range r.Changes {
		c := &r.Changes[i]
		switch {
		case !c.Matters():
		case len(rows) == maxListed:
			left++
		default:
			rows = append(rows, []string{words[c.Outcome], counted(len(c.Places), "place"), short(c.Description, maxDescription)})
			if c.Reason != "" {
				rows = append(rows, []string{"", "", "  " + short(c.Reason, maxDescription)})
			}
		}
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(out, "Changes, most severe first:")
	printTable(out, rows)
	if left > 0 {
		fmt.Fprintf(out, "… and %s more.\n", counted(left, "change"))
	}
	fmt.Fprintln(out)
}

// Summary is the result in one line.
func Summary(r *compare.Result) string {
	parts := []string{}
	for _, o := range compare.Outcomes {
		if n := r.Count(o); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words[o])+notFullySeen(r, o))
		}
	}
	pages, devices := make(map[string]bool), make(map[string]bool)
	for i := range r.Pairs {
		pages[r.Pairs[i].Path], devices[string(r.Pairs[i].Device)] = true, true
	}
	on := strings.Join(slices.Sorted(maps.Keys(devices)), " and ")
	return fmt.Sprintf("%s compared on %s: %s.", counted(len(pages), "page"), on, strings.Join(parts, ", "))
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// short makes a text one line of printable characters, cut after n of them.
func short(text string, n int) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.Join(strings.Fields(text), " "))
	if utf8.RuneCountInString(text) > n {
		text = string([]rune(text)[:n-1]) + "…"
	}
	return text
}

// printTable writes columns as wide as their widest cell.
func printTable(out io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
}
