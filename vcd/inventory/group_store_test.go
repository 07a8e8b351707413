package inventory_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/schedule"
)

func TestAGroupComesBackAsItWasStored(t *testing.T) {
	w := newWorld(t)
	full := inventory.GroupChange{
		Name: vcd.Some(`it's "50% \ off" \u0000 ? ?0`), Monitoring: vcd.Some(true), Enabled: vcd.Some(false), HourOfDay: vcd.Some(23),
		IntervalHours: vcd.Some(0.25), ScheduleType: vcd.Some(schedule.Monthly),
		ScheduleDays: vcd.Some([]schedule.Day{1, 30, schedule.LastDay}), QuietHoursStart: vcd.Some(22), QuietHoursEnd: vcd.Some(6),
		Triggers: vcd.Some([]vcd.Trigger{{Type: "post_save", Scope: "url"}}), AlertEmails: vcd.Some([]string{}),
		CSS: vcd.Some("a{content:'\\'}"), JS: vcd.Some("alert(`$1 ?`)"), CMS: vcd.Some("wordpress"), Threshold: vcd.Some(0.05),
		BasicAuthUser: vcd.Some("u"), BasicAuthPassword: vcd.Some("p"), ProxyType: vcd.Some(vcd.ProxyStatic),
		ProxyCountry: vcd.Some("de"), ScreenshotRegion: vcd.Some(vcd.RegionUS), ScreenshotDelay: vcd.Some(7),
		DefaultDesktop: vcd.Some(false), DefaultMobile: vcd.Some(true), HideConsent: vcd.Some(false),
	}
	for name, in := range map[string]inventory.GroupChange{"full": full, "bare": {Name: vcd.Some("bare")}} {
		made, err := w.Service.Inventory.CreateGroup(t.Context(), w.Actor, in)
		must(t, err)
		got, err := w.Service.Inventory.Group(t.Context(), w.Actor, made.ID)
		must(t, err)
		if diff := cmp.Diff(made, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: stored and read differ:\n%s", name, diff)
		}
		changed, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, made.ID, inventory.GroupChange{
			AlertEmails: vcd.Some([]string{"x@example.com", "{o'hara}@example.com"}), ScheduleDays: vcd.Null[[]schedule.Day](),
			ScheduleType: vcd.Some(schedule.Off), CSS: vcd.Null[string](), Triggers: vcd.Null[[]vcd.Trigger](),
		})
		must(t, err)
		got, err = w.Service.Inventory.Group(t.Context(), w.Actor, made.ID)
		must(t, err)
		if diff := cmp.Diff(changed, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: changed and read differ:\n%s", name, diff)
		}
	}
}

func TestGroupsAreListedWithTheirFigures(t *testing.T) {
	w := newWorld(t)
	a, urls := w.Group("a", 3, inventory.GroupChange{})
	b, _ := w.Group("b", 0, inventory.GroupChange{Monitoring: vcd.Some(true)})
	_, err := w.Service.Inventory.ChangeURLs(t.Context(), w.Actor, a.ID, []inventory.SelectionChange{
		{URLID: string(urls[0].ID), Desktop: vcd.Some(false), Mobile: vcd.Some(false)},
		{URLID: string(urls[1].ID), Mobile: vcd.Some(false)},
	})
	must(t, err)
	yes, no, none := true, false, []vcd.ID{}
	for name, c := range map[string]struct {
		filter vcd.GroupFilter
		want   []vcd.ID
	}{
		"all":        {vcd.GroupFilter{}, []vcd.ID{b.ID, a.ID}},
		"monitoring": {vcd.GroupFilter{Monitoring: &yes}, []vcd.ID{b.ID}},
		"manual":     {vcd.GroupFilter{Monitoring: &no}, []vcd.ID{a.ID}},
		"by id":      {vcd.GroupFilter{IDs: &[]vcd.ID{a.ID, w.Account.ID}}, []vcd.ID{a.ID}},
		"by no id":   {vcd.GroupFilter{IDs: &none}, nil},
	} {
		l, err := w.Service.Inventory.Groups(t.Context(), w.Actor, c.filter, vcd.Page{Size: 15, Total: true})
		must(t, err)
		var got []vcd.ID
		for _, g := range l.Items {
			got = append(got, g.ID)
			if g.ID == a.ID && (g.URLsCount != 3 || g.SelectedURLsCount != 2 || g.SelectedChecks != 3) {
				t.Errorf("%s: figures %d, %d, %d", name, g.URLsCount, g.SelectedURLsCount, g.SelectedChecks)
			}
		}
		if !slices.Equal(got, c.want) || l.Total != len(c.want) {
			t.Errorf("%s: got %v of %d, want %v", name, got, l.Total, c.want)
		}
	}
	updated, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, a.ID, inventory.GroupChange{})
	must(t, err)
	if updated.URLsCount != 3 {
		t.Error("an update forgets the figures")
	}
}

func TestADeletedGroupIsGoneButForHistory(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("gone", 1, inventory.GroupChange{CSS: vcd.Some("a{}"), JS: vcd.Some("1"), BasicAuthPassword: vcd.Some("secret"),
		BasicAuthUser: vcd.Some("u")})
	must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID))
	_, err := w.Service.Inventory.Group(t.Context(), w.Actor, g.ID)
	wantCode(t, err, vcd.CodeNotFound)
	wantCode(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID), vcd.CodeNotFound)
	l, err := w.Service.Inventory.Groups(t.Context(), w.Actor, vcd.GroupFilter{}, vcd.Page{Size: 15, Total: true})
	must(t, err)
	if len(l.Items) != 0 || l.Total != 0 {
		t.Error("a deleted group is listed")
	}
	history, err := w.Service.Inventory.GroupsByIDs(t.Context(), w.Actor, []vcd.ID{g.ID})
	must(t, err)
	if len(history) != 1 || history[0].Name != "gone" || history[0].CSS != nil || history[0].JS != nil || history[0].HasBasicAuth() ||
		history[0].URLsCount != 0 {
		t.Errorf("history: %+v", history)
	}
	u, err := w.Service.Inventory.URL(t.Context(), w.Actor, urls[0].ID)
	must(t, err)
	if len(u.GroupIDs) != 0 {
		t.Error("the URL is still in the deleted group")
	}
}

func TestTriggersGoWithMonitoring(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("saved", 0, inventory.GroupChange{Monitoring: vcd.Some(true),
		Triggers: vcd.Some([]vcd.Trigger{{Type: "post_save", Scope: "url"}})})
	off, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, g.ID, inventory.GroupChange{Monitoring: vcd.Some(false)})
	must(t, err)
	if off.Monitoring || len(off.Triggers) > 0 {
		t.Errorf("monitoring %t, triggers %v", off.Monitoring, off.Triggers)
	}
	_, err = w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, g.ID, inventory.GroupChange{
		Triggers: vcd.Some([]vcd.Trigger{{Type: "post_save", Scope: "url"}})})
	vcdtest.WantField(t, err, "triggers", "prohibited")
}
