package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// table is lines of cells, the headings first.
type table [][]string

// print writes the columns as wide as their widest cell.
func (t table) print(out io.Writer) {
	widths := make([]int, len(t[0]))
	for _, line := range t {
		for i, cell := range line {
			line[i] = strings.Map(printable, cell)
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

// printable leaves out what would steer a terminal: names are chosen by those who have them.
func printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return -1
	}
	return r
}
