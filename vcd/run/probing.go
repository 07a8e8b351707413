package run

import (
	"context"
	"time"

	"afterimage/internal/noise"
	"afterimage/vcd"
)

// Probes: a page of which little is known is captured a few times more, minutes later, by a fresh visitor who sees another date and
// other random numbers. What differs from its screenshot the page did by itself. See docs/learned-noise.md.
const (
	// enoughVisits is the number of pairs of visits from which a page counts as known: then no more probes are taken.
	enoughVisits = 4
	// enoughAtFirst is that for a page without a screenshot: what changed in so many pairs is known to vary.
	enoughAtFirst = 2
	// probePause is how much later than the capture before a probe is taken: what a site rotates on its side differs by then.
	probePause = 5 * time.Minute
	// probeLease is when a probe that was begun and not finished may be begun again, at most probeAttempts times.
	probeLease    = 15 * time.Minute
	probeAttempts = 3
	// probesPerDay limits the probes of an account in a day.
	probesPerDay = 200
	// probeDays is by how much the date of each probe of a page is later than that of the one before. It changes the weekday, the
	// hour and the minute too.
	probeDays = 3*24*time.Hour + 5*time.Hour + 7*time.Minute
)

// ProbeTask is what a worker needs in order to take a probe.
type ProbeTask struct {
	Probe   *vcd.NoiseProbe
	Capture *CaptureTask
	Region  vcd.Region      // of the group
	Before  *vcd.Screenshot // nil to capture that too
	After   *vcd.Screenshot // with which Before is compared; nil to capture the page anew
	Noise   *vcd.LearnedNoise
	begun   time.Time
}

// Visit names the pair of visits that the probe completes.
func (t *ProbeTask) Visit(at time.Time) noise.Visit {
	if t.After != nil {
		return noise.Visit{At: t.After.CreatedAt, Source: noise.FromRepeat}
	}
	return noise.Visit{At: at, Source: noise.FromProbe}
}

// planProbe plans a probe of a page that has just been captured: in monitoring, and before an update. A page that was captured before,
// with no update since, teaches without one, and at once.
func (s *Service) planProbe(ctx context.Context, tx Tx, e *vcd.QueueEntry, shot *vcd.Screenshot) error {
	if e.Type == vcd.QueuePost || e.IsConfirmation() || shot.StatusCode >= 400 {
		return nil
	}
	plan := &vcd.NoiseProbe{
		Account: e.Account, GroupID: e.GroupID, URLID: e.URLID, Device: e.Device, ScreenshotID: shot.ID,
		Due: shot.CreatedAt.Add(probePause),
	}
	if e.Type == vcd.QueuePre {
		earlier, err := tx.RepeatedBy(ctx, e, shot.SCVersion)
		if err != nil {
			return err
		}
		if earlier != nil && earlier.StatusCode < 400 {
			plan.EarlierID, plan.Due = &earlier.ID, shot.CreatedAt
		}
	}
	return tx.PlanNoiseProbe(ctx, plan, enoughVisits)
}

// BeginProbe returns a due probe for a worker of the regions, nil when there is none. It finds none while ordinary captures wait.
func (s *Service) BeginProbe(ctx context.Context, regions []vcd.Region, home vcd.Region) (*ProbeTask, error) {
	now := s.clock.Now()
	p, err := s.store.ClaimNoiseProbe(ctx, vcd.NoiseProbeRules{
		Now: now, LeaseEnds: now.Add(probeLease), Regions: regions, Home: home, PerDay: probesPerDay, Attempts: probeAttempts,
	})
	if err != nil || p == nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, vcd.Actor{Account: p.Account}, func(ctx context.Context, tx Tx) (*ProbeTask, error) {
		task, err := s.probeTask(ctx, tx, p)
		if err != nil {
			return nil, err
		}
		if task != nil {
			task.begun = now
			return task, nil
		}
		_, err = tx.EndNoiseProbe(ctx, p)
		return nil, err
	})
}

// probeTask is nil when the page, its group or its screenshot is gone, its device is off, or enough is known meanwhile.
func (s *Service) probeTask(ctx context.Context, tx Tx, p *vcd.NoiseProbe) (*ProbeTask, error) {
	task := &ProbeTask{Probe: p}
	var err error
	entry := &vcd.QueueEntry{Account: p.Account, GroupID: p.GroupID, URLID: p.URLID, Device: p.Device}
	if task.Capture, err = s.captureTask(ctx, tx, entry); err != nil || task.Capture == nil {
		return nil, err
	}
	selected, err := tx.OwnSelection(ctx, p.GroupID, p.URLID)
	if err != nil || selected == nil || p.Device == vcd.Desktop && !selected.Desktop || p.Device == vcd.Mobile && !selected.Mobile {
		return nil, err
	}
	enough := enoughAtFirst
	if p.ScreenshotID != "" {
		enough = enoughVisits
		if task.Before, err = vcd.OrGone(tx.Screenshot(ctx, p.ScreenshotID)); err != nil || task.Before == nil {
			return nil, err
		}
	}
	if task.Noise, err = tx.LearnedNoise(ctx, p.URLID, p.Device); err != nil {
		return nil, err
	}
	if p.EarlierID != nil {
		task.After = task.Before
		task.Before, err = vcd.OrGone(tx.Screenshot(ctx, *p.EarlierID))
		if err != nil || task.Before == nil {
			return nil, err
		}
		return task, nil
	}
	visits := len(task.Noise.Knowledge.Visits)
	if visits >= enough {
		return nil, nil
	}
	g, err := tx.Group(ctx, p.GroupID)
	if err != nil {
		return nil, err
	}
	task.Region = g.ScreenshotRegion
	task.Capture.Later, task.Capture.Seed = time.Duration(visits+1)*probeDays, uint32(visits)+2
	return task, nil
}

// FinishProbe stores what a probe has taught, nil for nothing, and plans the next one of the page while too little is known. It gives
// way to a comparison that was faster, and plans nothing if the page was captured meanwhile, which has planned a probe of its own.
func (s *Service) FinishProbe(ctx context.Context, task *ProbeTask, learned *noise.Knowledge) error {
	return s.store.InTx(ctx, vcd.Actor{Account: task.Probe.Account}, func(ctx context.Context, tx Tx) error {
		kept := false
		if learned != nil { // first what locks the URL, as those do that delete it
			n := *task.Noise
			n.Knowledge, n.UpdatedAt = learned, s.clock.Now()
			var err error
			if kept, err = tx.KeepLearnedNoise(ctx, &n); err != nil {
				return err
			}
		}
		ended, err := tx.EndNoiseProbe(ctx, task.Probe)
		if err != nil || !ended || !kept && task.After == nil {
			return err
		}
		next, enough := *task.Probe, enoughVisits
		if next.ScreenshotID == "" {
			enough = enoughAtFirst
		}
		next.EarlierID, next.Due = nil, task.begun.Add(probePause)
		return tx.PlanNoiseProbe(ctx, &next, enough)
	})
}
