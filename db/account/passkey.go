package account

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

type passkeyRow struct {
	bun.BaseModel `bun:"table:passkeys,alias:pk"`

	Account      vcd.ID          `bun:"account_id,pk"`
	ID           vcd.ID          `bun:"id,pk"`
	User         vcd.ID          `bun:"user_id"`
	CredentialID []byte          `bun:"credential_id"`
	Credential   json.RawMessage `bun:"credential,type:jsonb"`
	Name         string          `bun:"name"`
	CreatedAt    time.Time       `bun:"created_at"`
	UsedAt       *time.Time      `bun:"used_at"`
}

func rowOfPasskey(p *vcd.Passkey) *passkeyRow {
	return &passkeyRow{
		Account: p.Account, ID: p.ID, User: p.User, CredentialID: p.CredentialID, Credential: p.Credential, Name: p.Name,
		CreatedAt: p.CreatedAt, UsedAt: p.UsedAt,
	}
}

func (r *passkeyRow) passkey() *vcd.Passkey {
	return &vcd.Passkey{
		ID: r.ID, Account: r.Account, User: r.User, CredentialID: r.CredentialID, Credential: r.Credential, Name: r.Name,
		CreatedAt: r.CreatedAt.UTC(), UsedAt: query.UTC(r.UsedAt),
	}
}

// Passkeys implements account.PeopleTx.
func (t *Tx) Passkeys(ctx context.Context, user vcd.ID) ([]*vcd.Passkey, error) {
	var rows []*passkeyRow
	err := t.Bun.NewSelect().Model(&rows).Where("pk.account_id = ? AND pk.user_id = ?", t.Tenant, user).Order("pk.id").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list passkeys: %w", err)
	}
	return query.ConvertAll(rows, (*passkeyRow).passkey), nil
}

// LockPasskey implements account.PeopleTx.
func (t *Tx) LockPasskey(ctx context.Context, id vcd.ID) (*vcd.Passkey, error) {
	row := &passkeyRow{}
	err := query.ForChange(t.Bun.NewSelect().Model(row)).Where("pk.account_id = ? AND pk.id = ?", t.Tenant, id).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the passkey: %w", query.NotFound(err, "Passkey", id))
	}
	return row.passkey(), nil
}

// InsertPasskey implements account.PeopleTx.
func (t *Tx) InsertPasskey(ctx context.Context, p *vcd.Passkey) error {
	_, err := t.Bun.NewInsert().Model(rowOfPasskey(p)).Exec(ctx)
	switch {
	case pg.Violates(err, "passkeys_credential_key"):
		return &vcd.Error{Code: vcd.CodeConflict, Message: "This passkey is already registered."}
	case err != nil:
		return fmt.Errorf("insert the passkey: %w", err)
	}
	return nil
}

// UpdatePasskey implements account.PeopleTx.
func (t *Tx) UpdatePasskey(ctx context.Context, p *vcd.Passkey) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfPasskey(p)).Column("credential", "name", "used_at").
		Where("account_id = ? AND id = ?", t.Tenant, p.ID), "Passkey", p.ID)
}

// DeletePasskey implements account.PeopleTx.
func (t *Tx) DeletePasskey(ctx context.Context, id vcd.ID) error {
	if _, err := t.Bun.NewDelete().Table("passkeys").Where("account_id = ? AND id = ?", t.Tenant, id).Exec(ctx); err != nil {
		return fmt.Errorf("delete the passkey: %w", err)
	}
	return nil
}

// PasskeyByCredential implements account.Store.
func (d *Store) PasskeyByCredential(ctx context.Context, credential []byte) (*vcd.Passkey, error) {
	row := &passkeyRow{}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return query.NotFound(t.Bun.NewSelect().Model(row).Where("pk.credential_id = ?", credential).Scan(ctx), "Passkey", "")
	})
	if err != nil {
		return nil, err
	}
	return row.passkey(), nil
}
