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
	purposeWebhookSecret = "account.webhook_secret"
	purposeMagicLogin    = "account.magic_login_secret"
)

// Limits and defaults of accounts.
const (
	maxNameLength      = 255
	maxTimezoneLength  = 64
	DefaultChecksLimit = 1_000_000
	DefaultTimezone    = "UTC"
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

// AccountInput is what makes a new account.
type AccountInput struct {
	NameFirst, NameLast string
	Email               string
	ChecksLimit         int  // 0 means DefaultChecksLimit
	Invited             bool // it must be activated before it can be used
}

// AccountChange is what an owner may change about an account.
type AccountChange struct {
	NameFirst, NameLast, Company Optional[string]
	Timezone                     Optional[string] // IANA name; null leaves it
}

// CreateAccount opens a full account with its first token, whose plain text is returned once and kept nowhere.
func (s *Service) CreateAccount(ctx context.Context, in AccountInput) (*Account, NewToken, error) {
	v := &validation{}
	v.text("nameFirst", in.NameFirst, maxNameLength)
	v.text("nameLast", in.NameLast, maxNameLength)
	v.email("email", in.Email)
	v.between("checksLimit", in.ChecksLimit, 0, maxChecksLimit)
	if err := v.err(); err != nil {
		return nil, NewToken{}, err
	}
	a, err := s.newAccount(in)
	if err != nil {
		return nil, NewToken{}, err
	}
	token, err := s.open(ctx, a)
	return a, token, err
}

// open stores a new account with its first token, and what is to be told of that.
func (s *Service) open(ctx context.Context, a *Account, events ...*Event) (NewToken, error) {
	token := s.mintToken(a.ID, "first token", nil)
	return token, s.Store.InTx(ctx, Actor{Account: a.ID}, func(ctx context.Context, tx Tx) error {
		if err := tx.InsertAccount(ctx, a); err != nil {
			return err
		}
		if err := tx.InsertToken(ctx, &token.Token); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, events...)
	})
}

func (s *Service) newAccount(in AccountInput) (*Account, error) {
	now := s.Clock.Now()
	a := &Account{
		ID: s.IDs.NewID(), NameFirst: in.NameFirst, NameLast: in.NameLast, Email: in.Email,
		Timezone: DefaultTimezone, Status: AccountActive, Level: 1, Share: 1, Plan: "self_hosted", PlanName: "Self-hosted",
		InvitationAccepted: !in.Invited, ChecksLimit: in.ChecksLimit, RenewalAt: nextRenewal(now, now), CreatedAt: now, UpdatedAt: now,
	}
	if a.ChecksLimit == 0 {
		a.ChecksLimit = DefaultChecksLimit
	}
	var err error
	if a.SealedWebhookSecret, err = s.Secret.Seal(purposeWebhookSecret, randomText()); err != nil {
		return nil, err
	}
	a.SealedMagicLogin, err = s.Secret.Seal(purposeMagicLogin, randomText())
	return a, err
}

// Account is the actor's own account.
func (s *Service) Account(ctx context.Context, actor Actor) (*Account, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*Account, error) { return tx.Account(ctx) })
}

// WebhookSecret is the key under which the account's webhooks are signed.
func (s *Service) WebhookSecret(a *Account) (string, error) {
	return s.Secret.Open(purposeWebhookSecret, a.SealedWebhookSecret)
}

// MagicLoginSecret is the secret of a full account's login links; subaccounts have none to show.
func (s *Service) MagicLoginSecret(a *Account) (string, error) {
	return s.Secret.Open(purposeMagicLogin, a.SealedMagicLogin)
}

// UpdateAccount changes names, company and time zone; what is absent stays. In another time zone the schedules of all
// groups begin anew.
func (s *Service) UpdateAccount(ctx context.Context, actor Actor, in AccountChange) (*Account, error) {
	v := &validation{}
	v.optionalText("nameFirst", in.NameFirst.Value, maxNameLength)
	v.optionalText("nameLast", in.NameLast.Value, maxNameLength)
	v.optionalText("company", in.Company.Value, maxNameLength)
	if zone := in.Timezone.Value; zone != nil {
		v.check(isTimezone(*zone), "timezone", "timezone", "The {field} field must be a valid timezone.")
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Account, error) {
		a, err := s.lockForUpdate(ctx, tx, in)
		if err != nil {
			return nil, err
		}
		assign(&a.NameFirst, in.NameFirst)
		assign(&a.NameLast, in.NameLast)
		assignNullable(&a.Company, in.Company)
		a.UpdatedAt = s.Clock.Now()
		if err := tx.UpdateAccount(ctx, a); err != nil {
			return nil, err
		}
		return a, tx.AppendEvents(ctx, s.event(EventAccountUpdated, SubjectAccount, a.ID))
	})
}

func (s *Service) lockForUpdate(ctx context.Context, tx Tx, in AccountChange) (*Account, error) {
	if zone := in.Timezone.Value; zone != nil {
		return s.changeTimezone(ctx, tx, *zone)
	}
	return tx.LockAccount(ctx)
}

// isTimezone tells whether name is an IANA name. "" and "Local" would be read as zones of this machine.
func isTimezone(name string) bool {
	if name == "" || name == "Local" || len(name) > maxTimezoneLength {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}
