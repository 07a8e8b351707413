package report

import (
	"fmt"
	"html"
	"strings"

	"afterimage/internal/compare"
)

// Limits of the summary, which GitHub takes as a comment up to 65,536 characters.
const (
	maxSummary       = 60_000 // bytes
	maxSummaryPlaces = 20     // of a change
	summaryTail      = 2_000  // bytes that are kept free for what follows the changes
)

// writeSummary writes summary.md, a comment for a pull request. Pictures are shown if their address is known: a comment cannot hold
// them itself.
func (f *Folder) writeSummary(r *compare.Result, run Run, cut map[string]crop) error {
	return f.write("summary.md", []byte(markdown(r, run, cut)))
}

func markdown(r *compare.Result, run Run, cut map[string]crop) string {
	var text strings.Builder
	fmt.Fprintf(&text, "## %s %s\n\n", sign(r, run.FailOn), Summary(r))
	fmt.Fprintf(&text, "%s compared with %s\n\n", plain(r.After, maxProblem), plain(r.Before, maxProblem))
	left, quiet, hosts := 0, 0, 0
	for i := range r.Changes {
		c := &r.Changes[i]
		switch {
		case c.Host != "":
			hosts++
			continue
		case !c.Matters():
			quiet++
			continue
		}
		if part := changeDetails(c, run, cut[c.Fingerprint]); text.Len()+len(part) <= maxSummary-summaryTail {
			text.WriteString(part)
		} else {
			left++
		}
	}
	if left > 0 {
		fmt.Fprintf(&text, "… and %s more in the report.\n\n", counted(left, "change"))
	}
	writeProblems(&text, r)
	writeUnseen(&text, r)
	for _, line := range leftOut(r) {
		fmt.Fprintf(&text, "%s\n\n", plain(line, maxProblem))
	}
	if quiet+hosts > 0 {
		fmt.Fprintf(&text, "Also found: %s, %s due to the hosts.\n", counted(quiet, "harmless change"), counted(hosts, "difference"))
	}
	return text.String()
}

// sign says how the comparison ended.
func sign(r *compare.Result, failOn compare.FailOn) string {
	switch r.ExitCode(failOn) {
	case compare.ExitEqual:
		return "✅"
	case compare.ExitChanged:
		return "❌"
	}
	return "⚠️"
}

// changeDetails is a change as a line that unfolds.
func changeDetails(c *compare.Change, run Run, cut crop) string {
	var text strings.Builder
	fmt.Fprintf(&text, "<details><summary><b>%s</b> · %s · %s</summary>\n\n", words[c.Outcome], counted(len(c.Places), "place"),
		plain(c.Description, maxProblem))
	if c.Reason != "" {
		fmt.Fprintf(&text, "%s\n\n", plain(c.Reason, maxProblem))
	}
	if run.PicturesURL != "" && cut != (crop{}) {
		before, after := picture(run, cut.before, "before"), picture(run, cut.after, "after")
		fmt.Fprintf(&text, "| Before | After |\n|---|---|\n| %s | %s |\n\n", before, after)
	}
	var places []string
	for _, place := range c.Places[:min(len(c.Places), maxSummaryPlaces)] {
		places = append(places, plain(place.Path, maxPath)+" ("+string(place.Device)+")")
	}
	if more := len(c.Places) - maxSummaryPlaces; more > 0 {
		places = append(places, fmt.Sprintf("%d more", more))
	}
	fmt.Fprintf(&text, "%s\n\n</details>\n\n", strings.Join(places, ", "))
	return text.String()
}

func picture(run Run, name, label string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("![%s](%s/%s)", label, strings.TrimRight(run.PicturesURL, "/"), name)
}

// writeProblems lists pages that could not be compared, as far as there is room.
func writeProblems(text *strings.Builder, r *compare.Result) {
	left := 0
	for i := range r.Pairs {
		p := &r.Pairs[i]
		if p.Problem == "" {
			continue
		}
		line := fmt.Sprintf("- ⚠️ %s (%s): %s\n", plain(p.Path, maxPath), p.Device, plain(p.Problem, maxProblem))
		if text.Len()+len(line) > maxSummary-summaryTail/2 {
			left++
			continue
		}
		text.WriteString(line)
	}
	if left > 0 {
		fmt.Fprintf(text, "- … and %s more that could not be compared\n", counted(left, "page"))
	}
	if r.Count(compare.Failed) > 0 {
		text.WriteString("\n")
	}
}

// writeUnseen lists pages of which a part was not seen, as far as there is room.
func writeUnseen(text *strings.Builder, r *compare.Result) {
	left := 0
	for i := range r.Pairs {
		p := &r.Pairs[i]
		if p.Unseen == "" {
			continue
		}
		line := fmt.Sprintf("- %s (%s): %s, but not fully captured: %s\n", plain(p.Path, maxPath), p.Device, words[p.Outcome],
			plain(p.Unseen, maxProblem))
		if text.Len()+len(line) > maxSummary-summaryTail/2 {
			left++
			continue
		}
		text.WriteString(line)
	}
	if left > 0 {
		fmt.Fprintf(text, "- … and %s more that were not fully captured\n", counted(left, "page"))
	}
	if r.Unseen() > 0 {
		text.WriteString("\n")
	}
}

// plain is text of a page in one line of Markdown, where it neither marks anything up nor mentions anybody.
func plain(text string, n int) string {
	var out strings.Builder
	for _, c := range short(text, n) {
		switch {
		case strings.ContainsRune("\\`*_{}[]()#+!|~@$", c):
			fmt.Fprintf(&out, "&#%d;", c)
		default:
			out.WriteString(html.EscapeString(string(c)))
		}
	}
	return strings.ReplaceAll(out.String(), "://", ":&#47;&#47;")
}
