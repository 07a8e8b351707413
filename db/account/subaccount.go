package account

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// subaccounts are the direct subaccounts of an account. The account of a source is the owner of its rows.
var subaccounts = query.Source{
	Table: "(SELECT s.parent_id AS account_id, s.* FROM accounts AS s WHERE s.deleted_at IS NULL) AS a",
	Alias: "a", Created: "created_at", ID: "id",
	Widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

// Subaccounts implements account.Tx.
func (t *Tx) Subaccounts(ctx context.Context, f vcd.SubaccountFilter, p vcd.Page) (*vcd.List[*vcd.Account], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		if f.Search == nil {
			return q
		}
		return q.Where("(a.email ILIKE ?0 OR a.name_first ILIKE ?0 OR a.name_last ILIKE ?0)", query.Containing(query.Plain(*f.Search)))
	}
	return query.FetchPage(ctx, t.Scope, subaccounts, where, query.Order{}, p, (*accountRow).account)
}

// Subaccount implements account.Tx.
func (t *Tx) Subaccount(ctx context.Context, id vcd.ID) (*vcd.Account, error) {
	row, err := query.FetchOne[accountRow](ctx, t.Scope, subaccounts,
		func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("a.id = ?", id) })
	if err != nil {
		return nil, query.NotFound(err, "Subaccount", id)
	}
	return row.account(), nil
}

// OwnsAnything implements account.Tx.
func (t *Tx) OwnsAnything(ctx context.Context) (owns bool, err error) {
	err = t.Bun.NewRaw(`SELECT EXISTS (SELECT FROM groups WHERE account_id = ?0 AND deleted_at IS NULL)
		OR EXISTS (SELECT FROM urls WHERE account_id = ?0 AND deleted_at IS NULL)`, t.Tenant).Scan(ctx, &owns)
	if err != nil {
		return false, fmt.Errorf("look for groups and URLs: %w", err)
	}
	return owns, nil
}

// DeleteAccount implements account.Tx.
func (t *Tx) DeleteAccount(ctx context.Context, a *vcd.Account) error {
	if err := t.RemoveBrand(ctx); err != nil {
		return err
	}
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Table("accounts").
		Set("deleted_at = ?0, updated_at = ?0, status = ?1", a.UpdatedAt, a.Status).
		Set("name_first = '', name_last = '', email = '', company = NULL, sealed_webhook_secret = NULL, sealed_magic_login = NULL").
		Where("id = ? AND deleted_at IS NULL", t.Tenant), "Subaccount", a.ID)
}

// SetStatus implements account.Tx.
func (t *Tx) SetStatus(ctx context.Context, to vcd.AccountStatus, from []vcd.AccountStatus, now time.Time) ([]vcd.ID, error) {
	var moved []string
	for _, which := range []string{"parent_id", "id"} {
		var some []string
		err := t.Bun.NewRaw(`UPDATE accounts SET status = ?, updated_at = ?
			WHERE ? = ? AND status = ANY(?) AND deleted_at IS NULL RETURNING id`, to, now, bun.Ident(which), t.Tenant,
			query.Array(from)).Scan(ctx, &some)
		if err != nil {
			return nil, fmt.Errorf("set the state of the account: %w", err)
		}
		moved = append(moved, some...)
	}
	return query.IDs(moved), nil
}

// BeginPeriod implements account.Tx.
func (t *Tx) BeginPeriod(ctx context.Context, renewal, next time.Time) (began bool, err error) {
	for _, which := range []string{"parent_id", "id"} {
		result, err := t.Bun.NewRaw(`
			UPDATE accounts SET checks_before = checks_before + checks_done, checks_done = 0, checks_told = 0, renewal_at = ?
			WHERE ? = ? AND renewal_at <= ? AND deleted_at IS NULL`, next, bun.Ident(which), t.Tenant, renewal).Exec(ctx)
		if err != nil {
			return false, fmt.Errorf("begin a period of the account: %w", err)
		}
		n, err := result.RowsAffected()
		if err != nil {
			return false, err
		}
		began = n == 1 // of the account itself, which comes last
	}
	return began, nil
}

// SetFeatures implements account.Tx.
func (t *Tx) SetFeatures(ctx context.Context, a *vcd.Account) error {
	_, err := t.Bun.NewUpdate().Model(rowOfAccount(a)).
		Column("plan", "plan_name", "plan_label", "ai_verification", "browser_console", "storage_limit").
		Where("parent_id = ? AND deleted_at IS NULL", t.Tenant).Exec(ctx)
	if err != nil {
		return fmt.Errorf("set the features of the subaccounts: %w", err)
	}
	return nil
}
