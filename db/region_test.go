package db_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

func TestRegionsAreSettledOnceAndAgainWhenAsked(t *testing.T) {
	w := newWorld(t)
	far, _ := w.group("far", 2, inventory.GroupChange{})
	lost, _ := w.group("lost", 1, inventory.GroupChange{})
	empty, _ := w.group("empty", 0, inventory.GroupChange{})
	gone, _ := w.group("gone", 1, inventory.GroupChange{})
	must(t, w.service.Inventory.DeleteGroup(t.Context(), w.actor, gone.ID))
	set, _ := w.group("set", 1, inventory.GroupChange{ScreenshotRegion: vcd.Some(vcd.RegionEU)})
	region := func(g *vcd.Group) vcd.Region {
		now, err := w.service.Inventory.Group(t.Context(), w.actor, g.ID)
		must(t, err)
		return now.ScreenshotRegion
	}
	var asked []string
	locate := func(_ context.Context, domain string) (vcd.Region, error) {
		asked = append(asked, domain)
		if domain == "lost.test" {
			return "", errOnPurpose
		}
		return vcd.RegionUS, nil
	}
	settle := func(want ...string) {
		t.Helper()
		asked = nil
		if err := w.service.Inventory.SettleRegions(t.Context(), 10, locate); !errors.Is(err, errOnPurpose) {
			t.Errorf("the failure got lost: %v", err)
		}
		if slices.Sort(asked); !slices.Equal(asked, want) {
			t.Errorf("asked for %v, want %v", asked, want)
		}
	}
	settle("far.test", "lost.test")
	for g, want := range map[*vcd.Group]vcd.Region{far: vcd.RegionUS, lost: vcd.RegionAuto, empty: vcd.RegionAuto, set: vcd.RegionEU} {
		if got := region(g); got != want {
			t.Errorf("%s is in %s, want %s", g.Name, got, want)
		}
	}
	settle("lost.test")
	_, err := w.service.Inventory.UpdateGroup(t.Context(), w.actor, set.ID,
		inventory.GroupChange{ScreenshotRegion: vcd.Some(vcd.RegionAuto)})
	must(t, err)
	settle("lost.test", "set.test")
	if region(set) != vcd.RegionUS {
		t.Errorf("set anew to auto, the region is %s", region(set))
	}
	w.checkInvariants()
}

// A client that sets a region while the site is being located has the last word.
func TestAClientIsQuickerThanTheLocation(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("quick", 1, inventory.GroupChange{})
	must(t, w.service.Inventory.SettleRegions(t.Context(), 10, func(ctx context.Context, _ string) (vcd.Region, error) {
		_, err := w.service.Inventory.UpdateGroup(ctx, w.actor, g.ID, inventory.GroupChange{ScreenshotRegion: vcd.Some(vcd.RegionEU)})
		return vcd.RegionUS, err
	}))
	if now, err := w.service.Inventory.Group(t.Context(), w.actor, g.ID); err != nil || now.ScreenshotRegion != vcd.RegionEU {
		t.Errorf("the region is %s (%v)", now.ScreenshotRegion, err)
	}
}
