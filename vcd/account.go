package vcd

import (
	"context"
	"time"
)

// AccountStatus is the lifecycle state of an account.
type AccountStatus string

// The account states.
const (
	AccountActive    AccountStatus = "active"
	AccountPaused    AccountStatus = "paused"    // for inactivity: nothing runs until its owner reactivates it
	AccountCancelled AccountStatus = "cancelled" // nothing is allowed any more
)

// Purposes under which an account's secrets are sealed.
const (
	PurposeWebhookSecret = "account.webhook_secret"
)

// Limits and defaults of accounts.
const (
	MaxNameLength = 255
)

// Account is a customer: the tenant to whom everything else belongs.
type Account struct {
	ID                  ID
	Parent              *ID // the full account above a subaccount
	NameFirst, NameLast string
	Email               string
	Company             *string
	Timezone            string // IANA name
	Status              AccountStatus
	Level               int
	Share               int // of the workers, relative to other accounts' shares; 1 unless the plan says otherwise
	Plan, PlanName      string
	PlanLabel           *string
	InvitationAccepted  bool
	AIVerification      bool // plan feature
	BrowserConsole      bool // plan feature
	AlarmUnseen         bool // a page of which a part is not seen is an alarm
	NoiseProbes         bool // pages are captured more often while little is known of what changes by itself
	ChecksLimit         int
	ChecksDone          int // screenshots taken
	ChecksReserved      int // screenshots promised to running batches
	Retention           RunRetention
	StorageLimit        *int64 // bytes; nil for none
	StorageUsed         int    // the highest notification threshold, in percent, that its storage reached when it was measured
	SealedWebhookSecret []byte
	// SealedPreviousWebhookSecret also signs requests until PreviousWebhookSecretUntil.
	SealedPreviousWebhookSecret []byte
	PreviousWebhookSecretUntil  *time.Time
	SealedMagicLogin            []byte
	RenewalAt                   time.Time
	CreatedAt                   time.Time
	UpdatedAt                   time.Time
}

// Features are the plan features that control what is shown.
type Features struct {
	AIVerification, BrowserConsole bool
}

// IsSubaccount reports whether the account belongs to a parent account.
func (a *Account) IsSubaccount() bool { return a.Parent != nil }

// ChecksLeft is how many more screenshots the plan allows; those promised to running batches count as used.
func (a *Account) ChecksLeft() int { return max(0, a.ChecksLimit-a.ChecksDone-a.ChecksReserved) }

// AccountStore keeps accounts.
type AccountStore interface {
	Account(ctx context.Context) (*Account, error) // the actor's own
	// LockAccount reads the account for a change and blocks other changes until the transaction ends. Acquire this lock last:
	// every transaction needs it at its end.
	LockAccount(ctx context.Context) (*Account, error)
	InsertAccount(ctx context.Context, a *Account) error
	UpdateAccount(ctx context.Context, a *Account) error // all but its id, its state and what is counted of it
	// SetStatus moves the account's subaccounts, then the account itself, from any of the states in from to another one and
	// returns the accounts it moved.
	SetStatus(ctx context.Context, to AccountStatus, from []AccountStatus, now time.Time) ([]ID, error)
	// BeginPeriod resets the counters of the account and its subaccounts. It returns false, without a change, when the
	// account's renewal is no longer the given one.
	BeginPeriod(ctx context.Context, renewal, next time.Time) (bool, error)
	// TellChecks records that the owner is being told that this percentage of the period's checks (80 or 100) is used up. It
	// returns false when that is already recorded. A new period or a higher limit clears the record.
	TellChecks(ctx context.Context, percent int) (bool, error)
	// SetFeatures copies the account's plan and features to its subaccounts.
	SetFeatures(ctx context.Context, a *Account) error
	// HoldTimezone ties the transaction to a time zone: if the account has another one at commit, the transaction is retried.
	HoldTimezone(ctx context.Context, name string) error
	// ReserveChecks reserves n screenshots and reports whether the plan had room for them.
	ReserveChecks(ctx context.Context, n int) (bool, error)
	// SettleChecks turns done reserved checks into used ones and releases returned ones.
	SettleChecks(ctx context.Context, done, returned int) error
}

// Zone is the account's time zone, or UTC when this machine does not know it.
func (a *Account) Zone() *time.Location {
	zone, err := time.LoadLocation(a.Timezone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// SubaccountFilter filters a list of subaccounts; nil fields match everything.
type SubaccountFilter struct {
	Search *string // in names and address
}

// SubaccountStore keeps the actor's subaccounts. Deleted ones are left out.
type SubaccountStore interface {
	Subaccounts(ctx context.Context, f SubaccountFilter, p Page) (*List[*Account], error)
	Subaccount(ctx context.Context, id ID) (*Account, error)
	// OwnsAnything reports whether the account has groups or URLs.
	OwnsAnything(ctx context.Context) (bool, error)
	// DeleteAccount hides the account and erases its names, address, brand and secrets. Its captures stay until the sweeper removes
	// them.
	DeleteAccount(ctx context.Context, a *Account) error
}

// OperatorStore works across accounts, for the command line and for scheduled work. Deleted accounts are left out.
type OperatorStore interface {
	// HasAccounts reports whether any account exists yet.
	HasAccounts(ctx context.Context) (bool, error)
	// AccountCalled finds an account by its email address, in which letter case does not matter, or its id.
	AccountCalled(ctx context.Context, name string) (*Account, error)
	// Accounts lists all accounts, each full account before its subaccounts.
	Accounts(ctx context.Context) ([]*Account, error)
	// AccountsToRenew lists full accounts whose period has ended by now.
	AccountsToRenew(ctx context.Context, now time.Time, limit int) ([]ID, error)
	// AccountsLowOnChecks lists accounts that have passed a threshold of used checks not yet recorded (see TellChecks).
	AccountsLowOnChecks(ctx context.Context, limit int) ([]ID, error)
	// UnusedAccounts lists active full accounts that have been neither used nor changed since the given time.
	UnusedAccounts(ctx context.Context, since time.Time, limit int) ([]ID, error)
}
