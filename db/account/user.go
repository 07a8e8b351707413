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

type userRow struct {
	bun.BaseModel `bun:"table:users,alias:u"`

	Account    vcd.ID     `bun:"account_id,pk"`
	ID         vcd.ID     `bun:"id,pk"`
	Email      string     `bun:"email"`
	Name       string     `bun:"name"`
	Role       vcd.Role   `bun:"role"`
	Issuer     *string    `bun:"issuer"`
	Subject    *string    `bun:"subject"`
	CreatedAt  time.Time  `bun:"created_at"`
	UpdatedAt  time.Time  `bun:"updated_at"`
	LastSeenAt *time.Time `bun:"last_seen_at,scanonly"`
}

var users = query.Source{
	Table: "users AS u", Alias: "u", Created: "created_at", ID: "id", Unique: true,
	Widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		const lastSeen = "(SELECT max(s.used_at) FROM sessions AS s WHERE s.account_id = ? AND s.user_id = u.id) AS last_seen_at"
		return q.ColumnExpr(lastSeen, account)
	},
}

func rowOfUser(u *vcd.User) *userRow {
	return &userRow{
		Account: u.Account, ID: u.ID, Email: u.Email, Name: u.Name, Role: u.Role, Issuer: u.Issuer, Subject: u.Subject,
		CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt,
	}
}

func (r *userRow) user() *vcd.User {
	return &vcd.User{
		ID: r.ID, Account: r.Account, Email: r.Email, Name: r.Name, Role: r.Role, Issuer: r.Issuer, Subject: r.Subject,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(), LastSeenAt: query.UTC(r.LastSeenAt),
	}
}

func usersOf(f vcd.UserFilter) query.Narrow {
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(q.Where("u.removed_at IS NULL"), "u.role", f.Roles)
		if f.Search != nil {
			q = q.Where("(u.email ILIKE ?0 OR u.name ILIKE ?0)", query.Containing(query.Plain(*f.Search)))
		}
		return q
	}
}

// Users implements account.PeopleTx.
func (t *Tx) Users(ctx context.Context, f vcd.UserFilter, p vcd.Page) (*vcd.List[*vcd.User], error) {
	return query.FetchPage(ctx, t.Scope, users, usersOf(f), query.Order{}, p, (*userRow).user)
}

// CountUsers implements account.PeopleTx.
func (t *Tx) CountUsers(ctx context.Context, f vcd.UserFilter) (int, error) {
	return t.Count(ctx, users, usersOf(f))
}

// User implements account.PeopleTx.
func (t *Tx) User(ctx context.Context, id vcd.ID) (*vcd.User, error) {
	row, err := query.FetchOne[userRow](ctx, t.Scope, users, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("u.id = ? AND u.removed_at IS NULL", id)
	})
	if err != nil {
		return nil, query.NotFound(err, "User", id)
	}
	return row.user(), nil
}

// InsertUser implements account.PeopleTx.
func (t *Tx) InsertUser(ctx context.Context, u *vcd.User) error {
	_, err := t.Bun.NewInsert().Model(rowOfUser(u)).Exec(ctx)
	return userFault("insert the user", err)
}

// UpdateUser implements account.PeopleTx.
func (t *Tx) UpdateUser(ctx context.Context, u *vcd.User) error {
	err := t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfUser(u)).Column("name", "role", "issuer", "subject", "updated_at").
		Where("account_id = ? AND id = ? AND removed_at IS NULL", t.Tenant, u.ID), "User", u.ID)
	return userFault("update the user", err)
}

func userFault(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case pg.Violates(err, "users_email_key"):
		return errEmailTaken
	case pg.Violates(err, "users_identity_key"):
		return &vcd.Error{Code: vcd.CodeConflict, Message: "Another user already signs in with this identity."}
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// RemoveUsers implements account.Tx.
func (t *Tx) RemoveUsers(ctx context.Context, id vcd.ID, now time.Time) error {
	one := func(column string) string { return "account_id = ? AND (? = '' OR " + column + "::text = ?)" }
	if _, err := t.Bun.NewUpdate().Table("users").Set("removed_at = ?0, updated_at = ?0", now).
		Where(one("id"), t.Tenant, id, id).Where("removed_at IS NULL").Exec(ctx); err != nil {
		return fmt.Errorf("remove users: %w", err)
	}
	if _, err := t.Bun.NewUpdate().Table("sessions").Set("revoked_at = ?", now).
		Where(one("user_id"), t.Tenant, id, id).Where("revoked_at IS NULL").Exec(ctx); err != nil {
		return fmt.Errorf("end the sessions of removed users: %w", err)
	}
	if _, err := t.Bun.NewDelete().Table("passkeys").Where(one("user_id"), t.Tenant, id, id).Exec(ctx); err != nil {
		return fmt.Errorf("delete the passkeys of removed users: %w", err)
	}
	return nil
}

// UserByEmail implements account.Store.
func (d *Store) UserByEmail(ctx context.Context, email string) (*vcd.User, error) {
	return d.findUser(ctx, "lower(u.email) = lower(?)", query.Plain(email))
}

// UserByIdentity implements account.Store.
func (d *Store) UserByIdentity(ctx context.Context, issuer, subject string) (*vcd.User, error) {
	return d.findUser(ctx, "u.issuer = ? AND u.subject = ?", query.Plain(issuer), query.Plain(subject))
}

func (d *Store) findUser(ctx context.Context, where string, args ...any) (*vcd.User, error) {
	row := &userRow{}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		err := t.Bun.NewSelect().Model(row).Join("JOIN accounts AS a ON a.id = u.account_id").Where(where, args...).
			Where("u.removed_at IS NULL AND a.deleted_at IS NULL").Scan(ctx)
		return query.NotFound(err, "User", "")
	})
	if err != nil {
		return nil, err
	}
	return row.user(), nil
}
