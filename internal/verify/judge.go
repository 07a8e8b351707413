package verify

import (
	"context"
	"errors"
	"slices"

	"afterimage/internal/verify/dom"
)

// Code names the rule that decided on a region.
type Code string

// The rules.
const (
	CodeError     Code = "error_text"
	CodeStatus    Code = "http_status"
	CodeStyles    Code = "style_sheet"
	CodeLayout    Code = "layout"
	CodePicture   Code = "broken_picture"
	CodeContrast  Code = "unreadable"
	CodePrice     Code = "price"
	CodeLoading   Code = "loading"
	CodeBlank     Code = "blank"
	CodeGone      Code = "gone"
	CodeDynamic   Code = "dynamic_text"
	CodeNoise     Code = "noise"
	CodeAd        Code = "advertisement"
	CodeRotation  Code = "rotation"
	CodeConsent   Code = "consent"
	CodeOverlay   Code = "overlay"
	CodeCaptcha   Code = "captcha"
	CodeFeed      Code = "feed"
	CodeWidget    Code = "widget"
	CodeEncoding  Code = "same_picture"
	CodeReordered Code = "reordered"
	CodeShift     Code = "shift"
	CodeLearned   Code = "learned" // from earlier visits, see package noise
	CodeTrained   Code = "trained" // the trained judge, see docs/verification.md
	CodeUnseen    Code = "unseen"  // no counted pixel shows the change
	CodeUnknown   Code = "unknown"
	CodeModel     Code = "model"
	CodeFeedback  Code = "feedback_rule" // set by the code that matches feedback rules
)

// Verify finds what changed and judges it by the rules alone: each change and, by the worst of its changes, each region.
// Its work is limited by the number of elements, regions and bands, and linear in the number of pixels; regions beyond the
// limit are undecided. The error is that of the context.
func Verify(ctx context.Context, p *Pair) (*Result, error) {
	if r := captureIssue(p); r != nil {
		return r, nil
	}
	p = p.known()
	l := newListing()
	var failure error
	done, err := dom.Until(func() {
		v := newView(stepsFor(ctx, p), p)
		if p.causal() {
			failure = l.gatherCauses(v)
			l.warn()
			return
		}
		l.gather(v)
		failure = l.cover()
		l.warn()
		l.faint()
	})
	if failed := errors.Join(err, failure); failed != nil {
		return nil, failed
	}
	l.complete = l.complete && done
	return l.result(p), nil
}

// result derives the verdicts from what was listed.
func (l *listing) result(p *Pair) *Result {
	r := &Result{Verdicts: make([]Verdict, len(p.Regions)), LeftOut: p.LeftOut, Refused: l.refused}
	l.giveUp(p.Regions)
	for i := range p.Regions {
		r.Verdicts[i] = l.verdict(&p.Regions[i])
	}
	l.cut()
	l.sort()
	r.Findings, r.Unlisted, r.Explained = l.found, l.unlisted, l.complete && l.unlisted.Count == 0
	for i := range r.Findings {
		f := &r.Findings[i]
		r.Explained = r.Explained && (f.Change != Unexplained || f.Ruling.Category == AllGood)
	}
	if l.complete {
		r.LeftOut = 0
	}
	r.Tally()
	return r
}

// warn raises an alert for the heaviest region when the page as a whole is certainly broken and nothing else has reported it.
func (l *listing) warn() {
	state := l.pageState()
	if state == nil || !state.certain || len(l.found) == 0 {
		return
	}
	region := l.heaviestRegion()
	heaviest := 0
	for i := range l.found {
		if l.found[i].Ruling.Category == Alert {
			return
		}
		if slices.Contains(l.found[i].Regions, region) && l.found[i].Weight() > l.found[heaviest].Weight() {
			heaviest = i
		}
	}
	l.found[heaviest].Ruling = Ruling{Alert, state.code, state.reason, state.confidence, true}
}

// heaviestRegion is the region with the most changed pixels, 0 for none.
func (l *listing) heaviestRegion() int {
	id, most := 0, 0
	for i := range l.Regions {
		if l.Regions[i].Pixels > most {
			id, most = l.Regions[i].ID, l.Regions[i].Pixels
		}
	}
	return id
}

// captureIssue returns the result for a blank picture; nil when neither is blank.
func captureIssue(p *Pair) *Result {
	switch {
	case p.Before.Blank && p.After.Blank:
		return &Result{CaptureIssue: BothBlank, Summary: "Both screenshots are blank."}
	case p.After.Blank:
		return &Result{CaptureIssue: AfterBlank, Alerts: 1, Summary: "The page is now blank."}
	case p.Before.Blank:
		return &Result{CaptureIssue: BeforeBlank, Summary: "The page was blank before, so there is nothing to compare with."}
	}
	return nil
}
