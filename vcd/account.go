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
