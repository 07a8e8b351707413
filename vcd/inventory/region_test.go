package inventory_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

func TestRegionsAreSettledOnceAndAgainWhenAsked(t *testing.T) {
	w := newWorld(t)
	far, _ := w.Group("far", 2, inventory.GroupChange{})
	lost, _ := w.Group("lost", 1, inventory.GroupChange{})
	empty, _ := w.Group("empty", 0, inventory.GroupChange{})
	gone, _ := w.Group("gone", 1, inventory.GroupChange{})
	must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, gone.ID))
	set, _ := w.Group("set", 1, inventory.GroupChange{ScreenshotRegion: vcd.Some(vcd.RegionEU)})
	region := func(g *vcd.Group) vcd.Region {
		now, err := w.Service.Inventory.Group(t.Context(), w.Actor, g.ID)
		must(t, err)
		return now.ScreenshotRegion
	}
	var asked []string
	locate := func(_ context.Context, domain string) (vcd.Region, error) {
		asked = append(asked, domain)
		if domain == "lost.test" {
			return "", vcdtest.ErrOnPurpose
		}
		return vcd.RegionUS, nil
	}
	settle := func(want ...string) {
		t.Helper()
		asked = nil
		if err := w.Service.Inventory.SettleRegions(t.Context(), 10, locate); !errors.Is(err, vcdtest.ErrOnPurpose) {
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
	_, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, set.ID,
		inventory.GroupChange{ScreenshotRegion: vcd.Some(vcd.RegionAuto)})
	must(t, err)
	settle("lost.test", "set.test")
	if region(set) != vcd.RegionUS {
		t.Errorf("set anew to auto, the region is %s", region(set))
	}
	w.CheckInvariants()
}

// A region that a client sets while the site is being located takes precedence.
func TestAClientIsQuickerThanTheLocation(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("quick", 1, inventory.GroupChange{})
	must(t, w.Service.Inventory.SettleRegions(t.Context(), 10, func(ctx context.Context, _ string) (vcd.Region, error) {
		_, err := w.Service.Inventory.UpdateGroup(ctx, w.Actor, g.ID, inventory.GroupChange{ScreenshotRegion: vcd.Some(vcd.RegionEU)})
		return vcd.RegionUS, err
	}))
	if now, err := w.Service.Inventory.Group(t.Context(), w.Actor, g.ID); err != nil || now.ScreenshotRegion != vcd.RegionEU {
		t.Errorf("the region is %s (%v)", now.ScreenshotRegion, err)
	}
}
