package db

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

type eventRead struct {
	bun.BaseModel `bun:"table:events,alias:e"`

	Account     vcd.ID            `bun:"account_id,pk"`
	Number      int64             `bun:"number,pk"`
	Kind        vcd.EventKind     `bun:"kind"`
	SubjectType vcd.SubjectType   `bun:"subject_type"`
	SubjectID   vcd.ID            `bun:"subject_id"`
	BatchID     *vcd.ID           `bun:"batch_id"`
	Progress    *vcd.StatusCounts `bun:"progress,type:jsonb"`
	CreatedAt   time.Time         `bun:"created_at"`
}

func (r *eventRead) event() *vcd.Event {
	return &vcd.Event{
		Account: r.Account, Number: r.Number, Kind: r.Kind, SubjectType: r.SubjectType, SubjectID: r.SubjectID,
		BatchID: r.BatchID, Progress: r.Progress, CreatedAt: r.CreatedAt.UTC(),
	}
}

// EventsAfter is vcd.EventStore's. It sees what is committed, not what this transaction has gathered.
func (t *tx) EventsAfter(ctx context.Context, after int64, batch *vcd.ID, limit int) ([]*vcd.Event, error) {
	var rows []*eventRead
	q := t.bun.NewSelect().Model(&rows).Where("e.account_id = ? AND e.number > ?", t.account, after).
		OrderExpr("e.number").Limit(int64(limit))
	if batch != nil {
		q = q.Where("e.batch_id = ?", *batch)
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	return convertAll(rows, (*eventRead).event), nil
}

// LastEvent is vcd.EventStore's.
func (t *tx) LastEvent(ctx context.Context) (int64, error) {
	var last int64
	err := t.bun.NewRaw("SELECT last_event FROM accounts WHERE id = ?", t.account).Scan(ctx, &last)
	if err != nil {
		return 0, fmt.Errorf("read the number of the newest event: %w", notFound(err, "Account", t.account))
	}
	return last, nil
}
