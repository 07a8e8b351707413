package account

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type sessionRow struct {
	bun.BaseModel `bun:"table:sessions,alias:s"`

	Account   vcd.ID           `bun:"account_id,pk"`
	ID        vcd.ID           `bun:"id,pk"`
	User      vcd.ID           `bun:"user_id"`
	Hash      []byte           `bun:"hash"`
	Method    vcd.SignInMethod `bun:"method"`
	UserAgent string           `bun:"user_agent"`
	CreatedAt time.Time        `bun:"created_at"`
	UsedAt    time.Time        `bun:"used_at"`
	ExpiresAt time.Time        `bun:"expires_at"`
	RevokedAt *time.Time       `bun:"revoked_at"`
}

func (r *sessionRow) session() *vcd.Session {
	return &vcd.Session{
		ID: r.ID, Account: r.Account, User: r.User, Hash: r.Hash, Method: r.Method, UserAgent: r.UserAgent,
		CreatedAt: r.CreatedAt.UTC(), UsedAt: r.UsedAt.UTC(), ExpiresAt: r.ExpiresAt.UTC(), RevokedAt: query.UTC(r.RevokedAt),
	}
}

// Sessions implements account.PeopleTx.
func (t *Tx) Sessions(ctx context.Context, user vcd.ID, now time.Time) ([]*vcd.Session, error) {
	var rows []*sessionRow
	err := t.Bun.NewSelect().Model(&rows).Where("s.account_id = ? AND s.user_id = ? AND s.revoked_at IS NULL", t.Tenant, user).
		Where("s.expires_at > ? AND s.used_at > ?", now, now.Add(-vcd.SessionIdle)).OrderExpr("s.created_at DESC, s.id DESC").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return query.ConvertAll(rows, (*sessionRow).session), nil
}

// InsertSession implements account.PeopleTx.
func (t *Tx) InsertSession(ctx context.Context, s *vcd.Session) error {
	row := &sessionRow{
		Account: s.Account, ID: s.ID, User: s.User, Hash: s.Hash, Method: s.Method, UserAgent: query.Plain(s.UserAgent),
		CreatedAt: s.CreatedAt, UsedAt: s.UsedAt, ExpiresAt: s.ExpiresAt,
	}
	if _, err := t.Bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the session: %w", err)
	}
	return nil
}

// RevokeSession implements account.PeopleTx.
func (t *Tx) RevokeSession(ctx context.Context, user, id vcd.ID, now time.Time) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Table("sessions").Set("revoked_at = ?", now).
		Where("account_id = ? AND user_id = ? AND id = ? AND revoked_at IS NULL", t.Tenant, user, id).
		Where("expires_at > ? AND used_at > ?", now, now.Add(-vcd.SessionIdle)), "Session", id)
}

// RevokeOldSessions implements account.PeopleTx.
func (t *Tx) RevokeOldSessions(ctx context.Context, user vcd.ID, keep int, now time.Time) error {
	old := t.Bun.NewSelect().Model((*sessionRow)(nil)).Column("s.id").
		Where("s.account_id = ? AND s.user_id = ? AND s.revoked_at IS NULL", t.Tenant, user).
		Where("s.expires_at > ? AND s.used_at > ?", now, now.Add(-vcd.SessionIdle)).
		OrderExpr("s.used_at DESC, s.created_at DESC, s.id DESC").Offset(int64(keep))
	_, err := t.Bun.NewUpdate().Table("sessions").Set("revoked_at = ?", now).Where("account_id = ? AND id IN (?)", t.Tenant, old).Exec(ctx)
	if err != nil {
		return fmt.Errorf("end old sessions: %w", err)
	}
	return nil
}

// RevokeSessions implements account.PeopleTx.
func (t *Tx) RevokeSessions(ctx context.Context, user vcd.ID, now time.Time) (int, error) {
	result, err := t.Bun.NewUpdate().Table("sessions").Set("revoked_at = ?", now).
		Where("account_id = ? AND user_id = ? AND revoked_at IS NULL", t.Tenant, user).
		Where("expires_at > ? AND used_at > ?", now, now.Add(-vcd.SessionIdle)).Exec(ctx)
	if err != nil {
		return 0, fmt.Errorf("revoke the sessions: %w", err)
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// AccountBySession implements account.Store. It runs for every request, so it is one statement; see the function in
// migrations.
func (d *Store) AccountBySession(ctx context.Context, hash []byte, now time.Time) (*vcd.Bearer, error) {
	var found []struct {
		Session    vcd.ID    `bun:"session_id"`
		User       vcd.ID    `bun:"session_user_id"`
		UserName   string    `bun:"session_user_name"`
		Role       vcd.Role  `bun:"session_role"`
		ExpiresAt  time.Time `bun:"session_expires_at"`
		accountRow `bun:",extend"`
	}
	err := d.Ask(ctx, func(ctx context.Context, db bun.IDB) error {
		return db.NewRaw(`SELECT session_id, session_user_id, session_user_name, session_role, session_expires_at, (account).*
			FROM account_by_session(?, ?, make_interval(secs => ?))`, hash, now, vcd.SessionIdle.Seconds()).Scan(ctx, &found)
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("look up the session: %w", err)
	case len(found) == 0:
		return nil, vcd.Unauthenticated()
	}
	ends := found[0].ExpiresAt.UTC()
	return &vcd.Bearer{
		Account: found[0].account(), Session: found[0].Session, User: found[0].User, Role: found[0].Role, Name: found[0].UserName,
		ExpiresAt: &ends,
	}, nil
}
