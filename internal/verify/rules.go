package verify

// rule recognises one kind of change.
type rule[T any] struct {
	name       string
	group      Category // category of the change
	code       Code     // names the rule in a verdict
	confidence float64  // that the category is right, 0 to 1
	certain    bool     // no model may lower it
	test       func(T) (reason string)
}

// findingRules are applied to a finding in order; the first that gives a reason decides. A rule that raises an alert
// comes before those that consider the same change harmless; the rules for missing parts come last, since they apply to
// what no other rule explains.
var findingRules = []rule[*scene]{
	{"error message", Alert, CodeError, 0.97, true, errorMessage},
	{"key for a text", Alert, CodeError, 0.85, false, keyForText},
	{"broken picture", Alert, CodePicture, 0.97, true, brokenPicture},
	{"unreadable text", Alert, CodeContrast, 0.9, true, unreadableText},
	{"lost amount", Alert, CodePrice, 0.9, true, lostAmount},
	{"still loading", Alert, CodeLoading, 0.8, false, stillLoading},
	{"blank part", Alert, CodeBlank, 0.9, true, blankPart},
	{"distorted picture", Alert, CodeLayout, 0.85, false, distortedPicture},
	{"overlapping texts", Alert, CodeLayout, 0.85, false, overlappingTexts},
	{"one picture for several", Alert, CodePicture, 0.85, false, onePictureForSeveral},
	{"duplicate part", Alert, CodeLayout, 0.85, false, duplicatePart},
	{"emptied part", Alert, CodeGone, 0.8, false, emptiedPart},
	{"covered texts", Alert, CodeLayout, 0.85, false, coveredTexts},

	{"marked as content", NotSure, CodeLearned, 0.9, true, markedAsContent},
	{"unstable place", AllGood, CodeNoise, 0.85, false, unstablePlace},
	{"other name in a greeting", AllGood, CodeDynamic, 0.8, false, otherGreeting},
	{"dates, times and numbers", AllGood, CodeDynamic, 0.95, false, otherNumbers},
	{"question to add up", AllGood, CodeCaptcha, 0.85, false, sum},
	{"number among moving ones", AllGood, CodeDynamic, 0.75, false, numberAmongMoving},
	{"progress bar", AllGood, CodeDynamic, 0.8, false, progressBar},
	{"mark that moved on", AllGood, CodeDynamic, 0.8, false, movedMark},
	{"coloured number", AllGood, CodeDynamic, 0.8, false, colouredNumber},
	{"pager", AllGood, CodeRotation, 0.85, false, pagerMoved},
	{"another slide", AllGood, CodeRotation, 0.85, false, anotherSlide},
	{"served by others", AllGood, CodeAd, 0.8, false, servedByOthers},
	{"consent banner", AllGood, CodeConsent, 0.8, false, consentBanner},
	{"small box in a corner", AllGood, CodeOverlay, 0.7, false, cornerBox},
	{"list that moved on", AllGood, CodeFeed, 0.75, false, movedList},
	{"video frame", AllGood, CodeWidget, 0.75, false, videoFrame},
	{"re-encoded picture", AllGood, CodeEncoding, 0.85, false, reencodedPicture},
	{"speck", AllGood, CodeNoise, 0.7, false, speck},
	{"text rendering", AllGood, CodeNoise, 0.7, false, textRendering},
	{"pushed aside", AllGood, CodeDynamic, 0.8, false, pushedAside},
	{"shifted rows", AllGood, CodeShift, 0.8, false, shiftedRows},

	{"learned habit", AllGood, CodeLearned, 0.85, false, learnedHabit},
	{"missing part", Alert, CodeGone, 0.8, false, missingPart},
	{"missing button", Alert, CodeGone, 0.75, false, missingButton},
	{"missing picture", Alert, CodeGone, 0.75, false, missingPicture},
}

// pageRules are applied to a pair as a whole, in order. Their result explains every finding to which no other rule
// applies.
var pageRules = []rule[*view]{
	{"error status", Alert, CodeStatus, 0.99, true, errorStatus},
	{"missing style sheet", Alert, CodeStyles, 0.97, true, missingStyleSheet},
	{"new line with an error", Alert, CodeError, 0.95, true, newLineWithError},
	{"lost text", Alert, CodeGone, 0.9, true, lostText},
	{"restless layout", Alert, CodeLayout, 0.8, false, restlessLayout},
	{"wider than the screen", Alert, CodeLayout, 0.8, false, widerThanScreen},
}

// opinion is the result of a rule.
type opinion struct {
	category   Category
	code       Code
	reason     string
	confidence float64
	certain    bool
}

// decide returns the opinion of the first rule that gives a reason; nil when none does.
func decide[T any](rules []rule[T], about T) *opinion {
	for i := range rules {
		r := &rules[i]
		if reason := r.test(about); reason != "" {
			return &opinion{r.group, r.code, reason, r.confidence, r.certain}
		}
	}
	return nil
}
