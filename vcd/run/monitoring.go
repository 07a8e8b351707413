package run

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// monitoringRun says which part of a monitoring group to capture.
type monitoringRun struct {
	Group *vcd.Group
	URLs  *[]vcd.ID // of the selected ones; nil for all
	// Trigger is what made the group run; nil for its schedule.
	Trigger *vcd.TriggerContext
}

// startMonitoring starts a run of a monitoring group: a batch with an entry for each screenshot and, where the page was
// captured before, one for its comparison. It returns nil when nothing is selected. It fails with CodeChecksExhausted when
// the checks do not suffice and with CodeConflict when more is selected than one run takes.
func (s *Service) startMonitoring(ctx context.Context, tx Tx, in monitoringRun) (*vcd.Batch, error) {
	selected, err := tx.SelectedOf(ctx, []vcd.ID{in.Group.ID}, nil, maxScreenshotsPerTake+1)
	if err != nil {
		return nil, err
	}
	r := &run{
		service: s, account: in.Group.Account, in: TakeInput{Type: vcd.QueueAuto, Source: vcd.SourceMonitoring}, now: s.clock.Now(),
	}
	r.plan([]*vcd.Group{in.Group}, only(selected, in.URLs))
	switch {
	case r.taken.Screenshots == 0:
		return nil, nil
	case r.taken.Screenshots > maxScreenshotsPerTake:
		return nil, &vcd.Error{Code: vcd.CodeConflict, Message: fmt.Sprintf(
			"The group has more than %d screenshots selected; split it into several groups.", maxScreenshotsPerTake)}
	}
	r.taken.Batches[0].Trigger = in.Trigger
	taken, err := r.start(ctx, tx)
	if err != nil {
		return nil, err
	}
	return taken.Batches[0], nil
}

// startTogether starts the runs of groups of one account, each a batch of its own. It returns false, and has started none, when
// they are larger together than one run may be or the checks do not suffice for all.
func (s *Service) startTogether(ctx context.Context, tx Tx, groups []*vcd.Group) (bool, error) {
	selected, err := tx.SelectedOf(ctx, idsOf(groups), nil, maxScreenshotsPerTake+1)
	if err != nil {
		return false, err
	}
	r := &run{service: s, account: groups[0].Account, now: s.clock.Now(),
		in: TakeInput{Type: vcd.QueueAuto, Source: vcd.SourceMonitoring, BatchPerGroup: true}}
	r.plan(groups, selected)
	switch {
	case len(selected) > maxScreenshotsPerTake || r.taken.Screenshots > maxScreenshotsPerTake:
		return false, nil
	case r.taken.Screenshots == 0:
		return true, nil
	}
	_, err = r.start(ctx, tx)
	if vcd.CodeOf(err) == vcd.CodeChecksExhausted {
		return false, nil
	}
	return err == nil, err
}

// only keeps the selections of the given URLs; nil keeps all.
func only(selected []*vcd.Selection, urls *[]vcd.ID) []*vcd.Selection {
	if urls == nil {
		return selected
	}
	wanted := make(map[vcd.ID]bool, len(*urls))
	for _, id := range *urls {
		wanted[id] = true
	}
	var kept []*vcd.Selection
	for _, sel := range selected {
		if wanted[sel.URLID] {
			kept = append(kept, sel)
		}
	}
	return kept
}
