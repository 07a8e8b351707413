package outbound

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
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

// EventsAfter implements outbound.Tx. It sees what is committed, not what this transaction has gathered. One
// statement reads both the events and the number up to which they were removed, so that a concurrent removal cannot
// leave an unnoticed gap.
func (t *Tx) EventsAfter(ctx context.Context, after int64, batch *vcd.ID, limit int) ([]*vcd.Event, error) {
	var rows []*struct {
		eventRead

		Removed int64 `bun:"removed_events"`
		Newest  int64 `bun:"last_event"`
	}
	q := t.Bun.NewSelect().Table("events").Where("account_id = a.id AND number > ?", after).OrderExpr("number").Limit(int64(limit))
	if batch != nil {
		q = q.Where("batch_id = ?", *batch)
	}
	err := t.Bun.NewRaw(`SELECT a.removed_events, a.last_event, e.* FROM accounts AS a LEFT JOIN LATERAL (?) AS e ON true
		WHERE a.id = ? ORDER BY e.number`, q, t.Tenant).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	events := make([]*vcd.Event, 0, len(rows))
	for _, row := range rows {
		if after > 0 && after < row.Removed {
			return nil, vcd.EventsRemoved(row.Removed)
		}
		if after > row.Newest {
			return nil, vcd.EventsToCome(row.Newest)
		}
		if row.Number > 0 { // an account without such events yields one row without an event
			events = append(events, row.event())
		}
	}
	return events, nil
}

// LastEvent implements outbound.Tx.
func (t *Tx) LastEvent(ctx context.Context) (int64, error) {
	var last int64
	err := t.Bun.NewRaw("SELECT last_event FROM accounts WHERE id = ?", t.Tenant).Scan(ctx, &last)
	if err != nil {
		return 0, fmt.Errorf("read the number of the newest event: %w", query.NotFound(err, "Account", t.Tenant))
	}
	return last, nil
}
