package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"afterimage/internal/page"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

// changed are a button, a price and a banner that changed in one region.
func changed() []vcd.Finding {
	element := func(tag, text string) *page.ElementIdentity {
		return &page.ElementIdentity{Selector: "html > body > " + tag, Tag: tag, Text: text, Box: page.Box{Width: 90, Height: 20}}
	}
	button := vcdtest.Found(1, vcd.CategoryNotSure, element("button", "Buy now"), element("button", "Add to basket"))
	button.Description, button.Weight = "Button: text changed", 1
	price := vcdtest.Found(1, vcd.CategoryNotSure, element("p", "7.80"), element("p", "8.10"))
	price.Description = "Price: text changed"
	banner := vcdtest.Found(1, vcd.CategoryNotSure, element("div", ""), element("div", "Free delivery"))
	banner.Kind, banner.Fingerprint, banner.Description = "appeared", "banner", "Banner appeared"
	return []vcd.Finding{button, price, banner}
}

func (w *world) accept(batch vcd.ID, findings ...vcd.Finding) review.Verdict {
	w.T.Helper()
	var changes []string
	for _, f := range findings {
		changes = append(changes, f.Fingerprint)
	}
	verdict, err := w.Service.Reviews.SetStatusOfComparisons(w.T.Context(), w.Actor, vcd.ComparisonFilter{
		BatchIDs: &[]vcd.ID{batch}, Changes: &changes, OnlyThese: true,
	}, vcd.ComparisonOK, 100)
	must(w.T, err)
	return verdict
}

// TestAcceptingOneChangeAcceptsNoOther: whoever accepts one of three changes of a region has not accepted the others, which
// are listed; accepting all of them, in any number of steps, accepts the comparison.
func TestAcceptingOneChangeAcceptsNoOther(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	shown := changed()
	batch, _ := w.Round(g, false, 5, shown...)
	lists, err := w.Service.Reviews.ChangesOfBatches(t.Context(), w.Actor, []vcd.ID{batch}, vcd.ChangeFilter{}, vcd.Page{Size: 10})
	must(t, err)
	if items := lists[batch].Items; len(items) != 3 || items[0].Comparisons != 2 || items[0].Desktop != 1 {
		t.Errorf("the batch lists %+v", items)
	}
	for i := range shown {
		verdict := w.accept(batch, shown[i])
		if verdict.Matched != 0 || verdict.StillOpenCount != 2 || len(verdict.StillOpen) != 2 ||
			!slices.Equal(verdict.StillOpen[0].Reasons, []vcd.OpenReason{vcd.OpenOtherChanges}) ||
			verdict.StillOpen[0].Others.Count != 2 || len(verdict.StillOpen[0].Others.Descriptions) != 2 {
			t.Errorf("accepting %s alone: %+v", shown[i].Description, verdict)
		}
	}
	if verdict := w.accept(batch, shown...); verdict.Matched != 2 || len(verdict.Changed) != 2 || verdict.StillOpenCount != 0 {
		t.Errorf("accepting all: %+v", verdict)
	}
	w.CheckInvariants()
}

// TestWhatIsNotExplainedStaysOpen: a comparison that needs attention for anything but its listed changes is not accepted with
// them, and says why.
func TestWhatIsNotExplainedStaysOpen(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	f := vcdtest.Lamp(vcd.CategoryNotSure)
	batch, _ := w.Round(g, false, 5, f)
	for change, want := range map[string]string{
		"explained = false": "[unexplained]",
		"explained = false, unlisted_findings = 3, unlisted_pixels = 7, unlisted_category = 'not_sure'":    "[unlisted]",
		"explained = false, regions_left_out = 3":                                                          "[unlisted]",
		"explained = false, truncated = true":                                                              "[truncated]",
		`page_alarm = true, page_changes = '[{"kind": "status", "severity": "alarm"}]'`:                    "[page_alarm]",
		`console_verdict = '{"category": "alert", "description": "An error."}'`:                            "[console]",
		`page_alarm = true, explained = false, page_changes = '[{"kind": "status", "severity": "alarm"}]'`: "[unexplained page_alarm]",
	} {
		w.AsSystem("UPDATE comparisons SET " + change + " WHERE batch_id = '" + string(batch) + "'")
		verdict := w.accept(batch, f)
		if verdict.Matched != 0 || verdict.StillOpenCount != 2 || fmt.Sprint(verdict.StillOpen[0].Reasons) != want {
			t.Errorf("%s: %+v, want %s", change, verdict, want)
		}
		w.AsSystem(`UPDATE comparisons SET truncated = false, unlisted_findings = 0, unlisted_pixels = 0, unlisted_category = NULL,
			regions_left_out = 0, page_alarm = false, page_changes = '[]', console_verdict = NULL`)
		w.AsSystem("UPDATE comparisons SET explained = true")
	}
	if verdict := w.accept(batch, f); verdict.Matched != 2 {
		t.Errorf("an explained comparison: %+v", verdict)
	}
}

// TestABatchIsAcceptedButForWhatIsUnseen: whoever accepts a whole batch accepts what is listed; comparisons of which something
// is unknown remain open and say why, until somebody names them.
func TestABatchIsAcceptedButForWhatIsUnseen(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	batch, compared := w.Round(g, false, 5, vcdtest.Lamp(vcd.CategoryNotSure))
	accept := func(f vcd.ComparisonFilter, status vcd.ComparisonStatus) review.Verdict {
		t.Helper()
		verdict, err := w.Service.Reviews.SetStatusOfComparisons(t.Context(), w.Actor, f, status, 100)
		must(t, err)
		return verdict
	}
	whole := vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}}
	odd := compared[0].ID
	for change, want := range map[string]string{
		"explained = false": "[unexplained]",
		"explained = false, unlisted_findings = 3, unlisted_pixels = 7, unlisted_category = 'not_sure'": "[unlisted]",
		"explained = false, truncated = true":                                           "[truncated]",
		`page_alarm = true, page_changes = '[{"kind": "status", "severity": "alarm"}]'`: "[page_alarm]",
	} {
		w.AsSystem("UPDATE comparisons SET "+change+" WHERE id = $1", string(odd))
		verdict := accept(whole, vcd.ComparisonOK)
		if verdict.Matched != 1 || verdict.StillOpenCount != 1 || verdict.StillOpen[0].ID != odd ||
			fmt.Sprint(verdict.StillOpen[0].Reasons) != want {
			t.Errorf("%s: %+v, want %s", change, verdict, want)
		}
		if verdict = accept(whole, vcd.ComparisonToFix); verdict.Matched != 2 || verdict.StillOpenCount != 0 {
			t.Errorf("%s: to be fixed are %+v", change, verdict)
		}
		verdict = accept(vcd.ComparisonFilter{IDs: &[]vcd.ID{odd}}, vcd.ComparisonOK)
		if verdict.Matched != 1 || len(verdict.Changed) != 1 {
			t.Errorf("%s: accepted by its id: %+v", change, verdict)
		}
		w.AsSystem(`UPDATE comparisons SET status = 'new', truncated = false, unlisted_findings = 0, unlisted_pixels = 0,
			unlisted_category = NULL, regions_left_out = 0, page_alarm = false, page_changes = '[]'`)
		w.AsSystem("UPDATE comparisons SET explained = true")
	}
	if verdict := accept(whole, vcd.ComparisonFalsePositive); verdict.Matched != 2 || verdict.StillOpenCount != 0 {
		t.Errorf("with everything known: %+v", verdict)
	}
}

// TestARuleSilencesWhatItWasCreatedFrom: a rule created from a region that shows one change silences neither a second change
// of the same region nor the comparison.
func TestARuleSilencesWhatItWasCreatedFrom(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	shown := changed()
	w.Round(g, false, 5, shown[0])
	w.Rule(review.FeedbackRuleInput{RegionID: vcdtest.Number(1), Reach: review.ReachGroupOrWebsite})
	batch, compared := w.Round(g, false, 5, shown...)
	if got := w.Told(batch); !strings.HasPrefix(got, "new") {
		t.Errorf("with two other changes: %s", got)
	}
	silenced := 0
	for _, f := range compared[0].Verification.Findings {
		if f.RuleID != nil {
			silenced++
		}
	}
	if silenced != 1 {
		t.Errorf("%d findings are silenced", silenced)
	}
	if batch, _ = w.Round(g, false, 5, shown[0]); !strings.HasPrefix(w.Told(batch), "ok") {
		t.Errorf("alone: %s", w.Told(batch))
	}
}
