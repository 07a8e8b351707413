package vcd

import (
	"context"
	"time"
)

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

// PasskeyStore keeps the passkeys of the actor's account.
type PasskeyStore interface {
	Passkeys(ctx context.Context, user ID) ([]*Passkey, error) // oldest first
	LockPasskey(ctx context.Context, id ID) (*Passkey, error)
	// InsertPasskey fails with CodeConflict when the credential is registered already.
	InsertPasskey(ctx context.Context, p *Passkey) error
	UpdatePasskey(ctx context.Context, p *Passkey) error // credential, name and use
	DeletePasskey(ctx context.Context, id ID) error
}
