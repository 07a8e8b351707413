package account

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type invitationRow struct {
	bun.BaseModel `bun:"table:invitations,alias:i"`

	Account     vcd.ID        `bun:"account_id,pk"`
	ID          vcd.ID        `bun:"id,pk"`
	Email       string        `bun:"email"`
	Role        vcd.Role      `bun:"role"`
	Hash        []byte        `bun:"hash,nullzero"`
	InviterKind vcd.ActorKind `bun:"inviter_kind"`
	InviterID   vcd.ID        `bun:"inviter_id,nullzero"`
	InviterName string        `bun:"inviter_name"`
	CreatedAt   time.Time     `bun:"created_at"`
	ExpiresAt   time.Time     `bun:"expires_at"`
	AcceptedAt  *time.Time    `bun:"accepted_at"`
	User        *vcd.ID       `bun:"user_id"`
	RevokedAt   *time.Time    `bun:"revoked_at"`
}

var invitations = query.Source{
	Table: "invitations AS i", Alias: "i", Created: "created_at", ID: "id", Unique: true,
	Widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

const openInvitation = "i.accepted_at IS NULL AND i.revoked_at IS NULL"

func rowOfInvitation(i *vcd.Invitation) *invitationRow {
	return &invitationRow{
		Account: i.Account, ID: i.ID, Email: i.Email, Role: i.Role, Hash: i.Hash, InviterKind: i.Inviter.Kind, InviterID: i.Inviter.ID,
		InviterName: i.Inviter.Name, CreatedAt: i.CreatedAt, ExpiresAt: i.ExpiresAt, AcceptedAt: i.AcceptedAt, User: i.User,
		RevokedAt: i.RevokedAt,
	}
}

func (r *invitationRow) invitation() *vcd.Invitation {
	return &vcd.Invitation{
		ID: r.ID, Account: r.Account, Email: r.Email, Role: r.Role, Hash: r.Hash,
		Inviter:   vcd.Person{Kind: r.InviterKind, ID: r.InviterID, Name: r.InviterName},
		CreatedAt: r.CreatedAt.UTC(), ExpiresAt: r.ExpiresAt.UTC(),
		AcceptedAt: query.UTC(r.AcceptedAt), User: r.User, RevokedAt: query.UTC(r.RevokedAt),
	}
}

// Invitations implements account.PeopleTx.
func (t *Tx) Invitations(ctx context.Context, f vcd.InvitationFilter, p vcd.Page) (*vcd.List[*vcd.Invitation], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(q, "i.role", f.Roles)
		if f.Search != nil {
			q = q.Where("i.email ILIKE ?", query.Containing(query.Plain(*f.Search)))
		}
		return q
	}
	return query.FetchPage(ctx, t.Scope, invitations, where, query.Order{}, p, (*invitationRow).invitation)
}

// LockInvitation implements account.PeopleTx.
func (t *Tx) LockInvitation(ctx context.Context, id vcd.ID) (*vcd.Invitation, error) {
	row := &invitationRow{}
	err := query.ForChange(t.Bun.NewSelect().Model(row)).Where("i.account_id = ? AND i.id = ?", t.Tenant, id).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the invitation: %w", query.NotFound(err, "Invitation", id))
	}
	return row.invitation(), nil
}

// OpenInvitation implements account.PeopleTx.
func (t *Tx) OpenInvitation(ctx context.Context, email string) (*vcd.Invitation, error) {
	row := &invitationRow{}
	err := query.ForChange(t.Bun.NewSelect().Model(row)).
		Where("i.account_id = ? AND lower(i.email) = lower(?)", t.Tenant, query.Plain(email)).Where(openInvitation).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for an invitation: %w", query.NotFound(err, "Invitation", ""))
	}
	return row.invitation(), nil
}

// CountOpenInvitations implements account.PeopleTx.
func (t *Tx) CountOpenInvitations(ctx context.Context, now time.Time) (int, error) {
	return t.Count(ctx, invitations, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where(openInvitation).Where("i.expires_at > ?", now)
	})
}

// InsertInvitation implements account.PeopleTx.
func (t *Tx) InsertInvitation(ctx context.Context, i *vcd.Invitation) error {
	if _, err := t.Bun.NewInsert().Model(rowOfInvitation(i)).Exec(ctx); err != nil {
		return fmt.Errorf("insert the invitation: %w", err)
	}
	return nil
}

// UpdateInvitation implements account.PeopleTx.
func (t *Tx) UpdateInvitation(ctx context.Context, i *vcd.Invitation) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfInvitation(i)).
		Column("hash", "expires_at", "accepted_at", "user_id", "revoked_at").
		Where("account_id = ? AND id = ?", t.Tenant, i.ID), "Invitation", i.ID)
}

// RevokeInvitationsOf implements account.Tx.
func (t *Tx) RevokeInvitationsOf(ctx context.Context, inviter vcd.ID, now time.Time) error {
	_, err := t.Bun.NewUpdate().TableExpr("invitations AS i").Set("revoked_at = ?", now).
		Where("i.account_id = ? AND i.inviter_id = ?", t.Tenant, inviter).Where(openInvitation).Exec(ctx)
	if err != nil {
		return fmt.Errorf("revoke invitations: %w", err)
	}
	return nil
}

// InvitationByHash implements account.Store.
func (d *Store) InvitationByHash(ctx context.Context, hash []byte) (*vcd.Invitation, error) {
	row := &invitationRow{}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		err := t.Bun.NewSelect().Model(row).Join("JOIN accounts AS a ON a.id = i.account_id").
			Where("i.hash = ? AND a.deleted_at IS NULL", hash).Scan(ctx)
		return query.NotFound(err, "Invitation", "")
	})
	if err != nil {
		return nil, err
	}
	return row.invitation(), nil
}
