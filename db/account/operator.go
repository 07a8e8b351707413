package account

import (
	"context"
	"fmt"
	"time"

	"afterimage/db/query"
	"afterimage/vcd"
)

// HasAccounts reports whether any account exists yet.
func (d *Store) HasAccounts(ctx context.Context) (some bool, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw("SELECT EXISTS (SELECT FROM accounts)").Scan(ctx, &some)
	})
	return some, err
}

// AccountCalled finds an account by its email address, in which letter case does not matter, or its id.
func (d *Store) AccountCalled(ctx context.Context, name string) (*vcd.Account, error) {
	row, where := &accountRow{}, "lower(a.email) = lower(?) AND a.email <> ''"
	if _, isID := vcd.ParseID(name); isID {
		where = "a.id = ?"
	}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		err := t.Bun.NewSelect().Model(row).Where(where+" AND a.deleted_at IS NULL", query.Plain(name)).Scan(ctx)
		return query.NotFound(err, "Account", vcd.ID(name))
	})
	if err != nil {
		return nil, err
	}
	return row.account(), nil
}

// Accounts lists all accounts, each full account before its subaccounts.
func (d *Store) Accounts(ctx context.Context) ([]*vcd.Account, error) {
	var rows []*accountRow
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewSelect().Model(&rows).Where("a.deleted_at IS NULL").
			OrderExpr("coalesce(a.parent_id, a.id), a.parent_id IS NOT NULL, a.created_at, a.id").Scan(ctx)
	})
	if err != nil {
		return nil, fmt.Errorf("list the accounts: %w", err)
	}
	return query.ConvertAll(rows, (*accountRow).account), nil
}

// AccountsToRenew implements account.Store.
func (d *Store) AccountsToRenew(ctx context.Context, now time.Time, limit int) ([]vcd.ID, error) {
	return d.accountIDs(ctx, `SELECT id FROM accounts
		WHERE renewal_at <= ? AND parent_id IS NULL AND status <> 'cancelled' AND deleted_at IS NULL ORDER BY renewal_at LIMIT ?`, now,
		limit)
}

// AccountsLowOnChecks implements run.Store.
func (d *Store) AccountsLowOnChecks(ctx context.Context, limit int) ([]vcd.ID, error) {
	return d.accountIDs(ctx, `SELECT id FROM accounts
		WHERE status <> 'cancelled' AND deleted_at IS NULL AND checks_limit > 0 AND checks_told <
			CASE WHEN checks_done >= checks_limit THEN 100 WHEN checks_done >= checks_limit * 0.8 THEN 80 ELSE 0 END
		ORDER BY id LIMIT ?`, limit)
}

// UnusedAccounts implements account.Store.
func (d *Store) UnusedAccounts(ctx context.Context, since time.Time, limit int) ([]vcd.ID, error) {
	return d.accountIDs(ctx, `SELECT a.id FROM accounts AS a
		WHERE a.parent_id IS NULL AND a.status = 'active' AND a.deleted_at IS NULL AND a.updated_at < ?0
			AND NOT EXISTS (SELECT FROM accounts AS own JOIN tokens AS t ON t.account_id = own.id
				WHERE (own.id = a.id OR own.parent_id = a.id) AND t.last_used_at >= ?0)
			AND NOT EXISTS (SELECT FROM accounts AS own JOIN sessions AS s ON s.account_id = own.id
				WHERE (own.id = a.id OR own.parent_id = a.id) AND s.used_at >= ?0)
		ORDER BY a.updated_at LIMIT ?1`, since, limit)
}

func (d *Store) accountIDs(ctx context.Context, question string, args ...any) ([]vcd.ID, error) {
	var found []string
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error { return t.Bun.NewRaw(question, args...).Scan(ctx, &found) })
	if err != nil {
		return nil, fmt.Errorf("look for accounts that are due: %w", err)
	}
	return query.IDs(found), nil
}
