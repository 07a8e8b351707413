package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Table is lines of cells, the headings first.
type Table [][]string

// Print writes the columns as wide as their widest cell.
func (t Table) Print(out io.Writer) {
	widths := make([]int, len(t[0]))
	for _, line := range t {
		for i, cell := range line {
			line[i] = strings.Map(Printable, cell)
			widths[i] = max(widths[i], utf8.RuneCountInString(line[i]))
		}
	}
	for _, line := range t {
		var b strings.Builder
		for i, cell := range line {
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		fmt.Fprintln(out, strings.TrimRight(b.String(), " "))
	}
}

// Printable leaves out what would steer a terminal: names are chosen by those who have them.
func Printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return -1
	}
	return r
}
