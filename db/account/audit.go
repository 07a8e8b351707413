package account

import (
	"context"
	"fmt"
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
func (d *Store) RemoveAuditEntries(ctx context.Context, before time.Time, limit int) (removed int, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(`WITH gone AS (
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
