package vcd

import (
	"crypto/rand"
	"math/big"
	"time"
)

// Format of an API token, as legacy clients store it.
const (
	TokenLength = 40

	tokenAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// Token is a stored API token: its hash, and a prefix by which its owner can recognise it.
type Token struct {
	ID, Account ID
	Name        string
	Prefix      string
	Hash        []byte // SHA-256 of the plain text
	Scopes      []Scope
	Creator     ID // the user who made it, or the token by which it was made; empty for all others
	ExpiresAt   *time.Time
	RevokedAt   *time.Time
	LastUsedAt  *time.Time // to the hour; nil for never
	CreatedAt   time.Time
}

// Live reports whether the token is valid at the given time.
func (t *Token) Live(now time.Time) bool {
	return t.RevokedAt == nil && (t.ExpiresAt == nil || t.ExpiresAt.After(now))
}

// Bearer is the holder of a live token or session.
type Bearer struct {
	Account   *Account
	Token     ID // empty for a session
	Session   ID // empty for a token
	User      ID // of the session
	Role      Role
	Name      string // of the token or the user
	Scopes    []Scope
	ExpiresAt *time.Time // of the token, nil for never; of the session unless it is used again
}

// Actor returns the actor that the token or the session authenticates.
func (b *Bearer) Actor() Actor {
	if b.Session != "" {
		return Actor{Account: b.Account.ID, User: b.User, Session: b.Session, Name: b.Name, Permissions: b.Role.Permissions()}
	}
	return Actor{Account: b.Account.ID, Token: b.Token, Name: b.Name, Permissions: PermissionsOfScopes(b.Scopes)}
}

// TokenFilter filters a list of tokens; nil fields match everything.
type TokenFilter struct {
	Prefix *string    // prefix of the plain text, as far as it is stored
	LiveAt *time.Time // tokens that are live at that time
}

// RandomText returns tokenLength unguessable characters of [A-Za-z0-9] (5.95 bits each).
func RandomText() string {
	text := make([]byte, TokenLength)
	size := big.NewInt(int64(len(tokenAlphabet)))
	for i := range text {
		k, err := rand.Int(rand.Reader, size)
		if err != nil {
			panic(err) // crypto/rand never fails on supported systems; continuing without randomness would be worse
		}
		text[i] = tokenAlphabet[k.Int64()]
	}
	return string(text)
}
