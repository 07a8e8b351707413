package vcd

import (
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
	NoiseProbes         bool // pages are captured more often while little is known of what varies on its own
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

// Admit returns an error unless the account may use the service at all: it must be activated and not cancelled. A paused
// account may do everything except run, see MayRun.
func (a *Account) Admit() error {
	switch {
	case !a.InvitationAccepted:
		return &Error{Code: CodeActivateAccount, Message: "ActivateAccount"}
	case a.Status == AccountCancelled:
		return Forbidden()
	}
	return nil
}

// MayRun returns an error unless the account may have screenshots taken.
func (a *Account) MayRun() error {
	if a.Status == AccountPaused {
		return &Error{Code: CodeConflict, Message: "The account is paused. " +
			"Its owner can reactivate it to take screenshots again."}
	}
	if a.StorageUsed >= StorageFull {
		return &Error{Code: CodeConflict, Message: "The storage of the account is full. " +
			"Delete runs, or keep them for a shorter time, to take screenshots again."}
	}
	return a.Admit()
}

// AccountsAtOnce is how many accounts of each kind one round of KeepAccounts moves; the next round takes the rest.
const AccountsAtOnce = 500

// Percentages of the period's checks at which the owner is notified.
const (
	checksLow       = 80
	ChecksExhausted = 100
)

// ChecksUsed is the highest notification threshold, in percent, that the used checks have reached; 0 for none.
func (a *Account) ChecksUsed() int {
	for _, percent := range []int{ChecksExhausted, checksLow} {
		if a.ChecksLimit > 0 && a.ChecksDone*100 >= a.ChecksLimit*percent {
			return percent
		}
	}
	return 0
}

// AllowancePeriod is the period to which allowances apply.
const AllowancePeriod = time.Hour

// Allowance limits how often something may be done in AllowancePeriod, whether in a burst or spread out.
type Allowance struct {
	Key  string // what is done, and by or to whom
	Size int    // how often; more than 0
}

// Frequencies limit, per hour, what an account may do that affects others; 0 means unlimited.
type Frequencies struct {
	Subaccounts      int // opened by a full account
	Invitations      int // sent or attempted by an account
	MailsPerAccount  int // to addresses other than the account's own, from a full account with its subaccounts
	MailsPerReceiver int // to such an address, from all accounts
}

// RateLimited is the error for exceeding a rate limit.
func RateLimited(sentence string, wait time.Duration) error {
	return &Error{Code: CodeRateLimited, Message: sentence + " Try again in " + inWords(wait) + ".", RetryAfter: wait}
}

func inWords(wait time.Duration) string {
	if seconds := wholeSeconds(wait); seconds < 120 {
		return Plural(seconds, "second")
	}
	return Plural(int((wait+time.Minute-1)/time.Minute), "minute")
}

func wholeSeconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }
