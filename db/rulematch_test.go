package db_test

import (
	"fmt"
	"strings"
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

func TestFeedbackRulesFollowTheirElement(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g, _ := w.group("shop", 1, inventory.GroupChange{})
	w.round(g, false, 5, lamp(vcd.CategoryNotSure))
	rule := w.rule(review.FeedbackRuleInput{RegionID: number(1), Reach: review.ReachGroupOrWebsite})
	chair := "Kitchen chair of oak"
	moved := lamp(vcd.CategoryNotSure)
	moved.Changes = []vcd.FoundChange{{
		Kind: "text_changed", Category: vcd.CategoryNotSure, Fingerprint: "another",
		Before: price(2, "€ 12", "Desk lamp in brass", 400), After: price(2, "€ 14", "Desk lamp in brass", 400),
	}}
	gone := lamp(vcd.CategoryNotSure)
	gone.Changes = []vcd.FoundChange{{Kind: "vanished", Category: vcd.CategoryNotSure, Fingerprint: "gone",
		Before: price(1, "€ 12", "Desk lamp in brass", 100)}}
	worse := lamp(vcd.CategoryAlert)
	worse.Changes[0].Fingerprint = "worse"
	both := lamp(vcd.CategoryNotSure)
	both.Changes = append(both.Changes, gone.Changes...)
	for name, c := range map[string]struct {
		finding vcd.Finding
		want    string
	}{
		"again": {found(1, vcd.CategoryNotSure, price(1, "€ 12", "Desk lamp in brass", 100),
			price(1, "€ 9", "Desk lamp in brass", 100)), "ok"},
		"pushed down and numbered": {moved, "ok"},
		"another card":             {found(1, vcd.CategoryNotSure, price(3, "€ 12", chair, 700), price(3, "€ 9", chair, 700)), "new"},
		"another card, same place": {found(1, vcd.CategoryNotSure, price(1, "€ 12", chair, 100), price(1, "€ 9", chair, 100)), "new"},
		"gone":                     {gone, "new"},
		"an alert":                 {worse, "new"},
		"something else too":       {both, "new"},
	} {
		batch, _ := w.round(g, false, 5, c.finding)
		if got := w.told(batch); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	counted := func() string {
		r, err := w.service.Reviews.FeedbackRule(t.Context(), w.actor, rule.ID)
		must(t, err)
		return fmt.Sprint(r.MatchCount, r.LastMatchedAt != nil)
	}
	if got := counted(); got != "4 true" { // twice on two devices
		t.Errorf("matched %s", got)
	}
	n, err := w.db.CountRuleMatches(t.Context(), 3)
	if err != nil || n != 3 || counted() != "4 true" {
		t.Errorf("%d counted (%v), then %s", n, err, counted())
	}
	_, err = w.service.Reviews.UpdateFeedbackRule(t.Context(), w.actor, rule.ID, review.FeedbackRuleChange{IsActive: vcd.Some(false)})
	must(t, err)
	if batch, _ := w.round(g, false, 5, lamp(vcd.CategoryNotSure)); !strings.HasPrefix(w.told(batch), "new") {
		t.Error("a rule that is switched off matches")
	}
	w.checkInvariants()
}

// Results that match the same rule wait for nobody who does the same.
func TestMatchesOfARuleDoNotWaitForEachOther(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g, _ := w.group("shop", 1, inventory.GroupChange{})
	w.round(g, false, 5, lamp(vcd.CategoryNotSure))
	rule := w.rule(review.FeedbackRuleInput{RegionID: number(1)})
	held, err := w.db.Pool().Begin(t.Context())
	must(t, err)
	defer held.Rollback(t.Context())
	_, err = held.Exec(t.Context(), "SELECT set_config('afterimage.system', 'on', true)")
	must(t, err)
	_, err = held.Exec(t.Context(),
		`INSERT INTO ai_feedback_rule_matches SELECT account_id, id, gen_random_uuid(), 1, now() FROM ai_feedback_rules`)
	must(t, err)
	w.round(g, false, 5, lamp(vcd.CategoryNotSure)) // would hang
	if _, err := w.db.CountRuleMatches(t.Context(), 100); err != nil {
		t.Error(err)
	}
	must(t, held.Commit(t.Context()))
	r, err := w.service.Reviews.FeedbackRule(t.Context(), w.actor, rule.ID)
	if err != nil || r.MatchCount != 3 {
		t.Errorf("%d matches, %v", r.MatchCount, err)
	}
	w.checkInvariants()
}

// A rule that passes over alerts on many pages is more than its maker can have meant.
func TestRulesThatPassOverTooMuchAreTold(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g, _ := w.group("shop", 4, inventory.GroupChange{})
	w.round(g, false, 5, lamp(vcd.CategoryAlert))
	rule := w.rule(review.FeedbackRuleInput{RegionID: number(1), Reach: review.ReachGroupOrWebsite})
	if batch, _ := w.round(g, false, 5, lamp(vcd.CategoryAlert)); !strings.HasPrefix(w.told(batch), "ok") {
		t.Errorf("a rule made out of an alert does not match it: %s", w.told(batch))
	}
	problems, err := w.service.Reviews.FeedbackRuleProblems(t.Context(), w.actor)
	if err != nil || len(problems) != 1 || problems[0].Kind != vcd.RuleOverBroad || problems[0].Rule.ID != rule.ID {
		t.Errorf("%+v, %v", problems, err)
	}
}
