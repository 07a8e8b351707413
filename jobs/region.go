package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

const (
	regionsEvery  = 20 * time.Second
	regionsLimit  = 200             // groups per round
	locateTimeout = 3 * time.Second // per group
)

// regionArgs requests one round of settling regions.
type regionArgs struct{}

func (regionArgs) Kind() string { return "region" }

func (regionArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: sweepQueue, MaxAttempts: 1}
}

// regionWorker assigns the region nearest to the site to groups that leave the choice to us.
type regionWorker struct {
	river.WorkerDefaults[regionArgs]
	service *app.Service
	locate  inventory.Locate // nil when no locations are known: then all groups get the home region
	home    vcd.Region
	logger  *slog.Logger
}

func (w *regionWorker) Timeout(*river.Job[regionArgs]) time.Duration { return roundTimeout }

// Work logs the groups that could not be located and leaves them to the next round.
func (w *regionWorker) Work(ctx context.Context, _ *river.Job[regionArgs]) error {
	err := w.service.Inventory.SettleRegions(ctx, regionsLimit, func(ctx context.Context, domain string) (vcd.Region, error) {
		if w.locate == nil {
			return w.home, nil
		}
		ctx, cancel := context.WithTimeout(ctx, locateTimeout)
		defer cancel()
		region, err := w.locate(ctx, domain)
		if region == "" {
			region = w.home
		}
		return region, err
	})
	if err != nil && ctx.Err() == nil {
		w.logger.WarnContext(ctx, "some regions could not be resolved, will retry", "cause", err)
	}
	return nil
}
