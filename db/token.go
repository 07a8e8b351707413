package db

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

type tokenRow struct {
	bun.BaseModel `bun:"table:tokens,alias:t"`

	Account   vcd.ID     `bun:"account_id,pk"`
	ID        vcd.ID     `bun:"id,pk"`
	Name      string     `bun:"name"`
	Prefix    string     `bun:"prefix"`
	Hash      []byte     `bun:"hash"`
	ExpiresAt *time.Time `bun:"expires_at"`
	RevokedAt *time.Time `bun:"revoked_at"`
	CreatedAt time.Time  `bun:"created_at"`
}

func (t *tx) InsertToken(ctx context.Context, token *vcd.Token) error {
	row := &tokenRow{
		Account: t.account, ID: token.ID, Name: token.Name, Prefix: token.Prefix, Hash: token.Hash,
		ExpiresAt: token.ExpiresAt, RevokedAt: token.RevokedAt, CreatedAt: token.CreatedAt,
	}
	if _, err := t.bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the token: %w", err)
	}
	return nil
}

// AccountByToken is vcd.AuthStore's. Every request asks it, so it is one statement; see the function in migrations.
func (d *DB) AccountByToken(ctx context.Context, hash []byte, now time.Time) (*vcd.Account, vcd.ID, error) {
	var found []struct {
		Token      vcd.ID `bun:"token_id"`
		accountRow `bun:",extend"`
	}
	err := d.ask(ctx, func(ctx context.Context, db bun.IDB) error {
		return db.NewRaw("SELECT token_id, (account).* FROM account_by_token(?, ?)", hash, now).Scan(ctx, &found)
	})
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("look the token up: %w", err)
	case len(found) == 0:
		return nil, "", vcd.Unauthenticated()
	}
	return found[0].account(), found[0].Token, nil
}

// HasAccounts is vcd.AuthStore's.
func (d *DB) HasAccounts(ctx context.Context) (some bool, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		return t.bun.NewRaw("SELECT EXISTS (SELECT FROM accounts)").Scan(ctx, &some)
	})
	return some, err
}

// AccountByEmail is vcd.AuthStore's; letter case does not matter.
func (d *DB) AccountByEmail(ctx context.Context, email string) (*vcd.Account, error) {
	row := &accountRow{}
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		err := t.bun.NewSelect().Model(row).Where("lower(a.email) = lower(?)", plain(email)).Scan(ctx)
		return notFound(err, "Account", vcd.ID(email))
	})
	if err != nil {
		return nil, err
	}
	return row.account(), nil
}
