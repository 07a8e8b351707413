package review

import (
	"fmt"
	"time"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// view is what the page shows.
type view struct {
	Back                           string // address of the batch's page; "" for a comparison with a link of its own
	Title, Address, Device, Status string
	Changed, Threshold             string
	Otherwise                      string // what the other measure says; "" where both say the same
	Above                          bool
	Width, Height                  int // of the union of both pictures
	Before, After                  picture
	Mask                           string // address of the picture of what differs; "" where nothing does
	Regions                        []region
	Alarm                          string // that a part of the page was not compared; "" when all of it was
	Summary                        string // of verification; "" where there was none
	Verdicts                       []verdict
}

// verdict is what verification says about a change.
type verdict struct{ Verdict, Says string }

type picture struct {
	Address, Taken string
	Width, Height  int
}

type region struct {
	Number, X, Y, Width, Height int       // in the picture after
	Before                      *page.Box // in the picture before; nil where it is not in it
	Verdict, Says               string    // of verification; "" where there is none
}

// viewOf shows a comparison. Link is what its pictures' addresses begin with.
func viewOf(c *vcd.Comparison, link string) view {
	v := view{
		Title: c.HTMLTitle, Address: c.URLAddress, Device: string(c.Device), Status: statusWords[c.Status],
		Changed: percent(c.JudgedPercent()), Threshold: percent(c.Threshold), Otherwise: otherwise(c), Above: c.AboveThreshold(),
		Width: c.Difference.Width, Height: c.Difference.Height,
		Before: pictureOf(c.Before, address(link, "_before.png")), After: pictureOf(c.After, address(link, "_after.png")),
	}
	if v.Title == "" {
		v.Title = v.Address
	}
	if c.Truncated {
		v.Alarm = vcd.TruncationWords
	}
	if c.Image != nil && c.Image.Over != "" {
		v.Mask = address(link, "_differences.png")
	}
	for i, r := range c.Difference.Regions {
		v.Regions = append(v.Regions, region{Number: i + 1, X: r.X, Y: r.Y, Width: r.Width, Height: r.Height, Before: r.Before})
	}
	v.verify(c)
	return v
}

// verify adds what verification says, for accounts that have it.
func (v *view) verify(c *vcd.Comparison) {
	if c.Verification == nil || !c.Features.AIVerification {
		return
	}
	v.Summary = c.Verification.Summary
	judged := c.Verification.Judged()
	for i := range judged {
		v.Verdicts = append(v.Verdicts, verdict{verdictWords[judged[i].Category], judged[i].Description + " " + judged[i].Reason})
	}
	for _, r := range c.Verification.Regions() {
		for i := range v.Regions {
			if c.Difference.Regions[i].ID == r.RegionID {
				v.Regions[i].Verdict, v.Regions[i].Says = verdictWords[r.Category], says(r.Findings)
			}
		}
	}
}

// maxSaid is how many findings of a region are said in full.
const maxSaid = 5

// says is what changed in a region, the gravest change with its reason.
func says(found []*vcd.Finding) string {
	words := found[0].Description + " " + found[0].Reason
	for _, f := range found[1:min(len(found), maxSaid)] {
		words += " " + f.Description
	}
	if more := len(found) - maxSaid; more > 0 {
		words += " And " + vcd.Plural(more, "other change") + "."
	}
	return words
}

var verdictWords = map[vcd.Category]string{
	vcd.CategoryAllGood: "No fault", vcd.CategoryNotSure: "Unclear", vcd.CategoryAlert: "Fault",
}

// address is a picture's, by the page's own token: the link of the picture goes with the link of the page.
func address(link, ending string) string { return "/images/" + link + ending }

func pictureOf(s vcd.ScreenshotRef, address string) picture {
	p := picture{Taken: s.CreatedAt.Format(time.RFC1123)}
	if s.Image != nil {
		p.Address, p.Width, p.Height = address, s.Image.Width, s.Image.Height
	}
	return p
}

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
