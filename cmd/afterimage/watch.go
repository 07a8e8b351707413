package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"afterimage/capture"
	"afterimage/db/pg"
	"afterimage/graph"
	"afterimage/internal/blob"
	"afterimage/internal/cli"
	"afterimage/internal/figures"
	"afterimage/internal/health"
	"afterimage/internal/private"
	"afterimage/internal/tracing"
	"afterimage/jobs"
	"afterimage/rest"
)

// privateFlags say where operators look into a process.
type privateFlags struct {
	MetricsListen string `help:"Private address for /metrics, /healthz, /readyz and profiles, such as 127.0.0.1:9464; default: none." placeholder:"ADDRESS"`
}

// watch is what operators see of a process.
type watch struct {
	health   *health.Health
	figures  *figures.Figures // nil without a private address
	listener net.Listener     // nil without a private address
	server   *http.Server
	failed   chan<- error
	logger   *slog.Logger
	untrace  func() error // ends tracing
	queue    queueView
}

// watch opens the private address, where the process tells from its first moment on that it lives.
func (f *privateFlags) watch(ctx context.Context, failed chan<- error, logger *slog.Logger) (*watch, error) {
	w := &watch{health: health.New(logger), failed: failed, logger: logger}
	var err error
	if w.untrace, err = tracing.Start(ctx, cli.Version, logger); err != nil || f.MetricsListen == "" {
		return w, err
	}
	if w.listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", f.MetricsListen); err != nil {
		return nil, fmt.Errorf("cannot listen on %s (choose another address with --metrics-listen): %w", f.MetricsListen, err)
	}
	w.figures = newFigures()
	w.figures.Ready(w.health.Ready)
	w.serve()
	logger.InfoContext(ctx, "private address", "url", "http://"+w.listener.Addr().String())
	return w, nil
}

// newFigures are the figures with the words of this program.
func newFigures() *figures.Figures {
	words := figures.Words{Devices: []string{string(capture.Desktop), string(capture.Mobile)}, Stages: capture.StageNames(),
		Reasons: []string{jobs.ReasonNoProxy}, Operations: append(graph.FieldNames(), rest.OperationNames()...)}
	for _, reason := range capture.Reasons {
		words.Reasons = append(words.Reasons, string(reason))
	}
	return figures.New(cli.Version, words)
}

func (w *watch) serve() {
	config := private.Config{Health: w.health, Figures: w.figures.Handler(), Tools: map[string]http.Handler{jobs.QueuePath: &w.queue}}
	w.server = &http.Server{Handler: private.Handler(config), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(w.logger.Handler(), slog.LevelDebug)}
	go func() {
		if err := w.server.Serve(w.listener); !errors.Is(err, http.ErrServerClosed) {
			w.failed <- fmt.Errorf("serve the private address: %w", err)
		}
	}()
}

// begin says what the process does before it is ready.
func (w *watch) begin(phase string) {
	if w != nil {
		w.health.Begin(phase)
	}
}

// database shows what is asked of the database.
func (w *watch) database(b *backend) {
	if w == nil || w.figures == nil {
		return
	}
	w.figures.Pool(b.db.Pool())
	clock := b.service.Config().Clock
	w.queue.open(b.db.SystemPool(), w.logger)
	w.figures.Backlog(func(ctx context.Context) (*figures.Backlog, error) {
		return b.db.Backlog(pg.Patient(ctx), clock.Now())
	}, w.logger)
}

// requests shows what clients follow.
func (w *watch) requests(s *graph.Server) {
	w.figures.Gauge("subscriptions", "Active subscriptions of clients.", func() float64 { return float64(s.Subscriptions()) })
	w.figures.Gauge("connections", "Open WebSockets and event streams.", func() float64 { return float64(s.Connections()) })
}

// operation counts an operation of GraphQL.
func (w *watch) operation(o graph.Operation) {
	if w == nil {
		return
	}
	outcome := figures.OK
	switch {
	case o.Failed:
		outcome = figures.Failed
	case o.Refused:
		outcome = figures.Refused
	}
	w.figures.Operation("graphql", o.Field, outcome, o.Took)
}

// request counts a request of REST.
func (w *watch) request(operation string, status int, took time.Duration) {
	if w == nil {
		return
	}
	outcome := figures.OK
	switch {
	case status >= http.StatusInternalServerError:
		outcome = figures.Failed
	case status >= http.StatusBadRequest:
		outcome = figures.Refused
	}
	w.figures.Operation("rest", operation, outcome, took)
}

// started makes the checks of a process that does its work.
func (w *watch) started(b *backend, workers *workers) {
	checks := []health.Check{
		{Part: "database", Look: b.db.Ready}, {Part: "events", Look: b.db.FeedReady}, {Part: "images", Look: b.imagesReady},
	}
	if workers != nil {
		w.figures.Browsers(workers.runner.Lanes, workers.pool.Starts)
		checks = append(checks, health.Check{Part: "browser", Look: func(context.Context) error {
			if err := workers.pool.Ready(); err != nil {
				return &health.Problem{Sentence: "The browser does not start: reinstall it, or name another one with --browser. " +
					"Captures fail until then.", Cause: err}
			}
			return nil
		}}, health.Check{Part: "scheduler", Look: workers.runner.Ready})
	}
	w.health.Started(checks...)
}

// imagesReady reports why the image store cannot be used.
func (b *backend) imagesReady(ctx context.Context) error {
	mark, err := b.files.Mark(ctx)
	switch {
	case err != nil:
		return &health.Problem{Sentence: "The image store cannot be read: check the disk, or the bucket and the rights to it.", Cause: err}
	case mark != b.mark:
		return &health.Problem{Sentence: "The image store is not the one of this database: mount its disk again, or name its bucket.",
			Cause: blob.ErrOtherStore}
	}
	return nil
}

// stopping says that the process ends, while there is still a database.
func (w *watch) stopping() {
	w.queue.close()
	w.health.Stopping()
}

func (w *watch) stop() error {
	if w == nil {
		return nil
	}
	if w.untrace != nil {
		_ = w.untrace() // logs what went wrong
	}
	if w.server == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := w.server.Shutdown(ctx); err != nil {
		return w.server.Close()
	}
	return nil
}
