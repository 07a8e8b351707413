package vcd

import (
	"slices"
	"time"
)

// Role says what a user may do.
type Role string

// The roles, from the most permissions to the fewest.
const (
	RoleOwner    Role = "owner"    // everything
	RoleEditor   Role = "editor"   // everything but changing the account, its people, tokens, secrets and subaccounts
	RoleReviewer Role = "reviewer" // look and review
	RoleViewer   Role = "viewer"   // look
)

// Roles returns all roles, in the order in which they are shown.
func Roles() []Role { return []Role{RoleOwner, RoleEditor, RoleReviewer, RoleViewer} }

var rolePermissions = map[Role][]Permission{
	RoleOwner:    {PermissionRead, PermissionRun, PermissionReview, PermissionEdit, PermissionOwn},
	RoleEditor:   {PermissionRead, PermissionRun, PermissionReview, PermissionEdit},
	RoleReviewer: {PermissionRead, PermissionReview},
	RoleViewer:   {PermissionRead},
}

// Permissions is what a user with this role may do; nothing with a role that does not exist.
func (r Role) Permissions() Permissions { return PermissionsOf(rolePermissions[r]...) }

// Scopes are what a user with this role may give to tokens, if they may make any; none with a role that does not exist.
func (r Role) Scopes() []Scope {
	if rolePermissions[r] == nil {
		return nil
	}
	return slices.DeleteFunc(Scopes(), func(s Scope) bool { return !r.Permissions().Includes(PermissionsOfScopes([]Scope{s})) })
}

// User is a person who can sign in to one account.
type User struct {
	ID, Account     ID
	Email           string
	Name            string
	Role            Role
	Issuer, Subject *string // the OpenID provider that knows the user, and its name for them
	CreatedAt       time.Time
	UpdatedAt       time.Time
	LastSeenAt      *time.Time // when a session of the user was last used, to ten minutes; nil for never
}

// UserFilter filters a list of users; nil fields match everything.
type UserFilter struct {
	Roles  *[]Role
	Search *string // part of the name or the address
}

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
