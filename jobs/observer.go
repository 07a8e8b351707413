package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"go.opentelemetry.io/otel/attribute"

	"afterimage/internal/figures"
	"afterimage/internal/health"
	"afterimage/internal/tracing"
)

// metadata is what we write into the metadata of a job.
type metadata struct {
	Traceparent string `json:"traceparent,omitempty"`
}

// carried is the metadata of a job that belongs to a trace; nil for one that does not.
func carried(traceparent string) []byte {
	if traceparent == "" {
		return nil
	}
	raw, err := json.Marshal(metadata{traceparent})
	if err != nil {
		return nil // a string can always be written
	}
	return raw
}

// observer measures and traces jobs.
type observer struct {
	river.MiddlewareDefaults
	figures *figures.Figures
}

// Work is rivertype.WorkerMiddleware's.
func (o *observer) Work(ctx context.Context, job *rivertype.JobRow, do func(context.Context) error) error {
	began := time.Now()
	var known metadata
	_ = json.Unmarshal(job.Metadata, &known) // others may write there, too
	end := func(error) {}
	if known.Traceparent != "" {
		ctx, end = tracing.Begin(tracing.Continue(ctx, known.Traceparent), "job "+job.Kind,
			attribute.Int64("job.id", job.ID), attribute.Int("job.attempt", job.Attempt), attribute.String("job.queue", job.Queue))
	}
	err := do(ctx)
	end(err)
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
	return &health.Problem{Sentence: fmt.Sprintf("For %.0f seconds, these tasks of this process have failed: %s. See its log.",
		stuckAfter.Seconds(), strings.Join(stuck, ", "))}
}
