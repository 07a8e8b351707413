package vcd

import (
	"slices"
	"time"
)

// ActorKind says what kind of caller makes a change.
type ActorKind string

// The kinds of actors.
const (
	ActorUser   ActorKind = "user"   // a person who signed in
	ActorToken  ActorKind = "token"  // a client with an API token
	ActorGuest  ActorKind = "guest"  // somebody who came by a public link; nobody verified the name
	ActorSystem ActorKind = "system" // the service itself, or its operator at the command line
)

// Actor identifies on whose behalf a use case runs. Every transaction is bound to its account.
type Actor struct {
	Account ID
	Token   ID     // the API token used; empty for others
	User    ID     // the user who signed in; empty for others
	Session ID     // of the user
	Link    ID     // the public link that a guest came by; empty for others
	Name    string // of the token, the user or the guest, as it is shown beside a change; empty for the system

	// Permissions are those of the token or of the user's role. Background work needs none, see May.
	Permissions Permissions
	// Change is what the actor does by the API or at the command line; zero for background work. A transaction that it makes
	// leaves an audit entry.
	Change Change
}

// Change names one change that an actor makes.
type Change struct {
	ID     ID
	Action string // the mutation of the API, or the operator's command
	At     time.Time
}

// Kind tells what kind of actor it is.
func (a Actor) Kind() ActorKind {
	switch {
	case a.User != "":
		return ActorUser
	case a.Token != "":
		return ActorToken
	case a.Link != "":
		return ActorGuest
	}
	return ActorSystem
}

// ID identifies the actor among those of its kind; empty for the system.
func (a Actor) ID() ID {
	switch a.Kind() {
	case ActorUser:
		return a.User
	case ActorGuest:
		return a.Link
	default:
		return a.Token
	}
}

// Credential identifies the token or the session that the actor came by; empty for the system.
func (a Actor) Credential() ID {
	if a.Session != "" {
		return a.Session
	}
	return a.Token
}

// May reports whether the actor has a permission. The system has all; nobody else has one that does not exist.
func (a Actor) May(p Permission) bool {
	bit := permissionBits[p]
	return a.Kind() == ActorSystem || bit != 0 && a.Permissions.Includes(bit)
}

// MayGive reports whether the actor has all of a set of permissions, and so may give them to others.
func (a Actor) MayGive(set Permissions) bool {
	return a.Kind() == ActorSystem || a.Permissions.Includes(set)
}

// On returns the actor acting on another account: one below its own.
func (a Actor) On(account ID) Actor {
	a.Account = account
	return a
}

// Permission says what kind of operation somebody may do. Every field of the API needs one of them.
type Permission string

// The permissions.
const (
	PermissionRead   Permission = "read"   // look at everything of the account
	PermissionRun    Permission = "run"    // start and cancel runs
	PermissionReview Permission = "review" // decide about comparisons, teach feedback rules and learned noise, renew public links
	PermissionEdit   Permission = "edit"   // change groups, URLs, websites and webhooks
	PermissionOwn    Permission = "own"    // change the account, its people, tokens, secrets and subaccounts
)

// Scope is what an API token was made for. A token may always read.
type Scope string

// The scopes.
const (
	ScopeRead   Scope = "read"
	ScopeRun    Scope = "run"
	ScopeReview Scope = "review"
	ScopeManage Scope = "manage" // everything that the others leave out
)

// Scopes returns all scopes, in the order in which they are shown.
func Scopes() []Scope { return []Scope{ScopeRead, ScopeRun, ScopeReview, ScopeManage} }

// Permissions is a set of permissions. The zero value is the empty set.
type Permissions uint8

var permissionBits = map[Permission]Permissions{
	PermissionRead: 1, PermissionRun: 2, PermissionReview: 4, PermissionEdit: 8, PermissionOwn: 16,
}

var scopePermissions = map[Scope][]Permission{
	ScopeRead: nil, ScopeRun: {PermissionRun}, ScopeReview: {PermissionReview}, ScopeManage: {PermissionEdit, PermissionOwn},
}

// PermissionsOf returns the set of the given permissions.
func PermissionsOf(list ...Permission) (set Permissions) {
	for _, p := range list {
		set |= permissionBits[p]
	}
	return set
}

// PermissionsOfScopes is what a token of these scopes may do.
func PermissionsOfScopes(scopes []Scope) Permissions {
	set := PermissionsOf(PermissionRead)
	for _, s := range scopes {
		set |= PermissionsOf(scopePermissions[s]...)
	}
	return set
}

// AllPermissions is the complete set.
func AllPermissions() Permissions { return PermissionsOfScopes(Scopes()) }

// Includes reports whether all of another set are in this one.
func (p Permissions) Includes(other Permissions) bool { return p&other == other }

// List returns the permissions of the set, from read to own.
func (p Permissions) List() []Permission {
	all := []Permission{PermissionRead, PermissionRun, PermissionReview, PermissionEdit, PermissionOwn}
	return slices.DeleteFunc(all, func(one Permission) bool { return !p.Includes(permissionBits[one]) })
}
