package diffcli

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// shownRows is how many regions and bands a table lists.
const shownRows = 20

// writeTable prints one pair for a person.
func writeTable(w io.Writer, r *Report) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n", headline(r))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "Before\t%s\t%s\n", size(r.BeforeSize), note(r.Before, r.BlankBefore))
	fmt.Fprintf(t, "After\t%s\t%s\n", size(r.AfterSize), note(r.After, r.BlankAfter))
	fmt.Fprintf(t, "Changed\t%s\t%s pixels\n", percent(r.Percent), grouped(r.Changed))
	fmt.Fprintf(t, "Anti-aliased\t\t%s pixels\n", grouped(r.AntiAliased))
	if r.Aligned {
		fmt.Fprintf(t, "Changed when aligned\t%s\t%s pixels between aligned rows\n", percent(r.AlignedPercent), grouped(r.Residual))
	}
	if r.AlignmentCut {
		fmt.Fprint(t, "\t\tAlignment was cut short: there may be more bands than listed.\n")
	}
	_ = t.Flush() // a bytes.Buffer takes everything
	writeRegions(&b, r)
	writeBands(&b, r)
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return nil
}

// headline is the answer in one line.
func headline(r *Report) string {
	switch {
	case r.Equal:
		return "The images are identical."
	case !r.Different:
		return "No pixel differs by more than the threshold, apart from anti-aliasing."
	case r.Changed == 0:
		return "The images have different sizes."
	}
	return fmt.Sprintf("%s of the image changed.", percent(r.Percent))
}

func writeRegions(b *bytes.Buffer, r *Report) {
	if len(r.Regions) == 0 {
		return
	}
	fmt.Fprint(b, "\nRegions by weight\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "x\ty\twidth\theight\tpixels\t\n")
	for _, g := range r.Regions[:min(len(r.Regions), shownRows)] {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%s\t\n", g.X, g.Y, g.W, g.H, grouped(g.Pixels))
	}
	_ = t.Flush()
	writeMore(b, len(r.Regions)+r.RegionsLeftOut)
}

func writeBands(b *bytes.Buffer, r *Report) {
	if len(r.Bands) == 0 {
		return
	}
	fmt.Fprint(b, "\nBands from top to bottom\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "kind\trow before\trow after\trows\tcolumns\t\n")
	for _, band := range r.Bands[:min(len(r.Bands), shownRows)] {
		columns := "all"
		if band.W < r.Width {
			columns = fmt.Sprintf("%d–%d", band.X, band.X+band.W-1)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t\n", band.Kind, band.YBefore, band.YAfter, band.Rows, columns)
	}
	_ = t.Flush()
	writeMore(b, len(r.Bands))
}

// writeMore says how many rows a table leaves out.
func writeMore(b *bytes.Buffer, rows int) {
	if rows > shownRows {
		fmt.Fprintf(b, "  and %s more\n", grouped(rows-shownRows))
	}
}

func size(s Size) string { return fmt.Sprintf("%d × %d", s.Width, s.Height) }

// note is a path and whether its picture is blank.
func note(path string, blank bool) string {
	if blank {
		return path + " (blank)"
	}
	return path
}

// percent never shows a change as nothing or a rest as everything.
func percent(p float64) string {
	switch {
	case p > 0 && p < 0.01:
		return "<0.01 %"
	case p < 100 && p > 99.99:
		return ">99.99 %"
	}
	return strconv.FormatFloat(p, 'f', 2, 64) + " %"
}

// grouped writes a count with a comma before every third digit.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
