package account

import (
	"context"
	"fmt"
	"time"

	"afterimage/db/pg"
	"afterimage/db/query"
)

// KeepSignIn implements account.Store.
func (d *Store) KeepSignIn(ctx context.Context, hash, sealed []byte, expires time.Time) error {
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		_, err := t.Bun.NewRaw("INSERT INTO sign_in_attempts (hash, sealed, expires_at) VALUES (?, ?, ?)", hash, sealed, expires).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep an attempt to sign in: %w", err)
	}
	return nil
}

// PeekSignIn implements account.Store.
func (d *Store) PeekSignIn(ctx context.Context, hash []byte, now time.Time) ([]byte, error) {
	return d.signIn(ctx, "SELECT sealed FROM sign_in_attempts WHERE hash = ? AND expires_at > ?", hash, now)
}

// TakeSignIn implements account.Store.
func (d *Store) TakeSignIn(ctx context.Context, hash []byte, now time.Time) ([]byte, error) {
	return d.signIn(ctx, "DELETE FROM sign_in_attempts WHERE hash = ? AND expires_at > ? RETURNING sealed", hash, now)
}

func (d *Store) signIn(ctx context.Context, statement string, args ...any) ([]byte, error) {
	var sealed []byte
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error { return t.Bun.NewRaw(statement, args...).Scan(ctx, &sealed) })
	if err != nil {
		return nil, fmt.Errorf("find an attempt to sign in: %w", query.NotFound(err, "SignIn", ""))
	}
	return sealed, nil
}

// RemoveSignIns implements run.Store.
func (d *Store) RemoveSignIns(ctx context.Context, before time.Time, limit int) (int, error) {
	return d.RemoveKept(ctx, pg.Kept{Table: "sign_in_attempts", Key: []string{"hash"}, Since: "expires_at"}, before, limit)
}

// RemoveSessions implements run.Store.
func (d *Store) RemoveSessions(ctx context.Context, before time.Time, limit int) (int, error) {
	return d.RemoveKept(ctx, pg.Kept{Table: "sessions", Key: []string{"account_id", "id"}, Since: "expires_at"}, before, limit)
}
