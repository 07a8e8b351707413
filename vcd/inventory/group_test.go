package inventory

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/schedule"
)

func some[T any](v T) vcd.Optional[T] { return vcd.Some(v) }

// TestGroupLimits tries every limit at its edge and one beyond.
func TestGroupLimits(t *testing.T) {
	for _, c := range []struct {
		field  string
		change GroupChange
		ok     bool
	}{
		{"name", GroupChange{Name: some(strings.Repeat("ä", 255))}, true},
		{"name", GroupChange{Name: some(strings.Repeat("ä", 256))}, false},
		{"name", GroupChange{Name: some("  ")}, false},
		{"name", GroupChange{Name: vcd.Null[string]()}, false},
		{"name", GroupChange{Name: some("nul \x00")}, false},
		{"hourOfDay", GroupChange{HourOfDay: some(0)}, true},
		{"hourOfDay", GroupChange{HourOfDay: some(23)}, true},
		{"hourOfDay", GroupChange{HourOfDay: some(24)}, false},
		{"hourOfDay", GroupChange{HourOfDay: some(-1)}, false},
		{"intervalInH", GroupChange{IntervalHours: some(0.25)}, true},
		{"intervalInH", GroupChange{IntervalHours: some(24.0)}, true},
		{"intervalInH", GroupChange{IntervalHours: some(1.0)}, false},
		{"scheduleType", GroupChange{ScheduleType: some(schedule.Off)}, true},
		{"scheduleType", GroupChange{ScheduleType: some(schedule.Type("daily"))}, false},
		{"quietHoursStart", GroupChange{QuietHoursStart: some(23)}, true},
		{"quietHoursStart", GroupChange{QuietHoursStart: some(24)}, false},
		{"quietHoursEnd", GroupChange{QuietHoursEnd: vcd.Null[int]()}, true},
		{"quietHoursEnd", GroupChange{QuietHoursEnd: some(-1)}, false},
		{"screenshotDelay", GroupChange{ScreenshotDelay: some(7)}, true},
		{"screenshotDelay", GroupChange{ScreenshotDelay: some(60)}, true},
		{"screenshotDelay", GroupChange{ScreenshotDelay: some(6)}, false},
		{"screenshotDelay", GroupChange{ScreenshotDelay: some(61)}, false},
		{"screenshotDelay", GroupChange{ScreenshotDelay: vcd.Null[int]()}, true},
		{"screenshotRegion", GroupChange{ScreenshotRegion: some(vcd.Region("moon"))}, false},
		{"proxyType", GroupChange{ProxyType: some(vcd.ProxyResidential)}, true},
		{"proxyType", GroupChange{ProxyType: some(vcd.ProxyType("other"))}, false},
		{"proxyCountry", GroupChange{ProxyCountry: some("de")}, true},
		{"proxyCountry", GroupChange{ProxyCountry: some("deu")}, false},
		{"proxyCountry", GroupChange{ProxyCountry: some("d1")}, false},
		{"threshold", GroupChange{Threshold: some(0.0)}, true},
		{"threshold", GroupChange{Threshold: some(100.0)}, true},
		{"threshold", GroupChange{Threshold: some(100.1)}, false},
		{"threshold", GroupChange{Threshold: some(-0.1)}, false},
		{"measure", GroupChange{Measure: some(vcd.MeasureAligned)}, true},
		{"measure", GroupChange{Measure: some(vcd.Measure("other"))}, false},
		{"css", GroupChange{CSS: some(strings.Repeat("x", 64<<10))}, true},
		{"css", GroupChange{CSS: some(strings.Repeat("x", 64<<10+1))}, false},
		{"cms", GroupChange{CMS: some("wordpress")}, true},
		{"cms", GroupChange{CMS: some("other")}, false},
		{"alertEmails.1", GroupChange{AlertEmails: some([]string{"a@example.com", "nobody"})}, false},
		{"alertEmails.0", GroupChange{AlertEmails: some([]string{"Name <a@example.com>"})}, false},
		{"alertEmails", GroupChange{AlertEmails: some(slices.Repeat([]string{"a@example.com"}, 51))}, false},
		{"triggers.0.type", GroupChange{Triggers: some([]vcd.Trigger{{Type: "post_delete", Scope: "url"}})}, false},
		{"triggers.0.scope", GroupChange{Triggers: some([]vcd.Trigger{{Type: "post_save", Scope: "group"}})}, false},
	} {
		err := c.change.validate(false)
		var e *vcd.Error
		refused := errors.As(err, &e) && e.Fields[0].Path == c.field
		if c.ok && err != nil || !c.ok && !refused {
			t.Errorf("%s with %+v: %v, want ok=%v", c.field, c.change, err, c.ok)
		}
	}
	if err := (GroupChange{}).validate(true); vcd.CodeOf(err) != vcd.CodeInvalid {
		t.Errorf("a group without a name: %v", err)
	}
}

func TestScheduleDaysMustFitTheSchedule(t *testing.T) {
	for _, c := range []struct {
		kind schedule.Type
		days []schedule.Day
		ok   bool
	}{
		{schedule.Weekly, []schedule.Day{1, 7}, true},
		{schedule.Weekly, []schedule.Day{8}, false},
		{schedule.Weekly, []schedule.Day{0}, false},
		{schedule.Weekly, []schedule.Day{schedule.LastDay}, false},
		{schedule.Weekly, nil, false},
		{schedule.Monthly, []schedule.Day{1, 30, schedule.LastDay}, true},
		{schedule.Monthly, []schedule.Day{31}, false},
		{schedule.Monthly, nil, false},
		{schedule.Interval, nil, true},
		{schedule.Off, nil, true},
	} {
		v := &vcd.Validation{}
		validateSchedule(v, schedule.Schedule{Type: c.kind, Days: c.days})
		if err := v.Err(); (err == nil) != c.ok {
			t.Errorf("%s on %v: %v, want ok=%v", c.kind, c.days, err, c.ok)
		}
	}
}

func TestMonthlyChecksFollowTheSchedule(t *testing.T) {
	for _, c := range []struct {
		schedule schedule.Schedule
		want     int
	}{
		{schedule.Schedule{Type: schedule.Interval, IntervalHours: 24}, 300},
		{schedule.Schedule{Type: schedule.Interval, IntervalHours: 0.25}, 28800},
		{schedule.Schedule{Type: schedule.Weekly, Days: []schedule.Day{1, 3}}, 85},
		{schedule.Schedule{Type: schedule.Monthly, Days: []schedule.Day{1, schedule.LastDay}}, 20},
		{schedule.Schedule{Type: schedule.Off}, 0},
	} {
		g := &vcd.Group{Monitoring: true, Enabled: true, Schedule: c.schedule, SelectedChecks: 10}
		if got := g.EstimatedMonthlyChecks(); got != c.want {
			t.Errorf("%+v: %d checks a month, want %d", c.schedule, got, c.want)
		}
	}
	if g := (&vcd.Group{Enabled: true, Schedule: schedule.Default(), SelectedChecks: 10}); g.EstimatedMonthlyChecks() != 0 {
		t.Error("a manual group has no schedule to estimate")
	}
}

func TestAPasswordIsClearedByNullAndByNothing(t *testing.T) {
	seal := func(plain string) ([]byte, error) { return []byte("sealed " + plain), nil }
	for name, c := range map[string]struct {
		change vcd.Optional[string]
		want   string
	}{
		"absent": {vcd.Optional[string]{}, "sealed old"}, "null": {vcd.Null[string](), ""}, "empty": {some(""), ""},
		"new": {some("new"), "sealed new"},
	} {
		g := &vcd.Group{SealedPassword: []byte("sealed old")}
		if err := (GroupChange{BasicAuthPassword: c.change}).apply(g, seal); err != nil || string(g.SealedPassword) != c.want {
			t.Errorf("%s: %q, %v; want %q", name, g.SealedPassword, err, c.want)
		}
	}
}

func TestScheduleDaysKeepTheirOrderWithoutRepetitions(t *testing.T) {
	var s schedule.Schedule
	GroupChange{ScheduleDays: some([]schedule.Day{schedule.LastDay, 3, 1, 3})}.applySchedule(&s)
	if want := []schedule.Day{schedule.LastDay, 3, 1}; !slices.Equal(s.Days, want) {
		t.Errorf("days %v, want %v", s.Days, want)
	}
}
