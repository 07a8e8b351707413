package account

import (
	"context"
	"fmt"
	"time"

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
	return d.removeExpired(ctx, `WITH gone AS (
			DELETE FROM sign_in_attempts WHERE hash IN (
				SELECT hash FROM sign_in_attempts WHERE expires_at < ? ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING hash)
		SELECT count(*) FROM gone`, before, limit)
}

// RemoveSessions implements run.Store.
func (d *Store) RemoveSessions(ctx context.Context, before time.Time, limit int) (int, error) {
	return d.removeExpired(ctx, `WITH gone AS (
			DELETE FROM sessions AS g USING (
				SELECT account_id, id FROM sessions WHERE expires_at < ? ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED
			) AS old WHERE g.account_id = old.account_id AND g.id = old.id RETURNING g.id)
		SELECT count(*) FROM gone`, before, limit)
}

func (d *Store) removeExpired(ctx context.Context, statement string, before time.Time, limit int) (removed int, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(statement, before, limit).Scan(ctx, &removed)
	})
	if err != nil {
		return 0, fmt.Errorf("remove expired sign-ins: %w", err)
	}
	return removed, nil
}
