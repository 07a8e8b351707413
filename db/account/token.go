package account

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type tokenRow struct {
	bun.BaseModel `bun:"table:tokens,alias:t"`

	Account   vcd.ID     `bun:"account_id,pk"`
	ID        vcd.ID     `bun:"id,pk"`
	Name      string     `bun:"name"`
	Prefix    string     `bun:"prefix"`
	Hash      []byte     `bun:"hash"`
	Scopes    []string   `bun:"scopes,array"`
	Creator   vcd.ID     `bun:"creator_id,nullzero"`
	ExpiresAt *time.Time `bun:"expires_at"`
	RevokedAt *time.Time `bun:"revoked_at"`
	LastUsed  *time.Time `bun:"last_used_at"`
	CreatedAt time.Time  `bun:"created_at"`
}

var tokens = query.Source{
	Table: "tokens AS t", Alias: "t", Created: "created_at", ID: "id",
	Widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

func (r *tokenRow) token() *vcd.Token {
	return &vcd.Token{
		ID: r.ID, Account: r.Account, Name: r.Name, Prefix: r.Prefix, Hash: r.Hash, Scopes: scopes(r.Scopes), Creator: r.Creator,
		ExpiresAt: query.UTC(r.ExpiresAt), RevokedAt: query.UTC(r.RevokedAt), LastUsedAt: query.UTC(r.LastUsed),
		CreatedAt: r.CreatedAt.UTC(),
	}
}

func (t *Tx) InsertToken(ctx context.Context, token *vcd.Token) error {
	row := &tokenRow{
		Account: t.Tenant, ID: token.ID, Name: token.Name, Prefix: token.Prefix, Hash: token.Hash,
		Scopes: query.Texts(token.Scopes), Creator: token.Creator, ExpiresAt: token.ExpiresAt, RevokedAt: token.RevokedAt,
		CreatedAt: token.CreatedAt,
	}
	if _, err := t.Bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the token: %w", err)
	}
	return nil
}

// Tokens implements account.Tx.
func (t *Tx) Tokens(ctx context.Context, f vcd.TokenFilter, p vcd.Page) (*vcd.List[*vcd.Token], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		if f.Prefix != nil {
			q = q.Where("starts_with(t.prefix, ?)", query.Plain(*f.Prefix))
		}
		if f.LiveAt != nil {
			q = q.Where(liveToken, *f.LiveAt)
		}
		return q
	}
	return query.FetchPage(ctx, t.Scope, tokens, where, query.Order{}, p, (*tokenRow).token)
}

const liveToken = "t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ?)"

// Token implements account.Tx.
func (t *Tx) Token(ctx context.Context, id vcd.ID) (*vcd.Token, error) {
	return t.readToken(ctx, id, t.Bun.NewSelect())
}

// LockToken implements account.Tx.
func (t *Tx) LockToken(ctx context.Context, id vcd.ID) (*vcd.Token, error) {
	return t.readToken(ctx, id, query.ForChange(t.Bun.NewSelect()))
}

func (t *Tx) readToken(ctx context.Context, id vcd.ID, q *bun.SelectQuery) (*vcd.Token, error) {
	row := &tokenRow{}
	err := q.Model(row).Where("t.account_id = ? AND t.id = ?", t.Tenant, id).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the token: %w", query.NotFound(err, "Token", id))
	}
	return row.token(), nil
}

// UpdateToken implements account.Tx.
func (t *Tx) UpdateToken(ctx context.Context, token *vcd.Token) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Table("tokens").
		Set("name = ?, expires_at = ?, revoked_at = ?", token.Name, token.ExpiresAt, token.RevokedAt).
		Where("account_id = ? AND id = ?", t.Tenant, token.ID), "Token", token.ID)
}

// RevokeTokens implements account.Tx.
func (t *Tx) RevokeTokens(ctx context.Context, now time.Time) error {
	_, err := t.Bun.NewUpdate().Table("tokens").Set("revoked_at = ?", now).
		Where("account_id = ? AND revoked_at IS NULL", t.Tenant).Exec(ctx)
	if err != nil {
		return fmt.Errorf("revoke the tokens: %w", err)
	}
	return nil
}

// CountLiveTokens implements account.Tx.
func (t *Tx) CountLiveTokens(ctx context.Context, now time.Time) (int, error) {
	return t.Count(ctx, tokens, func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where(liveToken, now) })
}

// LimitTokensOf implements account.PeopleTx. Tokens of subaccounts are beyond the account's own rows; see the function in migrations.
func (t *Tx) LimitTokensOf(ctx context.Context, creator vcd.ID, scopes []vcd.Scope, now time.Time) error {
	_, err := t.Bun.NewRaw("SELECT limit_tokens_of(?, ?, ?::text[], ?)", t.Tenant, creator, query.Array(scopes), now).Exec(ctx)
	if err != nil {
		return fmt.Errorf("limit the tokens of a user: %w", err)
	}
	return nil
}

// AccountByToken implements account.Store. It runs for every request, so it is one statement; see the function in
// migrations.
func (d *Store) AccountByToken(ctx context.Context, hash []byte, now time.Time) (*vcd.Bearer, error) {
	var found []struct {
		Token      vcd.ID     `bun:"token_id"`
		Name       string     `bun:"token_name"`
		Scopes     []string   `bun:"token_scopes,array"`
		ExpiresAt  *time.Time `bun:"token_expires_at"`
		accountRow `bun:",extend"`
	}
	err := d.Ask(ctx, func(ctx context.Context, db bun.IDB) error {
		return db.NewRaw("SELECT token_id, token_name, token_scopes, token_expires_at, (account).* FROM account_by_token(?, ?)",
			hash, now).Scan(ctx, &found)
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("look up the token: %w", err)
	case len(found) == 0:
		return nil, vcd.Unauthenticated()
	}
	return &vcd.Bearer{
		Account: found[0].account(), Token: found[0].Token, Name: found[0].Name, Scopes: scopes(found[0].Scopes),
		ExpiresAt: query.UTC(found[0].ExpiresAt),
	}, nil
}

func scopes(column []string) []vcd.Scope {
	scopes := make([]vcd.Scope, len(column))
	for i, text := range column {
		scopes[i] = vcd.Scope(text)
	}
	return scopes
}
