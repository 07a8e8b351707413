package vcd

import (
	"context"
	"time"
)

// AccountStatus says whether an account may work.
type AccountStatus string

// The account states.
const (
	AccountActive    AccountStatus = "active"
	AccountPaused    AccountStatus = "paused"    // by inactivity: nothing runs until its owner reactivates it
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
	Share               int // of the workers, beside other accounts' shares; 1 unless the plan says otherwise
	Plan, PlanName      string
	PlanLabel           *string
	InvitationAccepted  bool
	AIVerification      bool // plan feature
	BrowserConsole      bool // plan feature
	ChecksLimit         int
	ChecksDone          int // screenshots taken
	ChecksReserved      int // screenshots promised to running batches
	SealedWebhookSecret []byte
	// The secret before the current one signs too, until then.
	SealedPreviousWebhookSecret []byte
	PreviousWebhookSecretUntil  *time.Time
	SealedMagicLogin            []byte
	RenewalAt                   time.Time
	CreatedAt                   time.Time
	UpdatedAt                   time.Time
}

// Features are the parts of a plan that decide what is shown.
type Features struct {
	AIVerification, BrowserConsole bool
}

// IsSubaccount tells whether the account stands below another.
func (a *Account) IsSubaccount() bool { return a.Parent != nil }

// ChecksLeft is how many more screenshots the plan allows; those promised to running batches count as used.
func (a *Account) ChecksLeft() int { return max(0, a.ChecksLimit-a.ChecksDone-a.ChecksReserved) }

// AccountStore keeps accounts.
type AccountStore interface {
	Account(ctx context.Context) (*Account, error) // the actor's own
	// LockAccount reads it for a change, holding off other changes until the transaction ends. Whoever takes this lock
	// takes no other after it: every transaction needs it at its end.
	LockAccount(ctx context.Context) (*Account, error)
	InsertAccount(ctx context.Context, a *Account) error
	UpdateAccount(ctx context.Context, a *Account) error // all but its id, its state and its check counters
	// SetStatus moves the account's subaccounts, then the account itself, from any of some states to another one and returns
	// those that were moved.
	SetStatus(ctx context.Context, to AccountStatus, from []AccountStatus, now time.Time) ([]ID, error)
	// BeginPeriod starts the counters of the account and its subaccounts anew, unless its renewal is not the given one any
	// more; false then.
	BeginPeriod(ctx context.Context, renewal, next time.Time) (bool, error)
	// TellChecks notes that the owner is told that so many percent of the period's checks are used up (80 or 100), unless that
	// was noted already; false then. A new period and a higher limit make it forgotten.
	TellChecks(ctx context.Context, percent int) (bool, error)
	// SetFeatures gives the subaccounts the plan and the features of the account.
	SetFeatures(ctx context.Context, a *Account) error
	// HoldTimezone makes the transaction stand on a time zone: should the account have another one when it commits, it is run
	// again.
	HoldTimezone(ctx context.Context, name string) error
	// ReserveChecks promises n screenshots and tells whether the plan still had room for them.
	ReserveChecks(ctx context.Context, n int) (bool, error)
	// SettleChecks turns done reserved checks into used ones and gives returned ones back.
	SettleChecks(ctx context.Context, done, returned int) error
}

// Zone is the account's time zone. One that this machine does not know is read as UTC.
func (a *Account) Zone() *time.Location {
	zone, err := time.LoadLocation(a.Timezone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// SubaccountFilter narrows a list of subaccounts; nil fields do not narrow.
type SubaccountFilter struct {
	Search *string // in names and address
}

// SubaccountStore keeps the accounts below the actor's. Deleted ones are left out.
type SubaccountStore interface {
	Subaccounts(ctx context.Context, f SubaccountFilter, p Page) (*List[*Account], error)
	Subaccount(ctx context.Context, id ID) (*Account, error)
	// OwnsAnything tells whether the account has groups or URLs.
	OwnsAnything(ctx context.Context) (bool, error)
	// DeleteAccount hides the account and erases its names, its address and its secrets. What it captured stays until it is
	// swept away.
	DeleteAccount(ctx context.Context, a *Account) error
}

// OperatorStore is asked across accounts, by the command line and by the work that time calls for. Deleted accounts are
// left out.
type OperatorStore interface {
	// HasAccounts tells whether any account exists yet.
	HasAccounts(ctx context.Context) (bool, error)
	AccountByEmail(ctx context.Context, email string) (*Account, error)
	// Accounts lists all accounts, each full account before its subaccounts.
	Accounts(ctx context.Context) ([]*Account, error)
	// AccountsToRenew lists full accounts whose period has ended at now.
	AccountsToRenew(ctx context.Context, now time.Time, limit int) ([]ID, error)
	// AccountsLowOnChecks lists accounts that have used up more of their checks than was told (see TellChecks).
	AccountsLowOnChecks(ctx context.Context, limit int) ([]ID, error)
	// UnusedAccounts lists active full accounts that were neither used nor changed since a moment.
	UnusedAccounts(ctx context.Context, since time.Time, limit int) ([]ID, error)
}
