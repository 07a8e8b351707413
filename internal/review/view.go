package review

import (
	"strings"

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
	t := f.Words
	v := &view{
		frame: f, Title: c.HTMLTitle, Address: vcd.ShownAddress(c.URLAddress), Device: t.Device[c.Device], Status: t.Status[c.Status],
		Changed: t.Changed(t.Percent(c.JudgedPercent())), Threshold: t.Threshold(t.Percent(c.Threshold)), Otherwise: t.otherwise(c),
		Above: c.AboveThreshold(),
		Shown: shownComparison{
			Before: screenshotOf(c.Before, link, "_before"), After: screenshotOf(c.After, link, "_after"),
			Bands:   bandsOf(c.Difference.Bands),
			Changes: changesOf(t, c), TakenBefore: t.moment(c.Before.CreatedAt, f.Zone), TakenAfter: t.moment(c.After.CreatedAt, f.Zone),
		},
	}
	if v.Title == "" {
		v.Title = v.Address
	}
	if c.Truncated {
		v.Shown.Notes = append(v.Shown.Notes, note{"alert", t.Cutoff})
	}
	if c.NotSeen != "" && !(judged(c) && strings.Contains(c.Verification.Summary, c.NotSeen)) { // it says so once
		v.Shown.Notes = append(v.Shown.Notes, note{"alert", t.Unseen(c.NotSeen)})
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

// otherwise is the difference by the measure that was not checked, in words.
func (w *words) otherwise(c *vcd.Comparison) string {
	switch d := &c.Difference; {
	case d.AlignedPercent == d.Percent:
		return ""
	case c.Measure == vcd.MeasureAligned:
		return w.InPlace(w.Percent(d.Percent))
	default:
		return w.WithoutShifts(w.Percent(d.AlignedPercent))
	}
}
