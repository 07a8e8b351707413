package review_test

import (
	"fmt"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

func TestSimulationsReplayWhatIsStored(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{Threshold: vcd.Some(2.0)})
	w.Round(g, false, 1, vcdtest.Lamp(vcd.CategoryNotSure))
	w.Round(g, false, 5, vcdtest.Lamp(vcd.CategoryAllGood))
	w.Round(g, false, 5, vcdtest.Lamp(vcd.CategoryNotSure))
	list, err := w.Service.Reviews.Comparisons(t.Context(), w.Actor, vcd.ComparisonFilter{}, vcd.Page{Size: 1}, false)
	must(t, err)
	draft := review.FeedbackRuleInput{ComparisonID: string(list.Items[0].ID), RegionID: vcdtest.Number(1), Reach: review.ReachURL}
	low, high := 0.5, 10.0
	simulate := func(in review.SimulationInput) string {
		in.GroupID, in.Days = g.ID, 30
		s, err := w.Service.Reviews.Simulate(t.Context(), w.Actor, in)
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
	rule := w.Rule(draft)
	preview, err := w.Service.Reviews.PreviewRule(t.Context(), w.Actor, rule)
	if err != nil || *preview != (review.RulePreview{Comparisons: 6, Silenced: 2, Complete: true}) {
		t.Errorf("%+v, %v", preview, err)
	}
	if got := simulate(review.SimulationInput{Exclude: []string{string(rule.ID)}}); got != "6 2 2 0 0 0 0 true" {
		t.Errorf("without the rule: %s", got)
	}
	_, err = w.Service.Reviews.Simulate(t.Context(), w.Actor, review.SimulationInput{GroupID: g.ID, Days: 91})
	wantCode(t, err, vcd.CodeInvalid)
	w.Clock.Advance(31 * 24 * time.Hour)
	problems, err := w.Service.Reviews.FeedbackRuleProblems(t.Context(), w.Actor)
	if err != nil || len(problems) != 1 || problems[0].Kind != vcd.RuleStale {
		t.Errorf("%+v, %v", problems, err)
	}
}
