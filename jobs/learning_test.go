package jobs_test

import (
	"image/color"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// A saying that is another one each day alarms until that is known, and again when it is an error.
func TestMonitoringKnowsWhatChangesEachDay(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var look *capture.Shot
	clock := newShiftedClock()
	w := newWorldWith(t, func(capture.Request) (*capture.Shot, error) {
		mu.Lock()
		defer mu.Unlock()
		return look, nil
	}, func(c *jobs.Config) {
		c.Service = c.Service.With(func(c *app.Config) { c.Clock = clock })
	})
	if _, err := w.service.Accounts.SetPlan(t.Context(), w.actor.Account, account.PlanChange{AIVerification: vcd.Some(true)}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.service.Accounts.UpdateAccount(t.Context(), w.actor, account.Change{NoiseProbes: vcd.Some(false)}); err != nil {
		t.Fatal(err)
	}
	id := w.group("https://example.com", inventory.GroupChange{
		Monitoring: vcd.Some(true), HourOfDay: vcd.Some(6), ConfirmChanges: vcd.Some(false), Threshold: vcd.Some(0.0),
	})
	blue, red, green := color.RGBA{B: 200, A: 255}, color.RGBA{R: 200, A: 255}, color.RGBA{G: 90, A: 255}
	purple, orange := color.RGBA{R: 150, B: 150, A: 255}, color.RGBA{R: 230, G: 130, A: 255}
	for day, c := range []struct {
		says, want string
		shade      color.Color // of what is said
	}{
		{"Sow poppies in the first days of spring", "baseline", blue},
		{"Roses like to be left to themselves", "new alarm", red},
		{"Water in the evening and never at noon", "new alarm", green},
		{"Leave the leaves below the hedge for hedgehogs", "ok", purple},
		{"Leave the leaves below the hedge for hedgehogs", "ok", purple},
		{"Fatal error: Uncaught Error: call to undefined", "new alarm", orange},
	} {
		mu.Lock()
		look = sentence(c.says, c.shade)
		mu.Unlock()
		if got := w.nextDay(clock, id); got != c.want {
			t.Errorf("day %d: %s, want %s", day+1, got, c.want)
		}
	}
	list, err := w.service.Reviews.Comparisons(t.Context(), w.actor, vcd.ComparisonFilter{}, vcd.Page{Size: 9}, false)
	if err != nil {
		t.Fatal(err)
	}
	reason := list.Items[len(list.Items)-3].Verification.Findings[0].Reason
	if !strings.Contains(reason, "changed in 2 of 2 earlier visits") {
		t.Errorf("the third change is silent because: %s", reason)
	}
	known, err := w.service.Reviews.LearnedNoise(t.Context(), w.actor, list.Items[0].URLID, vcd.Desktop)
	if err != nil || len(known.Knowledge.Visits) != 5 || len(known.Knowledge.Parts) != 1 {
		t.Errorf("%+v, %v", known, err)
	}
	w.checkInvariants()
}
