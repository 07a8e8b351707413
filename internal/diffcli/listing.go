package diffcli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// widestName is how wide the column of names may become.
const widestName = 60

// listing prints the outcomes of two folders, one a line.
type listing struct {
	out   io.Writer
	json  bool
	bar   *progress // is moved out of the way of every line
	width int       // of the column of names
}

// nameWidth is the width of the column of names.
func (m matching) nameWidth() int {
	width := 0
	for _, pairs := range [][]pair{m.pairs, m.onlyBefore, m.onlyAfter} {
		for _, p := range pairs {
			width = max(width, utf8.RuneCountInString(p.name))
		}
	}
	return min(width, widestName)
}

// outcome prints one pair. Of people's lists what is the same is left out.
func (l listing) outcome(o outcome) error {
	if l.json {
		l.bar.clear()
		if o.err != nil {
			return writeJSON(l.out, failure{Name: o.pair.name, Before: o.pair.before, After: o.pair.after, Error: o.err.Error()})
		}
		return writeJSON(l.out, o.report)
	}
	switch r := o.report; {
	case o.err != nil:
		return l.line(o.pair.name, "failed", o.err.Error())
	case !r.Different:
		return nil
	case r.BeforeSize != r.AfterSize:
		return l.line(r.Name, "different", changes(r)+", "+size(r.BeforeSize)+" → "+size(r.AfterSize))
	default:
		return l.line(r.Name, "different", changes(r))
	}
}

// changes is how much of a pair changed.
func changes(r *Report) string {
	regions := count(len(r.Regions)+r.RegionsLeftOut, "region")
	text := fmt.Sprintf("%s, %s in %s", percent(r.Percent), count(r.Changed, "pixel"), regions)
	if r.Aligned {
		text += fmt.Sprintf(", %s when aligned", percent(r.AlignedPercent))
	}
	return text
}

// singles prints the files without a counterpart.
func (l listing) singles(m matching) error {
	for _, p := range m.onlyBefore {
		if err := l.single(single{Name: p.name, Only: "before", Path: p.before, Different: true}); err != nil {
			return err
		}
	}
	for _, p := range m.onlyAfter {
		if err := l.single(single{Name: p.name, Only: "after", Path: p.after, Different: true}); err != nil {
			return err
		}
	}
	return nil
}

func (l listing) single(s single) error {
	if l.json {
		l.bar.clear()
		return writeJSON(l.out, s)
	}
	return l.line(s.Name, "only "+s.Only, "")
}

// line prints one line of a person's list.
func (l listing) line(name, kind, text string) error {
	l.bar.clear()
	line := fmt.Sprintf("%-11s  %-*s  %s", kind, l.width, name, text)
	if _, err := fmt.Fprintln(l.out, strings.TrimRight(line, " ")); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	return nil
}

// write prints the summary; beside objects it goes to standard error.
func (s summary) write(streams Streams, json bool) error {
	out := streams.Out
	if json {
		out = streams.Err
	}
	pairs := s.same + s.different + s.failed
	parts := []string{fmt.Sprintf("%s: %s same, %s different", count(pairs, "pair"), grouped(s.same), grouped(s.different))}
	for _, part := range []struct {
		n    int
		text string
	}{{s.failed, "failed"}, {s.onlyBefore, "only before"}, {s.onlyAfter, "only after"}} {
		if part.n > 0 {
			parts = append(parts, grouped(part.n)+" "+part.text)
		}
	}
	if _, err := fmt.Fprintln(out, strings.Join(parts, ", ")); err != nil {
		return fmt.Errorf("write the summary: %w", err)
	}
	return nil
}

// count is a number and its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}
