package review_test

import (
	"fmt"
	"strings"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

func TestFeedbackRulesFollowTheirElement(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	w.Round(g, false, 5, vcdtest.Lamp(vcd.CategoryNotSure))
	rule := w.Rule(review.FeedbackRuleInput{RegionID: vcdtest.Number(1), Reach: review.ReachGroupOrWebsite})
	chair := "Kitchen chair of oak"
	moved := vcdtest.Lamp(vcd.CategoryNotSure)
	moved.FoundChange = vcd.FoundChange{
		Kind: "text_changed", Category: vcd.CategoryNotSure, Fingerprint: "another",
		Before: vcdtest.Price(2, "€ 12", "Desk lamp in brass", 400), After: vcdtest.Price(2, "€ 14", "Desk lamp in brass", 400),
	}
	sale := func(place, y int) vcd.Finding {
		before, after := vcdtest.Price(place, "€ 12", chair, y), vcdtest.Price(place, "€ 9", chair, y)
		return vcdtest.Found(1, vcd.CategoryNotSure, before, after)
	}
	gone := vcdtest.Lamp(vcd.CategoryNotSure)
	gone.FoundChange = vcd.FoundChange{Kind: "vanished", Category: vcd.CategoryNotSure, Fingerprint: "gone",
		Before: vcdtest.Price(1, "€ 12", "Desk lamp in brass", 100)}
	worse := vcdtest.Lamp(vcd.CategoryAlert)
	worse.Fingerprint = "worse"
	for name, c := range map[string]struct {
		findings []vcd.Finding
		want     string
	}{
		"again": {[]vcd.Finding{vcdtest.Found(1, vcd.CategoryNotSure, vcdtest.Price(1, "€ 12", "Desk lamp in brass", 100),
			vcdtest.Price(1, "€ 9", "Desk lamp in brass", 100))}, "ok"},
		"pushed down and numbered": {[]vcd.Finding{moved}, "ok"},
		"another card":             {[]vcd.Finding{sale(3, 700)}, "new"},
		"another card, same place": {[]vcd.Finding{sale(1, 100)}, "new"},
		"gone":                     {[]vcd.Finding{gone}, "new"},
		"an alert":                 {[]vcd.Finding{worse}, "new"},
		"something else too":       {[]vcd.Finding{vcdtest.Lamp(vcd.CategoryNotSure), gone}, "new"}, // in the same region
	} {
		batch, _ := w.Round(g, false, 5, c.findings...)
		if got := w.Told(batch); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	counted := func() string {
		r, err := w.Service.Reviews.FeedbackRule(t.Context(), w.Actor, rule.ID)
		must(t, err)
		return fmt.Sprint(r.MatchCount, r.LastMatchedAt != nil)
	}
	if got := counted(); got != "6 true" { // three times on each of two devices
		t.Errorf("matched %s", got)
	}
	n, err := w.DB.CountRuleMatches(t.Context(), 3)
	if err != nil || n != 3 || counted() != "6 true" {
		t.Errorf("%d counted (%v), then %s", n, err, counted())
	}
	_, err = w.Service.Reviews.UpdateFeedbackRule(t.Context(), w.Actor, rule.ID, review.FeedbackRuleChange{IsActive: vcd.Some(false)})
	must(t, err)
	if batch, _ := w.Round(g, false, 5, vcdtest.Lamp(vcd.CategoryNotSure)); !strings.HasPrefix(w.Told(batch), "new") {
		t.Error("a rule that is switched off matches")
	}
	w.CheckInvariants()
}

// Results that match the same rule concurrently do not block each other.
func TestMatchesOfARuleDoNotWaitForEachOther(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	w.Round(g, false, 5, vcdtest.Lamp(vcd.CategoryNotSure))
	rule := w.Rule(review.FeedbackRuleInput{RegionID: vcdtest.Number(1)})
	held, err := w.DB.SystemPool().Begin(t.Context())
	must(t, err)
	defer held.Rollback(t.Context())
	_, err = held.Exec(t.Context(), "SELECT set_config('afterimage.system', 'on', true)")
	must(t, err)
	_, err = held.Exec(t.Context(),
		`INSERT INTO ai_feedback_rule_matches SELECT account_id, id, gen_random_uuid(), 1, now() FROM ai_feedback_rules`)
	must(t, err)
	w.Round(g, false, 5, vcdtest.Lamp(vcd.CategoryNotSure)) // would hang
	if _, err := w.DB.CountRuleMatches(t.Context(), 100); err != nil {
		t.Error(err)
	}
	must(t, held.Commit(t.Context()))
	r, err := w.Service.Reviews.FeedbackRule(t.Context(), w.Actor, rule.ID)
	if err != nil || r.MatchCount != 3 {
		t.Errorf("%d matches, %v", r.MatchCount, err)
	}
	w.CheckInvariants()
}

// A rule that silences alerts on many pages is broader than its author can have intended.
func TestRulesThatPassOverTooMuchAreTold(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("shop", 4, inventory.GroupChange{})
	w.Round(g, false, 5, vcdtest.Lamp(vcd.CategoryAlert))
	rule := w.Rule(review.FeedbackRuleInput{RegionID: vcdtest.Number(1), Reach: review.ReachGroupOrWebsite})
	if batch, _ := w.Round(g, false, 5, vcdtest.Lamp(vcd.CategoryAlert)); !strings.HasPrefix(w.Told(batch), "ok") {
		t.Errorf("a rule made out of an alert does not match it: %s", w.Told(batch))
	}
	problems, err := w.Service.Reviews.FeedbackRuleProblems(t.Context(), w.Actor)
	if err != nil || len(problems) != 1 || problems[0].Kind != vcd.RuleOverBroad || problems[0].Rule.ID != rule.ID {
		t.Errorf("%+v, %v", problems, err)
	}
}
