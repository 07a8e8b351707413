package db_test

import (
	"fmt"
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

func TestSimulationsReplayWhatIsStored(t *testing.T) {
	w := newWorld(t)
	w.verifying()
	g, _ := w.group("shop", 1, inventory.GroupChange{Threshold: vcd.Some(2.0)})
	w.round(g, false, 1, lamp(vcd.CategoryNotSure))
	w.round(g, false, 5, lamp(vcd.CategoryAllGood))
	w.round(g, false, 5, lamp(vcd.CategoryNotSure))
	list, err := w.service.Reviews.Comparisons(t.Context(), w.actor, vcd.ComparisonFilter{}, vcd.Page{Size: 1}, false)
	must(t, err)
	draft := review.FeedbackRuleInput{ComparisonID: string(list.Items[0].ID), RegionID: number(1), Reach: review.ReachURL}
	low, high := 0.5, 10.0
	simulate := func(in review.SimulationInput) string {
		in.GroupID, in.Days = g.ID, 30
		s, err := w.service.Reviews.Simulate(t.Context(), w.actor, in)
		must(t, err)
		return fmt.Sprint(s.Comparisons, s.AlarmsThen, s.AlarmsNow, s.AppearedCount, s.VanishedCount, len(s.Appeared),
			len(s.Vanished), s.Complete)
	}
	for name, c := range map[string]struct {
		in   review.SimulationInput
		want string
	}{
		"nothing changed": {review.SimulationInput{}, "6 2 2 0 0 0 0 true"},
		"lower":           {review.SimulationInput{Threshold: &low}, "6 2 4 2 0 2 0 true"},
		"higher":          {review.SimulationInput{Threshold: &high}, "6 2 0 0 2 0 2 true"},
		"with a rule":     {review.SimulationInput{Threshold: &low, Add: []review.FeedbackRuleInput{draft}}, "6 2 0 0 2 0 2 true"},
	} {
		if got := simulate(c.in); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	rule := w.rule(draft)
	preview, err := w.service.Reviews.PreviewRule(t.Context(), w.actor, rule)
	if err != nil || *preview != (review.RulePreview{Comparisons: 6, Silenced: 2, Complete: true}) {
		t.Errorf("%+v, %v", preview, err)
	}
	if got := simulate(review.SimulationInput{Exclude: []string{string(rule.ID)}}); got != "6 2 2 0 0 0 0 true" {
		t.Errorf("without the rule: %s", got)
	}
	_, err = w.service.Reviews.Simulate(t.Context(), w.actor, review.SimulationInput{GroupID: g.ID, Days: 91})
	wantCode(t, err, vcd.CodeInvalid)
	w.clock.advance(31 * 24 * time.Hour)
	problems, err := w.service.Reviews.FeedbackRuleProblems(t.Context(), w.actor)
	if err != nil || len(problems) != 1 || problems[0].Kind != vcd.RuleStale {
		t.Errorf("%+v, %v", problems, err)
	}
}
