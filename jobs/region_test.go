package jobs

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/riverqueue/river"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// unsettled is a store with one group, whose region somebody sets.
type unsettled struct {
	vcdtest.NoStore
	inventory.Store
	address string
	settled bool
}

func (u *unsettled) ForInventory() inventory.Store { return u }

func (u *unsettled) UnsettledRegions(context.Context, int) ([]vcd.UnsettledRegion, error) {
	return []vcd.UnsettledRegion{{Address: u.address}}, nil
}

func (u *unsettled) InTx(context.Context, vcd.Actor, func(context.Context, inventory.Tx) error) error {
	u.settled = true
	return nil
}

func TestWhatCannotBeLocatedNowIsLeftToTheNextRound(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		locate  inventory.Locate
		settled bool
	}{
		"no database": {nil, true},
		"unknown":     {func(context.Context, string) (vcd.Region, error) { return "", nil }, true},
		"not now":     {func(context.Context, string) (vcd.Region, error) { return "", errors.New("the resolver is away") }, false},
		"known": {func(_ context.Context, domain string) (vcd.Region, error) {
			if domain != "example.com" {
				return "", errors.New("asked for " + domain)
			}
			return vcd.RegionUS, nil
		}, true},
	} {
		store := &unsettled{address: "example.com:8443/shop"}
		w := &regionWorker{service: app.New(app.Config{Store: store}), locate: test.locate, home: vcd.RegionEU,
			logger: slog.New(slog.DiscardHandler)}
		if err := w.Work(t.Context(), &river.Job[regionArgs]{}); err != nil || store.settled != test.settled {
			t.Errorf("%s: settled %v (%v), want %v", name, store.settled, err, test.settled)
		}
	}
}
