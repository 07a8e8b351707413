package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"afterimage/internal/compare"
)

// steps is how often progress is told where it cannot be drawn over.
const steps = 10

// Progress shows how far a comparison is: over the last line of a terminal, else in a line every so often.
type Progress struct {
	Out  io.Writer
	Live bool
	Done string // the word for what is done; "compared" if empty

	told int
}

// Show is called after each page.
func (b *Progress) Show(p compare.Progress) {
	step := steps * p.Done / p.All
	if !b.Live && step == b.told && p.Done < p.All {
		return
	}
	b.told = step
	line := fmt.Sprintf("%d of %d %s", p.Done, p.All, cmp.Or(b.Done, "compared"))
	if p.Changed > 0 {
		line += fmt.Sprintf(", %d changed", p.Changed)
	}
	if p.Failed > 0 {
		line += fmt.Sprintf(", %d failed", p.Failed)
	}
	if !b.Live {
		fmt.Fprintln(b.Out, line)
		return
	}
	fmt.Fprint(b.Out, "\r"+line+strings.Repeat(" ", max(0, 70-len(line))))
	if p.Done == p.All {
		fmt.Fprintln(b.Out)
	}
}
