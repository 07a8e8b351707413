package jobs_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"afterimage/jobs"
)

// TestWorkersStartOnABusyDatabase: while the table of queues is locked, River gives up after 10 s; the next attempt succeeds.
func TestWorkersStartOnABusyDatabase(t *testing.T) {
	t.Parallel()
	w := newWorld(t, changing())
	tx, err := w.db.SystemPool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := tx.Exec(t.Context(), "LOCK TABLE river_queue"); err != nil {
		t.Fatal(err)
	}
	waited := make(chan error, 1)
	w.work(func(c *jobs.Config) {
		c.Logger = slog.New(slog.NewTextHandler(onceWritten(func(line []byte) {
			if bytes.Contains(line, []byte("the workers start again")) {
				waited <- tx.Rollback(context.WithoutCancel(t.Context()))
			}
		}), nil))
	})
	select {
	case err := <-waited:
		if err != nil {
			t.Error(err)
		}
	default:
		t.Error("the workers started while their queues were locked")
	}
}

// onceWritten gets each line of a log.
type onceWritten func(line []byte)

func (w onceWritten) Write(line []byte) (int, error) {
	w(line)
	return len(line), nil
}
