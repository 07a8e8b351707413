package inventory_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/schedule"
)

func TestTheNextRunFollowsTheSettings(t *testing.T) {
	w := newWorld(t)
	w.Clock.Advance(10 * time.Minute) // to 12:10 UTC on 1 March 2026, a Sunday
	g, _ := w.Group("g", 0, inventory.GroupChange{})
	for _, step := range []struct {
		name   string
		change inventory.GroupChange
		want   string
	}{
		{"a manual group", inventory.GroupChange{}, "-"},
		{"monitoring", inventory.GroupChange{Monitoring: vcd.Some(true)}, "02 00:00"},
		{"an hour", inventory.GroupChange{HourOfDay: vcd.Some(15)}, "01 15:00"},
		{"only a name", inventory.GroupChange{Name: vcd.Some("other")}, "01 15:00"},
		{"an interval", inventory.GroupChange{IntervalHours: vcd.Some(0.5)}, "01 12:30"},
		{"quiet hours", inventory.GroupChange{QuietHoursStart: vcd.Some(12), QuietHoursEnd: vcd.Some(14)}, "01 14:00"},
		{"weekly", inventory.GroupChange{ScheduleType: vcd.Some(schedule.Weekly), ScheduleDays: vcd.Some([]schedule.Day{2})}, "03 15:00"},
		{"monthly", inventory.GroupChange{ScheduleType: vcd.Some(schedule.Monthly),
			ScheduleDays: vcd.Some([]schedule.Day{schedule.LastDay})}, "31 15:00"},
		{"off", inventory.GroupChange{ScheduleType: vcd.Some(schedule.Off)}, "-"},
		{"on again", inventory.GroupChange{ScheduleType: vcd.Some(schedule.Interval)}, "01 14:00"},
		{"disabled", inventory.GroupChange{Enabled: vcd.Some(false)}, "-"},
		{"enabled", inventory.GroupChange{Enabled: vcd.Some(true)}, "01 14:00"},
		{"manual again", inventory.GroupChange{Monitoring: vcd.Some(false)}, "-"},
	} {
		_, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, g.ID, step.change)
		must(t, err)
		if got := w.NextRun(g.ID); got != step.want {
			t.Errorf("%s: next run %s, want %s", step.name, got, step.want)
		}
	}
	_, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, g.ID, inventory.GroupChange{Monitoring: vcd.Some(true)})
	must(t, err)
	due := w.NextRun(g.ID)
	w.Clock.Advance(24 * time.Hour)
	_, err = w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, g.ID, inventory.GroupChange{Threshold: vcd.Some(1.0)})
	must(t, err)
	if got := w.NextRun(g.ID); got != due {
		t.Errorf("a change that is not about the schedule moved a run that is due from %s to %s", due, got)
	}
	must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID))
	if vcdtest.Value[int](w.World, "SELECT count(*) FROM groups WHERE next_run_at IS NOT NULL") != 0 {
		t.Error("a deleted group still runs")
	}
}

func TestAnotherTimezoneMovesTheRuns(t *testing.T) {
	w := newWorld(t)
	daily := inventory.GroupChange{Monitoring: vcd.Some(true), HourOfDay: vcd.Some(15)}
	g, _ := w.Group("daily", 0, daily)
	manual, _ := w.Group("manual", 0, inventory.GroupChange{})
	change := func(zone string) error {
		_, err := w.Service.Accounts.UpdateAccount(t.Context(), w.Actor, account.Change{Timezone: vcd.Some(zone)})
		return err
	}
	for zone, want := range map[string]string{"Europe/Berlin": "01 15:00", "Asia/Kolkata": "02 15:00", "America/New_York": "01 15:00"} {
		must(t, change(zone))
		if got := w.NextRun(g.ID); got != want {
			t.Errorf("%s: next run %s, want %s", zone, got, want)
		}
	}
	if got := w.NextRun(manual.ID); got != "-" {
		t.Errorf("the manual group runs at %s", got)
	}
	for _, zone := range []string{"", "Local", "Europe/Atlantis", "../etc/passwd", "UTC\x00"} {
		wantCode(t, change(zone), vcd.CodeInvalid)
	}
}

// A group created or changed during a change of time zone must not keep a plan in the old zone.
func TestATimezoneAndItsGroupsChangeTogether(t *testing.T) {
	w := newWorld(t)
	zones := []string{"Europe/Berlin", "Asia/Kolkata", "America/New_York"}
	g, _ := w.Group("first", 0, inventory.GroupChange{Monitoring: vcd.Some(true)})
	var all sync.WaitGroup
	for worker := range 6 {
		all.Go(func() {
			for i := range 8 {
				var err error
				switch {
				case worker < 2:
					_, err = w.Service.Accounts.UpdateAccount(t.Context(), w.Actor, account.Change{Timezone: vcd.Some(zones[(worker+i)%3])})
				case worker < 4:
					_, err = w.Service.Inventory.CreateGroup(t.Context(), w.Actor, inventory.GroupChange{
						Name: vcd.Some(fmt.Sprint(worker, i)), Monitoring: vcd.Some(true), HourOfDay: vcd.Some(i)})
				default:
					_, err = w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, g.ID,
						inventory.GroupChange{HourOfDay: vcd.Some((worker + i) % 24)})
				}
				if err != nil && vcd.CodeOf(err) != vcd.CodeUnavailable {
					t.Errorf("worker %d: %v", worker, err)
				}
			}
		})
	}
	all.Wait()
	zone := w.FreshAccount().Zone()
	list, err := w.Service.Inventory.Groups(t.Context(), w.Actor, vcd.GroupFilter{}, vcd.Page{Size: 100})
	must(t, err)
	for _, g := range list.Items {
		if want := schedule.Next(g.Plan(zone), w.Clock.Now()); g.NextRunAt == nil || !g.NextRunAt.Equal(want) {
			t.Errorf("group %s runs at %v, but by the account's zone at %s", g.Name, g.NextRunAt, want)
		}
	}
}
