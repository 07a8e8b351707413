package pg

import (
	"context"
	"fmt"

	"afterimage/db/query"
	"afterimage/internal/tracing"
	"afterimage/vcd"
)

// KeepTrace stores where the trace of a new run goes on. A run that nobody's request started begins a trace.
func (t *Tx) KeepTrace(ctx context.Context, batch vcd.ID) error {
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
	_, err := t.Bun.NewRaw("INSERT INTO batch_traces (account_id, batch_id, traceparent) VALUES (?, ?, ?)", t.Tenant, batch,
		carried).Exec(ctx)
	if err != nil {
		return fmt.Errorf("store the trace of batch %s: %w", batch, err)
	}
	return nil
}

// traceDeliveries tells the outbox's deliveries which traces they belong to.
func (t *Tx) traceDeliveries(ctx context.Context) error {
	var batches []vcd.ID
	for _, job := range t.Outbox.delivers {
		if job.Batch != "" {
			batches = append(batches, job.Batch)
		}
	}
	if !tracing.On() || len(batches) == 0 {
		return nil
	}
	parents, err := t.TracesOf(ctx, []vcd.ID{t.Tenant}, batches)
	if err != nil {
		return err
	}
	for i := range t.Outbox.delivers {
		t.Outbox.delivers[i].Trace = parents[t.Outbox.delivers[i].Batch]
	}
	return nil
}

// TracesOf reads which traces batches belong to.
func (t *Tx) TracesOf(ctx context.Context, accounts, batches []vcd.ID) (map[vcd.ID]string, error) {
	if !tracing.On() {
		return nil, nil
	}
	var rows []struct {
		Batch  vcd.ID `bun:"batch_id"`
		Parent string `bun:"traceparent"`
	}
	err := t.Bun.NewRaw("SELECT batch_id, traceparent FROM batch_traces WHERE account_id = ANY(?) AND batch_id = ANY(?)",
		query.Array(accounts),
		query.Array(batches)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the traces of batches: %w", err)
	}
	parents := make(map[vcd.ID]string, len(rows))
	for _, r := range rows {
		parents[r.Batch] = r.Parent
	}
	return parents, nil
}
