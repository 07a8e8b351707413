package review

import (
	"fmt"
	"time"

	"afterimage/vcd"
)

// view is what the page of a comparison shows.
type view struct {
	frame
	Back                           string // address of the batch's page; "" for a comparison with a link of its own
	Title, Address, Device, Status string
	Changed, Threshold             string
	Otherwise                      string // what the other measure says; "" where both say the same
	Above                          bool
	Shown                          shownComparison
}

// viewOf shows a comparison. Link is what its pictures' addresses begin with.
func viewOf(f frame, c *vcd.Comparison, link string) *view {
	v := &view{
		frame: f, Title: c.HTMLTitle, Address: c.URLAddress, Device: string(c.Device), Status: statusWords[c.Status],
		Changed: percent(c.JudgedPercent()), Threshold: percent(c.Threshold), Otherwise: otherwise(c), Above: c.AboveThreshold(),
		Shown: shownComparison{
			Before: screenshotOf(c.Before, link, "_before"), After: screenshotOf(c.After, link, "_after"),
			Bands:   bandsOf(c.Difference.Bands),
			Changes: changesOf(c), TakenBefore: c.Before.CreatedAt.Format(time.RFC1123),
			TakenAfter: c.After.CreatedAt.Format(time.RFC1123),
		},
	}
	if v.Title == "" {
		v.Title = v.Address
	}
	if c.Truncated {
		v.Shown.Notes = append(v.Shown.Notes, note{"alert", vcd.TruncationWords})
	}
	if judged(c) && c.Verification.Summary != "" {
		v.Shown.Notes = append(v.Shown.Notes, note{"plain", c.Verification.Summary})
	}
	if c.Image != nil && c.Image.Over != "" {
		v.Shown.Mask = pictureOf(c.Difference.Width, c.Difference.Height, link, "_differences")
	}
	v.Data.Comparison = &v.Shown
	return v
}

// judged reports whether the comparison has verdicts that its account may see.
func judged(c *vcd.Comparison) bool { return c.Verification != nil && c.Features.AIVerification }

// address is a picture's, by the page's own token: the link of the picture goes with the link of the page.
func address(link, ending string) string { return "/images/" + link + ending }

var statusWords = map[vcd.ComparisonStatus]string{
	vcd.ComparisonNew: "New", vcd.ComparisonOK: "OK", vcd.ComparisonFalsePositive: "False positive", vcd.ComparisonToFix: "To fix",
}

// otherwise is the difference by the measure that was not checked, in words.
func otherwise(c *vcd.Comparison) string {
	switch d := &c.Difference; {
	case d.AlignedPercent == d.Percent:
		return ""
	case c.Measure == vcd.MeasureAligned:
		return percent(d.Percent) + " in place"
	default:
		return percent(d.AlignedPercent) + " without shifts"
	}
}

// percent writes a difference as people read it: what is not nothing never reads as 0.
func percent(p float64) string {
	if p > 0 && p < 0.01 {
		return "< 0.01 %"
	}
	return fmt.Sprintf("%.2f %%", p)
}
