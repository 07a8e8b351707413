package jobs

import (
	"context"
	"log/slog"
	"time"

	"afterimage/vcd"
)

// dispatchTick is how often lanes are looked at. Gaps between dispatches are whole seconds.
const dispatchTick = 500 * time.Millisecond

// dispatcher hands screenshots that wait for their account's minimum gap to the capture queues. Any number of
// dispatchers may run: a lane is held by one at a time.
type dispatcher struct {
	service *vcd.Service
	logger  *slog.Logger
}

// run dispatches until ctx ends.
func (d *dispatcher) run(ctx context.Context) {
	ticker := time.NewTicker(dispatchTick)
	defer ticker.Stop()
	for {
		d.dispatchAll(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// dispatchAll serves every lane that is due now.
func (d *dispatcher) dispatchAll(ctx context.Context) {
	for ctx.Err() == nil {
		due, err := d.service.DispatchDue(ctx)
		if err != nil && ctx.Err() == nil {
			d.logger.WarnContext(ctx, "dispatching delayed screenshots failed, will try again", "cause", err)
		}
		if err != nil || !due {
			return
		}
	}
}
