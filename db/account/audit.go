package account

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

var auditEntries = query.Source{
	Table: "audit_entries AS ae", Alias: "ae", Created: "created_at", ID: "id", Unique: true,
	Widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

// AuditEntries implements account.Tx.
func (t *Tx) AuditEntries(ctx context.Context, f vcd.AuditFilter, p vcd.Page) (*vcd.List[*vcd.AuditEntry], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		if f.Action != nil {
			q = q.Where("ae.action = ?", query.Plain(*f.Action))
		}
		if f.ActorKind != nil {
			q = q.Where("ae.actor_kind = ?", *f.ActorKind)
		}
		return query.Among(q, "ae.subject_id", f.SubjectIDs)
	}
	return query.FetchPage(ctx, t.Scope, auditEntries, where, query.Order{}, p, (*pg.AuditRow).Entry)
}

// RemoveAuditEntries implements run.Store.
func (d *Store) RemoveAuditEntries(ctx context.Context, before time.Time, limit int) (int, error) {
	return d.RemoveKept(ctx, pg.Kept{Table: "audit_entries", Key: []string{"account_id", "id"}, Since: "created_at"}, before, limit)
}
