package remote

import (
	"fmt"
	"strings"

	"afterimage/capture"
	"afterimage/internal/compare"
	"afterimage/internal/page"
	"afterimage/vcd"
)

// comparison is a page of a run compared with its earlier screenshot, as the server tells it.
type comparison struct {
	GroupID, GroupName, URLID, Address, Device, Status, Measure string
	DifferencePercent, AlignedPercent                           float64
	ChangedPixels, Width, Height                                int
	Truncated                                                   bool
	AlarmReason                                                 *string
	UnlistedFindings                                            *int
	Bands                                                       []struct {
		Kind                          string
		YBefore, YAfter, Rows, X0, X1 int
	}
	PageChanges          []struct{ Kind, Severity, Sentence string }
	AIVerificationResult *struct {
		CaptureIssue    *string
		Summary         string
		ConsoleAnalysis *struct{ Category, Description string }
	}
	Findings      []finding
	Before, After *screenshot
}

type finding struct {
	Kind, Description, Fingerprint, Category, Reason string
	BoxBefore, BoxAfter                              *page.Box
	Element                                          *struct{ Selector string }
}

type screenshot struct {
	FinalURL, HTMLTitle string
	StatusCode          int
	Width, Height       int
	Link                *string
}

// Statuses of comparisons that say that nobody has to look any more.
const (
	statusOK            = "OK"
	statusFalsePositive = "FALSE_POSITIVE"
	statusToFix         = "TO_FIX"
)

func (n *comparison) settled() bool { return n.Status == statusOK || n.Status == statusFalsePositive }

// category is a verdict as far as the status leaves it: what was accepted, or is below the threshold of its group, needs nobody.
func (n *comparison) category(verdict string) vcd.Category {
	return n.settle(vcd.Category(strings.ToLower(verdict)))
}

func (n *comparison) settle(verdict vcd.Category) vcd.Category {
	if n.settled() {
		return vcd.CategoryAllGood
	}
	return verdict
}

// pair is the comparison as one without a server would show it.
func (n *comparison) pair() compare.Pair {
	p := compare.Pair{
		Path: vcd.PageName(n.Address), Device: capture.Device(strings.ToLower(n.Device)), Percent: n.DifferencePercent,
		Pixels: n.ChangedPixels, Width: n.Width, Height: n.Height, Before: n.Before.view(), After: n.After.view(),
	}
	if vcd.IsUploaded(n.Address) {
		p.Before.Address, p.After.Address = n.Address, n.Address
	}
	if n.Measure == "ALIGNED" {
		p.Percent = n.AlignedPercent
	}
	for _, b := range n.Bands {
		p.Bands = append(p.Bands, vcd.Band{
			Kind: vcd.BandKind(strings.ToLower(b.Kind)), YBefore: b.YBefore, YAfter: b.YAfter, Rows: b.Rows, X0: b.X0, X1: b.X1,
		})
	}
	for i := range n.Findings {
		p.Findings = append(p.Findings, n.finding(&n.Findings[i]))
	}
	n.tellOthers(&p)
	n.tellStatus(&p)
	return p
}

func (n *comparison) finding(f *finding) compare.Finding {
	told := compare.Finding{Finding: vcd.Finding{
		FoundChange: vcd.FoundChange{
			Kind: vcd.ChangeKind(strings.ToLower(f.Kind)), Category: n.category(f.Category), Fingerprint: f.Fingerprint,
		},
		Description: f.Description, Reason: f.Reason, BoxBefore: f.BoxBefore, BoxAfter: f.BoxAfter,
	}}
	if f.Element != nil {
		told.After = &page.ElementIdentity{Selector: f.Element.Selector}
	}
	return told
}

// tellOthers adds what is none of an element.
func (n *comparison) tellOthers(p *compare.Pair) {
	for _, c := range n.PageChanges {
		verdict := n.settle(compare.SeverityCategory(page.Severity(strings.ToLower(c.Severity))))
		p.Tell(vcd.ChangeKind(strings.ToLower(c.Kind)), verdict, c.Sentence, "", c.Sentence)
	}
	if r := n.AIVerificationResult; r != nil {
		if r.CaptureIssue != nil {
			issue := strings.ToLower(*r.CaptureIssue)
			p.TellBlank(issue, n.settle(compare.BlankCategory(issue)), r.Summary)
		}
		if a := r.ConsoleAnalysis; a != nil {
			p.Tell(compare.KindConsole, n.category(a.Category), a.Description, "", a.Description)
		}
	}
	if n.UnlistedFindings != nil && *n.UnlistedFindings > 0 {
		p.Tell(compare.KindUnlisted, n.settle(vcd.CategoryNotSure), vcd.Plural(*n.UnlistedFindings, "more change")+" not listed.",
			"There are too many to list individually.", n.Address)
	}
	if n.Truncated {
		p.Tell(compare.KindTruncated, n.settle(vcd.CategoryNotSure), vcd.TruncationWords, "", "")
	}
}

// tellStatus makes sure that the pair says what its status says: there may be an alarm that no verdict explains.
func (n *comparison) tellStatus(p *compare.Pair) {
	switch {
	case n.Status == statusToFix:
		p.Tell("to_fix", vcd.CategoryAlert, "The page was marked to be fixed.", "Somebody reviewed it.", "")
	case n.settled() || p.Fails(compare.FailOnUnsure):
	case n.AlarmReason != nil:
		p.Tell("alarm", vcd.CategoryAlert, *n.AlarmReason, "", *n.AlarmReason)
	default:
		p.Tell("unjudged", vcd.CategoryNotSure, fmt.Sprintf("%.2f %% of the page changed.", p.Percent),
			"That is above the threshold of its group.", n.Address)
	}
}

func (s *screenshot) view() compare.View {
	if s == nil {
		return compare.View{}
	}
	return compare.View{Address: s.FinalURL, Status: s.StatusCode, Title: s.HTMLTitle, Width: s.Width, Height: s.Height}
}
