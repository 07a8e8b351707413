package resolver

import (
	"context"

	"afterimage/graph/view"
	"afterimage/vcd"
)

// lastFlowRun is the newest run of a flow; nil before the first.
func (r *Resolver) lastFlowRun(ctx context.Context, flow vcd.ID) (*view.FlowRun, error) {
	by := loadersIn(ctx).lastRuns
	if by == nil {
		return nil, errNoLoaders
	}
	found, err := by.Load(ctx, flow)
	if err != nil || found == nil {
		return nil, err
	}
	return r.showFlowRun(found), nil
}

// flowRunCheckpoint is what became of the checkpoint that an entry stands for; nil for other steps.
func flowRunCheckpoint(ctx context.Context, entry *vcd.ID) (*view.FlowRunCheckpoint, error) {
	by := loadersIn(ctx)
	switch {
	case entry == nil:
		return nil, nil
	case by.checkpoints == nil:
		return nil, errNoLoaders
	}
	found, err := by.checkpoints.Load(ctx, *entry)
	if err != nil || found.Status == "" { // removed with its batch
		return nil, err
	}
	shown := &view.FlowRunCheckpoint{Baseline: found.Baseline, QueueStatus: found.Status}
	if found.Error != "" {
		shown.ErrorMsg = &found.Error
	}
	if shown.Screenshot, err = by.screenshots.loadIfAny(ctx, found.Screenshot); err != nil {
		return nil, err
	}
	shown.Comparison, err = by.comparisons.loadIfAny(ctx, found.Comparison)
	return shown, err
}
