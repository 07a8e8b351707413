package vcd

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"time"
)

// Shape of an API token: what legacy clients store.
const (
	tokenLength       = 40
	tokenPrefixLength = 8
	tokenAlphabet     = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// Token is an API token as it is kept: its hash, and a prefix by which its owner can recognise it.
type Token struct {
	ID, Account ID
	Name        string
	Prefix      string
	Hash        []byte // SHA-256 of the plain text
	ExpiresAt   *time.Time
	RevokedAt   *time.Time
	CreatedAt   time.Time
}

// NewToken is a token just made. Plain is shown once and kept nowhere.
type NewToken struct {
	Token
	Plain string
}

// AuthStore answers who a token belongs to.
type AuthStore interface {
	// AccountByToken finds a live token by its hash. One that is unknown, revoked, or expired at now is
	// CodeUnauthenticated.
	AccountByToken(ctx context.Context, hash []byte, now time.Time) (*Account, ID, error)
	// HasAccounts tells whether any account exists yet, and AccountByEmail finds one for the command line.
	HasAccounts(ctx context.Context) (bool, error)
	AccountByEmail(ctx context.Context, email string) (*Account, error)
}

// Authenticate turns a plain API token into the actor it stands for.
func (s *Service) Authenticate(ctx context.Context, plain string) (Actor, *Account, error) {
	if len(plain) != tokenLength {
		return Actor{}, nil, Unauthenticated()
	}
	hash := sha256.Sum256([]byte(plain))
	account, token, err := s.Store.AccountByToken(ctx, hash[:], s.Clock.Now())
	if err != nil {
		return Actor{}, nil, err
	}
	if account.Status != AccountActive {
		return Actor{}, nil, &Error{Code: CodeActivateAccount, Message: "ActivateAccount"}
	}
	return Actor{Account: account.ID, Token: token}, account, nil
}

// CreateToken makes another token for the actor's account; expiresAt may be nil.
func (s *Service) CreateToken(ctx context.Context, actor Actor, name string, expiresAt *time.Time) (NewToken, error) {
	v := &validation{}
	v.required("name", name, maxNameLength)
	if err := v.err(); err != nil {
		return NewToken{}, err
	}
	token := s.mintToken(actor.Account, name, expiresAt)
	return token, s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		return tx.InsertToken(ctx, &token.Token)
	})
}

func (s *Service) mintToken(account ID, name string, expiresAt *time.Time) NewToken {
	plain := randomText()
	hash := sha256.Sum256([]byte(plain))
	return NewToken{Plain: plain, Token: Token{
		ID: s.IDs.NewID(), Account: account, Name: name, Prefix: plain[:tokenPrefixLength], Hash: hash[:],
		ExpiresAt: expiresAt, CreatedAt: s.Clock.Now(),
	}}
}

// randomText is tokenLength characters of [A-Za-z0-9] that nobody can guess (5.95 bits each).
func randomText() string {
	text := make([]byte, tokenLength)
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
