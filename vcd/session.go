package vcd

import (
	"context"
	"time"
)

// How long sessions last.
const (
	SessionIdle   = 24 * time.Hour      // after their last use
	SessionLength = 30 * 24 * time.Hour // however much they are used
)

// MaxSessions is in how many browsers a user can be signed in. Beyond it, the session that was not used for longest ends.
const MaxSessions = 50

// SignInMethod is how a session began.
type SignInMethod string

// The methods.
const (
	SignInPasskey SignInMethod = "passkey"
	SignInOIDC    SignInMethod = "oidc" // OpenID Connect
)

// Session is a browser in which a user has signed in. Its secret is in a cookie, and here as a hash.
type Session struct {
	ID, Account ID
	User        ID
	Hash        []byte // SHA-256 of the secret
	Method      SignInMethod
	UserAgent   string
	CreatedAt   time.Time
	UsedAt      time.Time // to ten minutes
	ExpiresAt   time.Time // however much it is used
	RevokedAt   *time.Time
}

// EndsAt is when the session ends unless it is used again.
func (s *Session) EndsAt() time.Time {
	if idle := s.UsedAt.Add(SessionIdle); idle.Before(s.ExpiresAt) {
		return idle
	}
	return s.ExpiresAt
}

// SessionStore keeps the sessions of the actor's account.
type SessionStore interface {
	Sessions(ctx context.Context, user ID, now time.Time) ([]*Session, error) // live ones, newest first
	InsertSession(ctx context.Context, s *Session) error
	// RevokeSession ends a live session of a user; any other is CodeNotFound.
	RevokeSession(ctx context.Context, user, id ID, now time.Time) error
	// RevokeOldSessions ends the live sessions of a user but those that were used last.
	RevokeOldSessions(ctx context.Context, user ID, keep int, now time.Time) error
	// RevokeSessions ends all sessions of a user, and returns how many.
	RevokeSessions(ctx context.Context, user ID, now time.Time) (int, error)
}

// SignInStore keeps what a browser that signs in has to bring back. It is not tied to an account.
type SignInStore interface {
	KeepSignIn(ctx context.Context, hash, sealed []byte, expires time.Time) error
	// PeekSignIn returns what was kept, unless it has expired or was taken: that is CodeNotFound.
	PeekSignIn(ctx context.Context, hash []byte, now time.Time) ([]byte, error)
	// TakeSignIn is PeekSignIn that can succeed once.
	TakeSignIn(ctx context.Context, hash []byte, now time.Time) ([]byte, error)
	// RemoveSignIns removes what expired before the given time.
	RemoveSignIns(ctx context.Context, before time.Time, limit int) (int, error)
	// RemoveSessions removes sessions that expired before the given time.
	RemoveSessions(ctx context.Context, before time.Time, limit int) (int, error)
}
