package account

import (
	"slices"
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/schedule"
)

func TestAutoUpdateStats(t *testing.T) {
	manual := vcd.ID("m")
	groups := []*vcd.GroupOverview{{Group: vcd.Group{ID: manual, Name: "Shop", Enabled: true, SelectedChecks: 7}}}
	days := func(on ...int) (d vcd.Weekdays) {
		for _, i := range on {
			d[i-1] = true
		}
		return d
	}
	websites := []*vcd.Website{
		{Domain: "shop.test", ManualGroupID: &manual, AutoUpdate: &vcd.AutoUpdateSettings{Enabled: true, From: "02:30", To: "05:00",
			Days: days(1, 3, 7), Emails: []string{"a@example.com"}}},
		{Domain: "blog.test", AutoUpdate: &vcd.AutoUpdateSettings{Enabled: true, From: "22:00", To: "23:00", Days: days(7)}},
		{Domain: "never.test", AutoUpdate: &vcd.AutoUpdateSettings{Enabled: true, From: "22:00", To: "23:00"}},
	}
	now := time.Date(2026, 3, 28, 12, 0, 0, 0, time.UTC) // a Saturday; Berlin's clocks skip 2:30 the next night
	got := autoUpdateStats(websites, groups, zoneOf(t, "Europe/Berlin"), now)
	if got.WebsitesEnabled != 3 || got.MissingEmail != 2 || got.EstimatedMonthlyChecks != 2*7*3*30/7 {
		t.Errorf("%+v", got)
	}
	if want := []string{"Mon", "Wed", "Sun"}; !slices.Equal(got.ActiveWeekdays, want) {
		t.Errorf("weekdays %v, want %v", got.ActiveWeekdays, want)
	}
	want := []ComingRun{
		{"Shop", "shop.test", time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC)}, // 3:00 in Berlin
		{"blog.test", "blog.test", time.Date(2026, 3, 29, 20, 0, 0, 0, time.UTC)},
	}
	if !slices.Equal(got.NextRuns, want) {
		t.Errorf("next runs %v, want %v", got.NextRuns, want)
	}
	later := autoUpdateStats(websites[:1], groups, zoneOf(t, "Europe/Berlin"), want[0].NextRunAt).NextRuns[0].NextRunAt
	if want := time.Date(2026, 3, 30, 0, 30, 0, 0, time.UTC); !later.Equal(want) {
		t.Errorf("the window after that opens at %s, want %s", later, want)
	}
}

func TestTheSoonestRunsComeFirst(t *testing.T) {
	var groups []*vcd.GroupOverview
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range maxNextRuns + 20 {
		at := start.Add(time.Duration(1000-i) * time.Minute)
		groups = append(groups, &vcd.GroupOverview{Group: vcd.Group{Monitoring: true, Enabled: true, Schedule: schedule.Default(),
			SelectedChecks: 2, NextRunAt: &at}})
	}
	got := monitoringStats(groups)
	if len(got.NextRuns) != maxNextRuns || !got.NextRunAt.Equal(start.Add((1000-maxNextRuns-19)*time.Minute)) {
		t.Errorf("%d runs, the first at %s", len(got.NextRuns), got.NextRunAt)
	}
	if got.EstimatedMonthlyChecks != (maxNextRuns+20)*60 {
		t.Errorf("%d checks a month: those of groups beyond the list count too", got.EstimatedMonthlyChecks)
	}
}

func zoneOf(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}
