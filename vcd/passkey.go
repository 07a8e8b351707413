package vcd

import (
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
