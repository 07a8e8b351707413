package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"riverqueue.com/riverui"
)

// QueuePath is where the pages of [QueueView] expect to be.
const QueuePath = "/river"

// QueueView serves the pages of River UI under [QueuePath]: jobs that wait, run or have failed, for operators. It asks the database
// nothing until somebody looks for the first time; from then on it counts jobs from time to time until ctx ends.
//
// It only shows. A job has a turn, and its entry, delivery or mail a state: who cancels, repeats or deletes the job alone leaves
// them behind, and who pauses a queue lets turns be handed out that nobody takes.
func QueueView(ctx context.Context, pool *pgxpool.Pool, logger *slog.Logger) (http.Handler, error) {
	logger = slog.New(untilDone{Handler: logger.Handler(), ctx: ctx})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: logger})
	if err != nil {
		return nil, fmt.Errorf("set up the view of the queue: %w", err)
	}
	pages, err := riverui.NewHandler(&riverui.HandlerOpts{
		Endpoints: riverui.NewEndpoints(client, nil), Logger: logger, Prefix: QueuePath, JobListHideArgsByDefault: true,
	})
	if err != nil {
		return nil, fmt.Errorf("set up the view of the queue: %w", err)
	}
	start := sync.OnceValue(func() error { return pages.Start(ctx) })
	return readOnly(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := start(); err != nil {
			logger.ErrorContext(r.Context(), "the queue view could not be started", "error", err)
			http.Error(w, "The queue cannot be shown: see the log.", http.StatusInternalServerError)
			return
		}
		pages.ServeHTTP(w, r)
	})), nil
}

func readOnly(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "This view is read-only. Delete a run, or pause a group or an account instead.", http.StatusMethodNotAllowed)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

// untilDone is a log that ends with a context: nobody can wait for the end of the pages, and they complain when the database closes.
type untilDone struct {
	slog.Handler

	ctx context.Context
}

// Enabled implements slog.Handler.
func (u untilDone) Enabled(ctx context.Context, level slog.Level) bool {
	return u.ctx.Err() == nil && u.Handler.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (u untilDone) WithAttrs(attrs []slog.Attr) slog.Handler {
	return untilDone{Handler: u.Handler.WithAttrs(attrs), ctx: u.ctx}
}

// WithGroup implements slog.Handler.
func (u untilDone) WithGroup(name string) slog.Handler {
	return untilDone{Handler: u.Handler.WithGroup(name), ctx: u.ctx}
}
