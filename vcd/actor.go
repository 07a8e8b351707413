package vcd

// ActorKind says what kind of caller makes a change.
type ActorKind string

// The kinds of actors.
const (
	ActorToken  ActorKind = "token"  // a client with an API token
	ActorSystem ActorKind = "system" // the service itself, or its operator at the command line
)

// Actor identifies on whose behalf a use case runs. Every transaction is bound to its account.
type Actor struct {
	Account ID
	Token   ID     // the API token used; empty for others
	Name    string // of the token, as it is shown beside a change; empty for the system

	// Permissions are those of the token. Background work needs none, see May.
	Permissions Permissions
}

// Kind tells what kind of actor it is.
func (a Actor) Kind() ActorKind {
	if a.Token != "" {
		return ActorToken
	}
	return ActorSystem
}

// ID identifies the actor among those of its kind; empty for the system.
func (a Actor) ID() ID { return a.Token }

// May reports whether the actor has a permission. The system has all.
func (a Actor) May(p Permission) bool {
	return a.Kind() == ActorSystem || a.Permissions.Includes(PermissionsOf(p))
}

// On returns the actor acting on another account: one below its own.
func (a Actor) On(account ID) Actor {
	a.Account = account
	return a
}
