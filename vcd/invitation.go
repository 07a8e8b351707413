package vcd

import (
	"time"
)

// Invitation offers somebody a role in an account. The newest link that was sent to them accepts it, once.
type Invitation struct {
	ID, Account ID
	Email       string
	Role        Role
	Hash        []byte // SHA-256 of the secret in the newest link; nil before the first
	Inviter     Person
	CreatedAt   time.Time
	ExpiresAt   time.Time
	AcceptedAt  *time.Time
	User        *ID // who accepted it
	RevokedAt   *time.Time
}

// InvitationFilter filters a list of invitations; nil fields match everything.
type InvitationFilter struct {
	Roles  *[]Role
	Search *string // part of the address
}

// InvitationState says what can become of an invitation.
type InvitationState string

// The states.
const (
	InvitationPending  InvitationState = "pending"
	InvitationAccepted InvitationState = "accepted"
	InvitationRevoked  InvitationState = "revoked"
	InvitationExpired  InvitationState = "expired"
)

// State is the state at a time.
func (i *Invitation) State(now time.Time) InvitationState {
	switch {
	case i.AcceptedAt != nil:
		return InvitationAccepted
	case i.RevokedAt != nil:
		return InvitationRevoked
	case !i.ExpiresAt.After(now):
		return InvitationExpired
	}
	return InvitationPending
}
