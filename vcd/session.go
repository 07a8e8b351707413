package vcd

import (
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

// Passkey is a public key by which a user signs in.
type Passkey struct {
	ID, Account  ID
	User         ID
	CredentialID []byte // the authenticator's id of it
	Credential   []byte // JSON: the public key, the counter and the flags
	Name         string
	CreatedAt    time.Time
	UsedAt       *time.Time // nil for never
}
