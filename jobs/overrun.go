package jobs

import (
	"context"
	"errors"
	"fmt"

	"afterimage/internal/subprocess"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// computeBounded computes, and counts an overrun of the entry when the computing process was ended. It returns nil when
// the entry has overrun too often and was given up.
func (w *compareWorker) computeBounded(ctx context.Context, actor vcd.Actor, task *run.CompareTask) (*computed, error) {
	for {
		found, err := w.compute(ctx, task)
		var ended *subprocess.Ended
		if !errors.As(err, &ended) {
			return found, err
		}
		limits := w.comparers.pool.Limits()
		givenUp, err := w.service.Runs.OverranComparison(ctx, actor, task.Entry.ID, overrun(ended.Cause, limits))
		if err != nil {
			return nil, err
		}
		if givenUp {
			w.logger.ErrorContext(ctx, "a comparison was given up because it repeatedly killed its process; see `afterimage doctor`",
				"account", actor.Account, "entry", task.Entry.ID, "cause", ended.Cause, "detail", ended.Detail,
				"before", task.Before.Image.Hash, "after", task.After.Image.Hash)
			return nil, nil
		}
		w.logger.WarnContext(ctx, "a comparison killed its process and is retried once",
			"account", actor.Account, "entry", task.Entry.ID, "cause", ended.Cause, "detail", ended.Detail)
	}
}

// overrun describes why a comparison is given up if it ends its process again.
func overrun(cause subprocess.Cause, limits subprocess.Limits) run.Overrun {
	const anew = " Both screenshots are kept. Take the screenshots again to repeat the comparison."
	switch cause {
	case subprocess.OverMemory:
		return run.Overrun{Reason: vcd.ReasonTooHeavy, Sentence: fmt.Sprintf(
			"Comparing these two screenshots exceeded %s of memory twice and was given up.", size(limits.Memory)) + anew}
	case subprocess.OverTime:
		return run.Overrun{Reason: vcd.ReasonTooHeavy, Sentence: fmt.Sprintf(
			"Comparing these two screenshots exceeded %.0f seconds of CPU time twice and was given up.", limits.Time.Seconds()) + anew}
	case subprocess.Killed:
		return run.Overrun{Reason: vcd.ReasonTooHeavy,
			Sentence: "The operating system killed the comparison of these two screenshots twice, most likely for lack of memory, " +
				"and it was given up." + anew}
	}
	return run.Overrun{Reason: vcd.ReasonCrashed,
		Sentence: "Comparing these two screenshots crashed twice because of an internal error and was given up." + anew}
}

// size formats a number of bytes.
func size(bytes int64) string {
	if bytes%(1<<30) == 0 {
		return fmt.Sprintf("%d GB", bytes>>30)
	}
	return fmt.Sprintf("%d MB", bytes>>20)
}
