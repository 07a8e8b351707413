package db

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

type auditRow struct {
	bun.BaseModel `bun:"table:audit_entries,alias:ae"`

	Account     vcd.ID          `bun:"account_id,pk"`
	ID          vcd.ID          `bun:"id,pk"`
	ActorKind   vcd.ActorKind   `bun:"actor_kind"`
	ActorID     vcd.ID          `bun:"actor_id,nullzero"`
	ActorName   string          `bun:"actor_name"`
	Action      string          `bun:"action"`
	SubjectType vcd.SubjectType `bun:"subject_type"`
	SubjectID   vcd.ID          `bun:"subject_id,nullzero"`
	CreatedAt   time.Time       `bun:"created_at"`
}

var auditEntries = source{
	table: "audit_entries AS ae", alias: "ae", created: "created_at", id: "id", unique: true,
	widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

func (r *auditRow) entry() *vcd.AuditEntry {
	return &vcd.AuditEntry{
		ID: r.ID, Account: r.Account, Actor: vcd.Person{Kind: r.ActorKind, ID: r.ActorID, Name: r.ActorName},
		Action: r.Action, SubjectType: r.SubjectType, SubjectID: r.SubjectID, CreatedAt: r.CreatedAt.UTC(),
	}
}

// subject is what a transaction changes.
type subject struct {
	kind vcd.SubjectType
	id   vcd.ID
}

// Concern implements vcd.AuditStore.
func (t *tx) Concern(kind vcd.SubjectType, id vcd.ID) { t.concern = subject{kind, id} }

// audit stores who makes the change of this transaction. A change of several transactions is told once.
func (t *tx) audit(ctx context.Context, actor vcd.Actor) error {
	if actor.Change.Action == "" {
		return nil
	}
	about := t.concern
	if about.id == "" && len(t.outbox.events) > 0 {
		about = subject{t.outbox.events[0].SubjectType, t.outbox.events[0].SubjectID}
	}
	who := actor.Person()
	row := &auditRow{
		Account: t.account, ID: actor.Change.ID, ActorKind: who.Kind, ActorID: who.ID, ActorName: who.Name,
		Action: actor.Change.Action, SubjectType: about.kind, SubjectID: about.id, CreatedAt: actor.Change.At,
	}
	if _, err := t.bun.NewInsert().Model(row).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
		return fmt.Errorf("insert the audit entry: %w", err)
	}
	return nil
}

// AuditEntries implements vcd.AuditStore.
func (t *tx) AuditEntries(ctx context.Context, f vcd.AuditFilter, p vcd.Page) (*vcd.List[*vcd.AuditEntry], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		if f.Action != nil {
			q = q.Where("ae.action = ?", plain(*f.Action))
		}
		if f.ActorKind != nil {
			q = q.Where("ae.actor_kind = ?", *f.ActorKind)
		}
		return among(q, "ae.subject_id", f.SubjectIDs)
	}
	return fetchPage(ctx, t, auditEntries, where, order{}, p, (*auditRow).entry)
}

// RemoveAuditEntries implements vcd.RetentionStore.
func (d *DB) RemoveAuditEntries(ctx context.Context, before time.Time, limit int) (removed int, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		return t.bun.NewRaw(`WITH gone AS (
				DELETE FROM audit_entries AS g USING (
					SELECT account_id, id FROM audit_entries WHERE created_at < ? ORDER BY created_at LIMIT ? FOR UPDATE SKIP LOCKED
				) AS old WHERE g.account_id = old.account_id AND g.id = old.id RETURNING g.id)
			SELECT count(*) FROM gone`, before, limit).Scan(ctx, &removed)
	})
	if err != nil {
		return 0, fmt.Errorf("remove old audit entries: %w", err)
	}
	return removed, nil
}
