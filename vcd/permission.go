package vcd

import "slices"

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
