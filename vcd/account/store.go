package account

import (
	"context"
	"time"

	"afterimage/vcd"
)

// Store keeps accounts. Besides transactions of an account it answers what concerns all accounts.
type Store interface {
	vcd.Store[Tx]
	// People runs transactions on the people of an account.
	People() vcd.Store[PeopleTx]

	// KeepProbe stores the sealed probe unless one is stored already, and returns the stored one.
	KeepProbe(ctx context.Context, sealed []byte) ([]byte, error)

	// AccountByToken finds a live token by its hash. A token that is unknown, revoked, or expired at now is
	// CodeUnauthenticated.
	AccountByToken(ctx context.Context, hash []byte, now time.Time) (*vcd.Bearer, error)
	// AccountBySession finds a live session by its hash, and notes its use. A session that is unknown, revoked, expired or
	// idle for too long is CodeUnauthenticated.
	AccountBySession(ctx context.Context, hash []byte, now time.Time) (*vcd.Bearer, error)

	// AccountsToRenew lists full accounts whose period has ended by now.
	AccountsToRenew(ctx context.Context, now time.Time, limit int) ([]vcd.ID, error)
	// UnusedAccounts lists active full accounts that have been neither used nor changed since the given time.
	UnusedAccounts(ctx context.Context, since time.Time, limit int) ([]vcd.ID, error)

	UserByEmail(ctx context.Context, email string) (*vcd.User, error) // letter case does not matter
	UserByIdentity(ctx context.Context, issuer, subject string) (*vcd.User, error)
	PasskeyByCredential(ctx context.Context, credential []byte) (*vcd.Passkey, error)
	// InvitationByHash finds an invitation in whatever state.
	InvitationByHash(ctx context.Context, hash []byte) (*vcd.Invitation, error)

	KeepSignIn(ctx context.Context, hash, sealed []byte, expires time.Time) error
	// PeekSignIn returns what was kept, unless it has expired or was taken: that is CodeNotFound.
	PeekSignIn(ctx context.Context, hash []byte, now time.Time) ([]byte, error)
	// TakeSignIn is PeekSignIn that can succeed once.
	TakeSignIn(ctx context.Context, hash []byte, now time.Time) ([]byte, error)

	// SealedAfter lists up to limit secrets of a place, in the order of their bytes, from the one after a secret on; nil starts.
	SealedAfter(ctx context.Context, place vcd.Sealed, after []byte, limit int) ([][]byte, error)
	// ReplaceSealed replaces secrets of a place. One that somebody changed meanwhile stays as it is.
	ReplaceSealed(ctx context.Context, place vcd.Sealed, old, renewed [][]byte) error
}

// Tx is what a use case about accounts, their subaccounts, tokens and plans can do within a transaction. Methods that look up a
// single thing return a CodeNotFound error when the actor's account has no such thing.
type Tx interface {
	accountReader
	accountStore
	subaccountStore
	tokenStore
	endingStore
	auditStore
	concern
	statsStore
	overviewStore
	groupStore
	batchStore
	expiryStore
	eventStore
	allowanceStore
}

// PeopleTx is what a use case about people can do within a transaction: users, their invitations, and how they sign in.
type PeopleTx interface {
	accountReader
	userStore
	invitationStore
	passkeyStore
	sessionStore
	tokenLimiter
	endingStore
	concern
	eventStore
	mailStore
	allowanceStore
	queue
}

// accountReader reads the actor's own account.
type accountReader interface {
	Account(ctx context.Context) (*vcd.Account, error)
	// LockAccount reads the account for a change and blocks other changes until the transaction ends. Acquire this lock last:
	// every transaction needs it at its end.
	LockAccount(ctx context.Context) (*vcd.Account, error)
}

// accountStore keeps accounts.
type accountStore interface {
	InsertAccount(ctx context.Context, a *vcd.Account) error
	UpdateAccount(ctx context.Context, a *vcd.Account) error // all but its id, its state and what is counted of it
	// SetStatus moves the account's subaccounts, then the account itself, from any of the states in from to another one and
	// returns the accounts it moved.
	SetStatus(ctx context.Context, to vcd.AccountStatus, from []vcd.AccountStatus, now time.Time) ([]vcd.ID, error)
	// BeginPeriod resets the counters of the account and its subaccounts. It returns false, without a change, when the
	// account's renewal is no longer the given one.
	BeginPeriod(ctx context.Context, renewal, next time.Time) (bool, error)
	// SetFeatures copies the account's plan and features to its subaccounts.
	SetFeatures(ctx context.Context, a *vcd.Account) error
}

// subaccountStore keeps the actor's subaccounts. Deleted ones are left out.
type subaccountStore interface {
	Subaccounts(ctx context.Context, f vcd.SubaccountFilter, p vcd.Page) (*vcd.List[*vcd.Account], error)
	Subaccount(ctx context.Context, id vcd.ID) (*vcd.Account, error)
	// OwnsAnything reports whether the account has groups or URLs.
	OwnsAnything(ctx context.Context) (bool, error)
	// DeleteAccount hides the account and erases its names, address, brand and secrets. Its captures stay until the sweeper removes
	// them.
	DeleteAccount(ctx context.Context, a *vcd.Account) error
}

// tokenStore keeps the actor's tokens.
type tokenStore interface {
	InsertToken(ctx context.Context, t *vcd.Token) error
	Tokens(ctx context.Context, f vcd.TokenFilter, p vcd.Page) (*vcd.List[*vcd.Token], error)
	Token(ctx context.Context, id vcd.ID) (*vcd.Token, error)
	LockToken(ctx context.Context, id vcd.ID) (*vcd.Token, error)
	UpdateToken(ctx context.Context, t *vcd.Token) error   // name, expiry and revocation
	RevokeTokens(ctx context.Context, now time.Time) error // all that are not yet revoked
	CountLiveTokens(ctx context.Context, now time.Time) (int, error)
}

// tokenLimiter takes rights from tokens whose creator has lost them.
type tokenLimiter interface {
	// LimitTokensOf leaves the live tokens of a creator, also in subaccounts, no scopes but these; without any, they are revoked.
	LimitTokensOf(ctx context.Context, creator vcd.ID, scopes []vcd.Scope, now time.Time) error
}

// endingStore takes back what gives people access, when a token, a user or a subaccount ends.
type endingStore interface {
	// RemoveUsers removes a user, or all users if the id is empty, together with their passkeys and sessions.
	RemoveUsers(ctx context.Context, id vcd.ID, now time.Time) error
	// RevokeInvitationsOf revokes the open invitations by the holder of a token or by a user, who can no longer give roles.
	RevokeInvitationsOf(ctx context.Context, inviter vcd.ID, now time.Time) error
}

// userStore keeps the users of the actor's account. Removed users are not found.
type userStore interface {
	Users(ctx context.Context, f vcd.UserFilter, p vcd.Page) (*vcd.List[*vcd.User], error)
	User(ctx context.Context, id vcd.ID) (*vcd.User, error)
	CountUsers(ctx context.Context, f vcd.UserFilter) (int, error)
	// InsertUser fails with CodeInvalid on email when another user has the address, in whatever account.
	InsertUser(ctx context.Context, u *vcd.User) error
	UpdateUser(ctx context.Context, u *vcd.User) error // name, role and identity
}

// invitationStore keeps the invitations of the actor's account.
type invitationStore interface {
	Invitations(ctx context.Context, f vcd.InvitationFilter, p vcd.Page) (*vcd.List[*vcd.Invitation], error)
	LockInvitation(ctx context.Context, id vcd.ID) (*vcd.Invitation, error)
	// OpenInvitation finds the one of an address that was neither accepted nor revoked; CodeNotFound without.
	OpenInvitation(ctx context.Context, email string) (*vcd.Invitation, error)
	CountOpenInvitations(ctx context.Context, now time.Time) (int, error) // those that have not expired
	InsertInvitation(ctx context.Context, i *vcd.Invitation) error
	UpdateInvitation(ctx context.Context, i *vcd.Invitation) error // all but address, role and inviter
}

// passkeyStore keeps the passkeys of the actor's account.
type passkeyStore interface {
	Passkeys(ctx context.Context, user vcd.ID) ([]*vcd.Passkey, error) // oldest first
	LockPasskey(ctx context.Context, id vcd.ID) (*vcd.Passkey, error)
	// InsertPasskey fails with CodeConflict when the credential is registered already.
	InsertPasskey(ctx context.Context, p *vcd.Passkey) error
	UpdatePasskey(ctx context.Context, p *vcd.Passkey) error // credential, name and use
	DeletePasskey(ctx context.Context, id vcd.ID) error
}

// sessionStore keeps the sessions of the actor's account.
type sessionStore interface {
	Sessions(ctx context.Context, user vcd.ID, now time.Time) ([]*vcd.Session, error) // live ones, newest first
	InsertSession(ctx context.Context, s *vcd.Session) error
	// RevokeSession ends a live session of a user; any other is CodeNotFound.
	RevokeSession(ctx context.Context, user, id vcd.ID, now time.Time) error
	// RevokeOldSessions ends the live sessions of a user but those that were used last.
	RevokeOldSessions(ctx context.Context, user vcd.ID, keep int, now time.Time) error
	// RevokeSessions ends all sessions of a user, and returns how many.
	RevokeSessions(ctx context.Context, user vcd.ID, now time.Time) (int, error)
}

// auditStore lists changes. Entries are written by the transactions of actors who make a Change.
type auditStore interface {
	AuditEntries(ctx context.Context, f vcd.AuditFilter, p vcd.Page) (*vcd.List[*vcd.AuditEntry], error)
}

// concern names what is changed.
type concern interface {
	// Concern names what this transaction changes, for its audit entry. Otherwise the subject of its first event does.
	Concern(subject vcd.SubjectType, id vcd.ID)
}

// statsStore reads data of a whole account at once.
type statsStore interface {
	// EnabledGroups reads all enabled groups.
	EnabledGroups(ctx context.Context) ([]*vcd.GroupOverview, error)
	// CountSelectedURLs counts the distinct URLs selected in enabled groups, by the mode of the group.
	CountSelectedURLs(ctx context.Context) (monitoring, manual int, err error)
	// AutoUpdated reads the websites with auto-update checks enabled.
	AutoUpdated(ctx context.Context) ([]*vcd.Website, error)
}

// overviewStore tells how things stand.
type overviewStore interface {
	// GroupStandings tells how up to limit groups stand, oldest first.
	GroupStandings(ctx context.Context, limit int) ([]*vcd.GroupStanding, error)
	// UnfinishedAnd reads up to limit unfinished batches, and those with the given ids, oldest first.
	UnfinishedAnd(ctx context.Context, ids []vcd.ID, limit int) ([]*vcd.Batch, error)
}

// groupStore keeps groups. Reads leave out deleted groups, except GroupsByIDs, which history needs.
type groupStore interface {
	// LockScheduled reads and locks the groups that run by themselves, to change their next runs. Call it before LockAccount.
	LockScheduled(ctx context.Context) ([]*vcd.Group, error)
	// SaveNextRuns stores the next runs of the groups locked by LockScheduled. If the set of such groups has changed
	// meanwhile, the transaction is retried.
	SaveNextRuns(ctx context.Context, groups []*vcd.Group) error
}

// batchStore keeps batches.
type batchStore interface {
	CountBatches(ctx context.Context, f vcd.BatchFilter) (int, error)
}

// expiryStore removes expired runs of an account.
type expiryStore interface {
	// ExpiredBatches lists up to limit batches of which something is to be removed, newest first.
	ExpiredBatches(ctx context.Context, e vcd.Expiry, limit int) ([]vcd.ID, error)
	// FreedSince lists the reports of days from the given one, newest first.
	FreedSince(ctx context.Context, day time.Time) ([]vcd.FreedDay, error)
	// Storage is what was measured last.
	Storage(ctx context.Context) (*vcd.Storage, error)
	// DueRetentionAt lets the account's runs be looked at from the given time.
	DueRetentionAt(ctx context.Context, at time.Time) error
}

// eventStore is the account's outbox.
type eventStore interface {
	// AppendEvents numbers the events and stores them when the transaction commits. Numbers are assigned under a lock that is
	// taken last and held until the commit, so that events become visible in order.
	AppendEvents(ctx context.Context, events ...*vcd.Event) error
}

// mailStore keeps mails.
type mailStore interface {
	InsertMails(ctx context.Context, list []*vcd.Mail) error
}

// allowanceStore counts across all processes.
type allowanceStore interface {
	// Spend takes one point from each allowance, or none when any of them is empty; it then returns the wait until each has
	// one. A point comes back after AllowancePeriod/Size. A spend is kept only if the transaction commits.
	Spend(ctx context.Context, now time.Time, allowances ...vcd.Allowance) (wait time.Duration, err error)
}

// queue takes the background work of a transaction, which starts only if and when the transaction commits.
type queue interface {
	EnqueueMail(ctx context.Context, jobs ...vcd.MailJob) error
}
