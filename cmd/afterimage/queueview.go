package main

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgxpool"

	"afterimage/jobs"
)

// queueView shows the jobs of the service once there is a database.
type queueView struct {
	pages atomic.Pointer[http.Handler]
	end   context.CancelFunc
}

// open begins to show what is in a database.
func (v *queueView) open(pool *pgxpool.Pool, logger *slog.Logger) {
	ctx, end := context.WithCancel(context.Background())
	pages, err := jobs.QueueView(ctx, pool, logger)
	if err != nil {
		end()
		logger.ErrorContext(ctx, "the queue cannot be shown", "error", err)
		return
	}
	v.end = end
	v.pages.Store(&pages)
}

func (v *queueView) close() {
	if v.end != nil {
		v.end()
	}
}

// ServeHTTP implements http.Handler.
func (v *queueView) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	pages := v.pages.Load()
	if pages == nil {
		http.Error(w, "The queue can be shown once the process is ready: see /readyz.", http.StatusServiceUnavailable)
		return
	}
	(*pages).ServeHTTP(w, r)
}
