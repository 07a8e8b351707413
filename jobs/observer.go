package jobs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"afterimage/internal/figures"
	"afterimage/internal/health"
)

// observer measures jobs.
type observer struct {
	river.MiddlewareDefaults
	figures *figures.Figures
}

// Work is rivertype.WorkerMiddleware's.
func (o *observer) Work(ctx context.Context, job *rivertype.JobRow, do func(context.Context) error) error {
	began := time.Now()
	err := do(ctx)
	o.figures.Worked(job.Kind, time.Since(began))
	return err
}

// Ready reports as a *health.Problem which loops have had no success lately.
func (r *Runner) Ready(context.Context) error {
	var stuck []string
	for _, l := range r.steps {
		if l.what != probing && l.stuck(time.Now()) {
			stuck = append(stuck, l.what)
		}
	}
	if len(stuck) == 0 {
		return nil
	}
	return &health.Problem{Sentence: fmt.Sprintf("For %.0f seconds this process has had no success with %s: its log says why.",
		stuckAfter.Seconds(), strings.Join(stuck, ", "))}
}
