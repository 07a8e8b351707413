package db

import (
	"context"
	"fmt"

	"afterimage/internal/tracing"
	"afterimage/vcd"
)

// keepTrace stores where the trace of a new run goes on. A run that nobody's request started begins a trace.
func (t *tx) keepTrace(ctx context.Context, batch vcd.ID) error {
	if !tracing.On() {
		return nil
	}
	carried := tracing.Carry(ctx)
	if carried == "" {
		root, end := tracing.Begin(ctx, "run due")
		carried = tracing.Carry(root)
		end(nil)
	}
	if carried == "" { // not sampled
		return nil
	}
	_, err := t.bun.NewRaw("INSERT INTO batch_traces (account_id, batch_id, traceparent) VALUES (?, ?, ?)", t.account, batch,
		carried).Exec(ctx)
	if err != nil {
		return fmt.Errorf("store the trace of batch %s: %w", batch, err)
	}
	return nil
}

// traceDeliveries tells the outbox's deliveries which traces they belong to.
func (t *tx) traceDeliveries(ctx context.Context) error {
	var batches []vcd.ID
	for _, job := range t.outbox.delivers {
		if job.Batch != "" {
			batches = append(batches, job.Batch)
		}
	}
	if !tracing.On() || len(batches) == 0 {
		return nil
	}
	var rows []struct {
		Batch  vcd.ID `bun:"batch_id"`
		Parent string `bun:"traceparent"`
	}
	err := t.bun.NewRaw("SELECT batch_id, traceparent FROM batch_traces WHERE account_id = ? AND batch_id = ANY(?)", t.account,
		array(batches)).Scan(ctx, &rows)
	if err != nil {
		return fmt.Errorf("read the traces of batches: %w", err)
	}
	parents := make(map[vcd.ID]string, len(rows))
	for _, r := range rows {
		parents[r.Batch] = r.Parent
	}
	for i := range t.outbox.delivers {
		t.outbox.delivers[i].Trace = parents[t.outbox.delivers[i].Batch]
	}
	return nil
}

// handedQuery hands turns out with the traces that they belong to.
const (
	handedQuery = "SELECT account_id, subject_id, kind, queue FROM hand_out(?, ?, ?, ?, ?, ?, ?)"
	tracedQuery = `SELECT h.account_id, h.subject_id, h.kind, h.queue, coalesce(b.traceparent, '') AS traceparent
		FROM hand_out(?, ?, ?, ?, ?, ?, ?) AS h LEFT JOIN batch_traces AS b ON b.account_id = h.account_id AND b.batch_id = h.batch_id`
)
