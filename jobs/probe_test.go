package jobs_test

import (
	"image/color"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// A saying that is drawn anew for each visitor is known from probes before it could alarm: from those after the first run, or from those
// that a page has since it is in a group.
func TestProbesTeachBeforeTheNextRun(t *testing.T) {
	t.Parallel()
	t.Run("after the first run", func(t *testing.T) { t.Parallel(); probesTeach(t, false) })
	t.Run("before the first run", func(t *testing.T) { t.Parallel(); probesTeach(t, true) })
}

func probesTeach(t *testing.T, atOnce bool) {
	t.Helper()
	sayings := []string{
		"Sow poppies in the first days of spring", "Roses like to be left to themselves", "Water in the evening and never at noon",
		"Leave the leaves below the hedge for hedgehogs", "Cut the apple trees before they wake up", "Beans want poles and peas want twigs",
	}
	shades := []color.Color{
		color.RGBA{B: 200, A: 255}, color.RGBA{R: 200, A: 255}, color.RGBA{G: 90, A: 255}, color.RGBA{R: 150, B: 150, A: 255},
		color.RGBA{R: 230, G: 130, A: 255}, color.RGBA{G: 160, B: 160, A: 255},
	}
	var mu sync.Mutex
	day := 0
	probed := make(chan capture.Request, 10)
	clock := newShiftedClock()
	w := newWorldWith(t, func(r capture.Request) (*capture.Shot, error) {
		mu.Lock()
		defer mu.Unlock()
		n := day
		if r.Seed != 0 {
			probed <- r
			n = int(r.Seed)
		}
		return sentence(sayings[n], shades[n]), nil
	}, func(c *jobs.Config) {
		c.Service = c.Service.With(func(c *app.Config) { c.Clock = clock })
		c.ProbeEvery = 20 * time.Millisecond
	})
	if _, err := w.service.Accounts.SetPlan(t.Context(), w.actor.Account, account.PlanChange{AIVerification: vcd.Some(true)}); err != nil {
		t.Fatal(err)
	}
	id := w.group("https://example.com", inventory.GroupChange{
		Monitoring: vcd.Some(true), HourOfDay: vcd.Some(6), ConfirmChanges: vcd.Some(false), Threshold: vcd.Some(0.0),
	})
	probes := 2
	if !atOnce {
		probes = 3
		if got := w.nextDay(clock, id); got != "baseline" {
			t.Fatal(got)
		}
	}
	for n := range probes { // the lesson of each is stored before the next is taken
		clock.reach(clock.Now().Add(6 * time.Minute))
		select {
		case r := <-probed:
			if r.Seed != uint32(n)+2 || r.Later < 72*time.Hour || r.URL != "https://example.com" {
				t.Errorf("probe %d: %+v", n, r)
			}
		case <-time.After(patience):
			t.Fatalf("no probe %d", n)
		}
	}
	if atOnce {
		if got := w.nextDay(clock, id); got != "baseline" {
			t.Fatal(got)
		}
	}
	mu.Lock()
	day = 1
	mu.Unlock()
	if got := w.nextDay(clock, id); got != "ok" {
		t.Errorf("another saying on the next day: %s", got)
	}
	list, err := w.service.Reviews.Comparisons(t.Context(), w.actor, vcd.ComparisonFilter{}, vcd.Page{Size: 9}, false)
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	v := list.Items[0].Verification
	if v == nil || len(v.Findings) != 1 || !strings.Contains(v.Findings[0].Reason, "This part changed in") {
		t.Errorf("silent because: %+v", v)
	}
	w.checkInvariants()
}
