package vcd

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"math/big"
	"time"
)

// Shape of an API token: what legacy clients store.
const (
	tokenLength       = 40
	TokenPrefixLength = 8
	maxLiveTokens     = 10 // of an account: enough to rotate each of several clients
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
	LastUsedAt  *time.Time // to the hour; nil for never
	CreatedAt   time.Time
}

// Live tells whether the token works at a moment.
func (t *Token) Live(now time.Time) bool {
	return t.RevokedAt == nil && (t.ExpiresAt == nil || t.ExpiresAt.After(now))
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

// Authenticate turns a plain API token into the actor it stands for.
func (s *Service) Authenticate(ctx context.Context, plain string) (Actor, *Account, error) {
	bearer, err := s.Identify(ctx, plain)
	if err != nil {
		return Actor{}, nil, err
	}
	return bearer.Actor(), bearer.Account, nil
}

// Identify finds out who comes with a plain API token, and whether they may use the service at present: CodeUnauthenticated,
// CodeActivateAccount and CodeForbidden say that they may not.
func (s *Service) Identify(ctx context.Context, plain string) (*Bearer, error) {
	if len(plain) != tokenLength {
		return nil, Unauthenticated()
	}
	hash := sha256.Sum256([]byte(plain))
	bearer, err := s.Store.AccountByToken(ctx, hash[:], s.Clock.Now())
	if err != nil {
		return nil, err
	}
	if err := bearer.Account.admit(); err != nil {
		return nil, err
	}
	return bearer, nil
}

// TokenChange holds what can be chosen about a token.
type TokenChange struct {
	Name      Optional[string]
	ExpiresAt Optional[time.Time] // null for never
}

func (in TokenChange) validate(creating bool, now time.Time) error {
	v := &validation{}
	switch {
	case in.Name.Value != nil:
		v.required("name", *in.Name.Value, maxNameLength)
	case creating || in.Name.Set:
		v.add("name", "required", "The {field} field is required.")
	}
	if at := in.ExpiresAt.Value; at != nil {
		v.check(at.After(now) && ValidTime(*at), "expiresAt", "after", "The {field} field must be a date after now.")
	}
	return v.err()
}

// CreateToken makes another token for the actor's account, or for a subaccount of it. At most maxLiveTokens work at the
// same time.
func (s *Service) CreateToken(ctx context.Context, actor Actor, subaccount *ID, in TokenChange) (NewToken, error) {
	if err := in.validate(true, s.Clock.Now()); err != nil {
		return NewToken{}, err
	}
	as, err := s.below(ctx, actor, subaccount)
	if err != nil {
		return NewToken{}, err
	}
	token := s.mintToken(as.Account, *in.Name.Value, in.ExpiresAt.Value)
	return token, s.Store.InTx(ctx, as, func(ctx context.Context, tx Tx) error {
		if _, err := tx.LockAccount(ctx); err != nil {
			return err
		}
		live, err := tx.CountLiveTokens(ctx, token.CreatedAt)
		if err != nil {
			return err
		}
		if live >= maxLiveTokens {
			return &Error{Code: CodeConflict, Message: fmt.Sprintf("The account has %d tokens that work, which is the most it may have. Revoke one first.", live)}
		}
		if err := tx.InsertToken(ctx, &token.Token); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, s.event(EventTokenCreated, SubjectToken, token.ID))
	})
}

// Tokens lists the tokens of the actor's account, or of a subaccount of it, newest first, the revoked ones too.
func (s *Service) Tokens(ctx context.Context, actor Actor, subaccount *ID, f TokenFilter, p Page) (*List[*Token], error) {
	as, err := s.below(ctx, actor, subaccount)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, as, func(ctx context.Context, tx Tx) (*List[*Token], error) { return tx.Tokens(ctx, f, p) })
}

// UpdateToken renames a token that works or lets it expire at another time.
func (s *Service) UpdateToken(ctx context.Context, actor Actor, subaccount *ID, id ID, in TokenChange) (*Token, error) {
	now := s.Clock.Now()
	if err := in.validate(false, now); err != nil {
		return nil, err
	}
	return s.changeToken(ctx, actor, subaccount, id, func(t *Token) error {
		if !t.Live(now) {
			return &Error{Code: CodeConflict, Message: "The token does not work any more. Make another one."}
		}
		assign(&t.Name, in.Name)
		assignNullable(&t.ExpiresAt, in.ExpiresAt)
		return nil
	})
}

// RevokeToken ends a token at once and for good.
func (s *Service) RevokeToken(ctx context.Context, actor Actor, subaccount *ID, id ID) (*Token, error) {
	return s.changeToken(ctx, actor, subaccount, id, func(t *Token) error {
		if t.RevokedAt == nil {
			now := s.Clock.Now()
			t.RevokedAt = &now
		}
		return nil
	})
}

func (s *Service) changeToken(ctx context.Context, actor Actor, subaccount *ID, id ID, change func(*Token) error) (*Token, error) {
	as, err := s.below(ctx, actor, subaccount)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, as, func(ctx context.Context, tx Tx) (*Token, error) {
		t, err := tx.LockToken(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := change(t); err != nil {
			return nil, err
		}
		return t, tx.UpdateToken(ctx, t)
	})
}

func (s *Service) mintToken(account ID, name string, expiresAt *time.Time) NewToken {
	plain := randomText()
	hash := sha256.Sum256([]byte(plain))
	return NewToken{Plain: plain, Token: Token{
		ID: s.IDs.NewID(), Account: account, Name: name, Prefix: plain[:TokenPrefixLength], Hash: hash[:],
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
