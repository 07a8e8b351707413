package verify

import "context"

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
	CodeUnknown   Code = "unknown"
	CodeModel     Code = "model"
	CodeFeedback  Code = "feedback_rule" // set by the code that matches feedback rules
)

// Verify judges each region of a pair by the rules alone. Its work is limited by the number of elements, regions and
// bands; regions beyond the limit are undecided. The error is that of the context.
func Verify(ctx context.Context, p *Pair) (*Result, error) {
	if r := captureIssue(p); r != nil {
		return r, nil
	}
	r := &Result{Verdicts: make([]Verdict, len(p.Regions)), LeftOut: p.LeftOut}
	judged := 0
	done, err := until(func() {
		v := newView(newSteps(ctx, p), p)
		for ; judged < len(p.Regions); judged++ {
			r.Verdicts[judged] = v.judge(&p.Regions[judged])
		}
		v.warn(r)
	})
	if err != nil {
		return nil, err
	}
	if !done {
		for i := judged; i < len(p.Regions); i++ {
			r.Verdicts[i] = unjudged(&p.Regions[i])
		}
	}
	r.Tally()
	return r, nil
}

// warn raises an alert for the heaviest region when the page as a whole is certainly broken and no region has reported
// it.
func (v *view) warn(r *Result) {
	state := v.pageState()
	if state == nil || !state.certain || len(r.Verdicts) == 0 {
		return
	}
	for i := range r.Verdicts {
		if r.Verdicts[i].Category == Alert {
			return
		}
	}
	first := &r.Verdicts[0]
	first.Category, first.Code, first.Reason, first.Confidence, first.Certain = Alert, state.code, state.reason, state.confidence, true
}

// captureIssue returns the result for a blank picture; nil when neither is blank.
func captureIssue(p *Pair) *Result {
	switch {
	case p.Before.Blank && p.After.Blank:
		return &Result{CaptureIssue: BothBlank, Summary: "Both screenshots are blank."}
	case p.After.Blank:
		return &Result{CaptureIssue: AfterBlank, Alerts: 1, Summary: "The page is blank now."}
	case p.Before.Blank:
		return &Result{CaptureIssue: BeforeBlank, Summary: "The page was blank before, so there is nothing to compare with."}
	}
	return nil
}
