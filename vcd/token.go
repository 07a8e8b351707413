package vcd

import (
	"context"
	"crypto/rand"
	"math/big"
	"time"
)

// Shape of an API token: what legacy clients store.
const (
	TokenLength = 40

	tokenAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// Token is an API token as it is kept: its hash, and a prefix by which its owner can recognise it.
type Token struct {
	ID, Account ID
	Name        string
	Prefix      string
	Hash        []byte // SHA-256 of the plain text
	ExpiresAt   *time.Time
	RevokedAt   *time.Time
	LastUsedAt  *time.Time // to the hour; nil for never
	CreatedAt   time.Time
}

// Live tells whether the token works at a moment.
func (t *Token) Live(now time.Time) bool {
	return t.RevokedAt == nil && (t.ExpiresAt == nil || t.ExpiresAt.After(now))
}

// AuthStore answers who a token belongs to.
type AuthStore interface {
	// AccountByToken finds a live token by its hash. One that is unknown, revoked, or expired at now is
	// CodeUnauthenticated.
	AccountByToken(ctx context.Context, hash []byte, now time.Time) (*Bearer, error)
}

// Bearer is who comes with a live token.
type Bearer struct {
	Account   *Account
	Token     ID
	ExpiresAt *time.Time // of the token; nil for never
}

// Actor is the one that acts by the token.
func (b *Bearer) Actor() Actor { return Actor{Account: b.Account.ID, Token: b.Token} }

// TokenFilter narrows a list of tokens; nil fields do not narrow.
type TokenFilter struct {
	Prefix *string    // what the text begins with, as far as it is kept
	LiveAt *time.Time // those that work at that moment
}

// TokenStore keeps the actor's tokens.
type TokenStore interface {
	InsertToken(ctx context.Context, t *Token) error
	Tokens(ctx context.Context, f TokenFilter, p Page) (*List[*Token], error)
	Token(ctx context.Context, id ID) (*Token, error)
	LockToken(ctx context.Context, id ID) (*Token, error)
	UpdateToken(ctx context.Context, t *Token) error       // name, expiry and revocation
	RevokeTokens(ctx context.Context, now time.Time) error // all that are not revoked
	CountLiveTokens(ctx context.Context, now time.Time) (int, error)
}

// RandomText is tokenLength characters of [A-Za-z0-9] that nobody can guess (5.95 bits each).
func RandomText() string {
	text := make([]byte, TokenLength)
	size := big.NewInt(int64(len(tokenAlphabet)))
	for i := range text {
		k, err := rand.Int(rand.Reader, size)
		if err != nil {
			panic(err) // crypto/rand never fails on supported systems; going on without randomness would be worse
		}
		text[i] = tokenAlphabet[k.Int64()]
	}
	return string(text)
}
