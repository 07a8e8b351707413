package vcd

import (
	"fmt"
	"strings"
	"time"
)

// OverallStatus is the verification result of a whole batch.
type OverallStatus string

// The overall states.
const (
	OverallOK             OverallStatus = "everything_ok"
	OverallNeedsAttention OverallStatus = "needs_attention"
)

// BatchSummary is the verification result of a finished batch. Later reviews do not change it.
type BatchSummary struct {
	Summary string
	Overall OverallStatus
	Elapsed time.Duration // sum over all its verifications
}

// VerificationTotals adds up the verification results of a batch.
type VerificationTotals struct {
	Comparisons int    // with verification of any state
	Alarmed     int    // that were new
	Changes     int    // different changes to look at, each counted once for the whole batch
	Gravest     string // description of the most severe of them, and of equally severe ones of the one that most comparisons show
	Silenced    int    // above their threshold, but with only harmless changes
	Blank       int    // alarms because the page is now blank
	Unanswered  int    // a model was needed and did not answer
	Unseen      int    // whose screenshots do not show all of the page
	Elapsed     time.Duration
}

// Summary builds the batch summary from the totals and the number of pages that could not be captured.
func (t VerificationTotals) Summary(failed int) *BatchSummary {
	s := &BatchSummary{Overall: OverallOK, Elapsed: t.Elapsed}
	parts := []string{fmt.Sprintf("%s: %d without relevant changes", Plural(t.Comparisons, "comparison"),
		t.Comparisons-t.Alarmed-t.Silenced)}
	say := func(n int, form string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(form, n))
		}
	}
	say(t.Silenced, "%d with harmless changes only")
	if t.Changes > 0 {
		say(t.Alarmed, "%d to review for "+Plural(t.Changes, "change"))
	} else {
		say(t.Alarmed, "%d to review")
	}
	text := strings.Join(parts, ", ") + "."
	if t.Alarmed > 0 && t.Gravest != "" {
		text += " " + t.Gravest
	}
	if t.Blank > 0 {
		text += " " + Plural(t.Blank, "page") + " now completely blank."
	}
	if t.Unanswered > 0 {
		text += fmt.Sprintf(" In %s, a model was needed but did not answer.", Plural(t.Unanswered, "comparison"))
	}
	if t.Unseen > 0 {
		text += fmt.Sprintf(" In %s, a part of the page was not captured.", Plural(t.Unseen, "comparison"))
	}
	if failed > 0 {
		text += fmt.Sprintf(" %s failed and could not be judged.", Plural(failed, "screenshot or comparison"))
	}
	if t.Alarmed > 0 || failed > 0 {
		s.Overall = OverallNeedsAttention
	}
	s.Summary = text
	return s
}
