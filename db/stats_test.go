package db_test

import (
	"strings"
	"testing"
	"time"

	"afterimage/internal/vcdtest"

	"github.com/google/go-cmp/cmp"

	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/schedule"
)

func TestAccountStats(t *testing.T) {
	w := newWorld(t)
	s, c := w.Service, t.Context()
	empty, err := s.Accounts.Stats(c, w.Actor)
	must(t, err)
	if diff := cmp.Diff(&account.Stats{}, empty); diff != "" {
		t.Errorf("of an empty account:\n%s", diff)
	}
	daily := inventory.GroupChange{Monitoring: vcd.Some(true), Triggers: vcd.Some([]vcd.Trigger{{Type: "post_save", Scope: "url"}})}
	watched, urls := w.Group("watched", 3, daily)
	_, err = s.Inventory.UpdateSelection(c, w.Actor, watched.ID, urls[0].ID, inventory.SelectionChange{Mobile: vcd.Some(false)})
	must(t, err)
	_, err = s.Inventory.UpdateSelection(c, w.Actor, watched.ID, urls[1].ID, inventory.SelectionChange{Desktop: vcd.Some(false),
		Mobile: vcd.Some(false)})
	must(t, err)
	manual, _ := w.Group("manual", 2, inventory.GroupChange{})
	alone, _ := w.Group("alone", 1, inventory.GroupChange{Monitoring: vcd.Some(true), HourOfDay: vcd.Some(23)})
	// in two groups, but one URL
	_, err = s.Inventory.AddURLs(c, w.Actor, alone.ID, []inventory.SelectionChange{{URLID: string(urls[0].ID)}})
	must(t, err)
	w.Group("off", 1, inventory.GroupChange{Monitoring: vcd.Some(true), ScheduleType: vcd.Some(schedule.Off)})
	w.Group("disabled", 1, inventory.GroupChange{Monitoring: vcd.Some(true), Enabled: vcd.Some(false)})
	w.Group("nothing selected", 0, inventory.GroupChange{})
	site := w.Website("shop.test", manual, watched)
	_, err = s.Inventory.UpdateWebsite(c, w.Actor, site.ID,
		inventory.WebsiteChange{AutoUpdate: vcd.Some(inventory.AutoUpdateChange{Enabled: vcd.Some(true)})})
	must(t, err)

	statements := vcdtest.RecordStatements(w.DB)
	got, err := s.Accounts.Stats(c, w.Actor)
	must(t, err)
	if texts := statements.Take(); len(texts) > 5 { // bind, account, groups, websites, URLs
		t.Errorf("%d statements:\n%s", len(texts), strings.Join(texts, "\n"))
	}
	first, second := w.mustGroup(watched.ID), w.mustGroup(alone.ID)
	runs := []account.ComingRun{
		{Name: "alone", Domain: "watched.test", NextRunAt: *second.NextRunAt}, // its oldest URL
		{Name: "watched", Domain: "shop.test", NextRunAt: *first.NextRunAt},
	}
	want := &account.Stats{
		Monitoring: account.MonitoringStats{
			Websites: 1, URLs: 4, EstimatedMonthlyChecks: 30*3 + 30*4, NextRunAt: second.NextRunAt, NextRuns: runs, TriggerWebsites: 1,
		},
		Manual: account.ManualStats{Websites: 1, URLs: 2, ChecksPerRun: 4},
		AutoUpdate: account.AutoUpdateStats{
			WebsitesEnabled: 1, MissingEmail: 1, ActiveWeekdays: []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"},
			EstimatedMonthlyChecks: 2 * 4 * 30,
			NextRuns: []account.ComingRun{{Name: "manual", Domain: "shop.test",
				NextRunAt: w.Clock.Now().Truncate(24 * time.Hour).Add(24 * time.Hour)}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want.EstimatedMonthlyChecks() != 210+240 {
		t.Errorf("in all %d checks", want.EstimatedMonthlyChecks())
	}
	other, err := s.Accounts.Stats(c, vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID})
	must(t, err)
	if diff := cmp.Diff(&account.Stats{}, other); diff != "" {
		t.Errorf("of another account:\n%s", diff)
	}
}

func (w *world) mustGroup(id vcd.ID) *vcd.Group {
	w.T.Helper()
	g, err := w.Service.Inventory.Group(w.T.Context(), w.Actor, id)
	must(w.T, err)
	return g
}
