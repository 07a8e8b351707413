package vcd

import "time"

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
