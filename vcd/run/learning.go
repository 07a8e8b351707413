package run

import (
	"context"

	"afterimage/internal/noise"
	"afterimage/vcd"
)

// readNoise reads what is known of the page, and decides whether its screenshots add to that: those of consecutive monitoring
// runs do, unless a save has started the later one.
func (task *CompareTask) readNoise(ctx context.Context, tx Tx) (err error) {
	if !task.Features.AIVerification {
		return nil
	}
	if task.Noise, err = tx.LearnedNoise(ctx, task.Entry.URLID, task.Entry.Device); err != nil || !task.Monitoring {
		return err
	}
	batch, err := tx.Batch(ctx, task.Entry.BatchID)
	if err != nil {
		return err
	}
	saved := batch.Trigger != nil && batch.Trigger.Type != vcd.TriggerManual
	task.Learn = !saved && task.After.StatusCode < 400 && task.Before.StatusCode < 400
	return nil
}

// Visit names the pair of screenshots from which something is learned. Until the comparison exists, its entry stands for it.
func (task *CompareTask) Visit(later *vcd.Screenshot) noise.Visit {
	return noise.Visit{At: later.CreatedAt, Source: noise.FromMonitoring, Comparison: string(task.Entry.ID)}
}

// learn stores what a comparison adds to what is known of the page. It gives way to another comparison of the page that was
// faster. The caller has locked the entry, and nothing that a capture locks after the URL.
func (s *Service) learn(ctx context.Context, tx Tx, task *CompareTask, c *vcd.Comparison, r CompareResult) error {
	learned := r.Learned
	if task.Recaptured != nil && c.AfterID == task.Recaptured.ID && r.OfRecapture != nil {
		learned = r.OfRecapture.Learned
	}
	if !task.Learn || learned == nil {
		return nil
	}
	n := *task.Noise
	n.Knowledge, n.UpdatedAt = learned, c.CreatedAt
	_, err := tx.KeepLearnedNoise(ctx, &n)
	return err
}
