package pg

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// AuditRow is who made a change, as it is stored.
type AuditRow struct {
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

// Entry is the row in the words of vcd.
func (r *AuditRow) Entry() *vcd.AuditEntry {
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

// Concern implements account.Tx.
func (t *Tx) Concern(kind vcd.SubjectType, id vcd.ID) { t.concern = subject{kind, id} }

// audit stores who makes the change of this transaction. A change of several transactions is told once.
func (t *Tx) audit(ctx context.Context, actor vcd.Actor) error {
	if actor.Change.Action == "" {
		return nil
	}
	about := t.concern
	if about.id == "" && len(t.Outbox.events) > 0 {
		about = subject{t.Outbox.events[0].SubjectType, t.Outbox.events[0].SubjectID}
	}
	who := actor.Person()
	row := &AuditRow{
		Account: t.Tenant, ID: actor.Change.ID, ActorKind: who.Kind, ActorID: who.ID, ActorName: who.Name,
		Action: actor.Change.Action, SubjectType: about.kind, SubjectID: about.id, CreatedAt: actor.Change.At,
	}
	if _, err := t.Bun.NewInsert().Model(row).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
		return fmt.Errorf("insert the audit entry: %w", err)
	}
	return nil
}
