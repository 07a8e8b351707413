package account

import (
	"context"
	"time"

	"afterimage/vcd"
)

// Purposes under which an account's secrets are sealed.
const (
	purposeMagicLogin = "account.magic_login_secret"
)

// Limits and defaults of accounts.
const (
	maxTimezoneLength  = 64
	DefaultChecksLimit = 1_000_000
	DefaultTimezone    = "UTC"
)

// Input describes a new account.
type Input struct {
	NameFirst, NameLast string
	Email               string
	NoEmail             bool // the owner has no address yet, and gets no mails
	ChecksLimit         int  // 0 means DefaultChecksLimit
	Invited             bool // it must be activated before use
}

// Change is what an owner may change about an account.
type Change struct {
	NameFirst, NameLast, Company vcd.Optional[string]
	Timezone                     vcd.Optional[string] // IANA name; null leaves it unchanged
	NoiseProbes                  vcd.Optional[bool]   // null leaves it unchanged
	AlarmUnseen                  vcd.Optional[bool]   // likewise
}

// CreateAccount opens a full account with its first token, whose plain text is returned once and never stored.
func (s *Service) CreateAccount(ctx context.Context, in Input) (*vcd.Account, NewToken, error) {
	v := &vcd.Validation{}
	v.OptionalName("nameFirst", &in.NameFirst, vcd.MaxNameLength)
	v.OptionalName("nameLast", &in.NameLast, vcd.MaxNameLength)
	if !in.NoEmail {
		v.Email("email", in.Email)
	}
	v.Between("checksLimit", in.ChecksLimit, 0, maxChecksLimit)
	if err := v.Err(); err != nil {
		return nil, NewToken{}, err
	}
	a, err := s.newAccount(in)
	if err != nil {
		return nil, NewToken{}, err
	}
	token, err := s.open(ctx, s.Operator(a.ID, "createAccount"), "", a)
	return a, token, err
}

// open stores a new account with its first token, which has a creator, and the given events. The actor acts on it.
func (s *Service) open(ctx context.Context, actor vcd.Actor, creator vcd.ID, a *vcd.Account, events ...*vcd.Event) (NewToken, error) {
	token := s.mintToken(a.ID, "first token", nil, vcd.Scopes())
	token.Creator = creator
	return token, s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		if err := tx.InsertAccount(ctx, a); err != nil {
			return err
		}
		if err := tx.InsertToken(ctx, &token.Token); err != nil {
			return err
		}
		tx.Concern(vcd.SubjectAccount, a.ID)
		return tx.AppendEvents(ctx, events...)
	})
}

func (s *Service) newAccount(in Input) (*vcd.Account, error) {
	now := s.clock.Now()
	a := &vcd.Account{
		ID: s.ids.NewID(), NameFirst: in.NameFirst, NameLast: in.NameLast, Email: in.Email,
		Timezone: DefaultTimezone, Status: vcd.AccountActive, Level: 1, Share: 1, Plan: "self_hosted", PlanName: "Self-hosted",
		InvitationAccepted: !in.Invited, AIVerification: true, BrowserConsole: true, NoiseProbes: true,
		Retention:   vcd.RunRetention{Runs: 1, Reviewed: true},
		ChecksLimit: in.ChecksLimit,
		RenewalAt:   nextRenewal(now, now), CreatedAt: now, UpdatedAt: now,
	}
	if a.ChecksLimit == 0 {
		a.ChecksLimit = DefaultChecksLimit
	}
	var err error
	if a.SealedWebhookSecret, err = s.sealer.Seal(vcd.PurposeWebhookSecret, vcd.RandomText()); err != nil {
		return nil, err
	}
	a.SealedMagicLogin, err = s.sealer.Seal(purposeMagicLogin, vcd.RandomText())
	return a, err
}

// Account is the actor's own account.
func (s *Service) Account(ctx context.Context, actor vcd.Actor) (*vcd.Account, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Account, error) { return tx.Account(ctx) })
}

// PlansURL is where the owner of a full account chooses another plan; empty if there is no such place.
func (s *Service) PlansURL(a *vcd.Account) string {
	if a.IsSubaccount() {
		return ""
	}
	return s.plansURL
}

// MagicLoginSecret is the secret of a full account's login links to the place where plans are chosen, and empty if there is none:
// clients offer plans to whoever has a secret. Subaccounts have none to show.
func (s *Service) MagicLoginSecret(a *vcd.Account) (string, error) {
	if s.plansURL == "" {
		return "", nil
	}
	return s.sealer.Open(purposeMagicLogin, a.SealedMagicLogin)
}

// UpdateAccount changes names, company, time zone and probes; absent fields stay unchanged. A new time zone reschedules all groups.
func (s *Service) UpdateAccount(ctx context.Context, actor vcd.Actor, in Change) (*vcd.Account, error) {
	v := &vcd.Validation{}
	v.OptionalName("nameFirst", in.NameFirst.Value, vcd.MaxNameLength)
	v.OptionalName("nameLast", in.NameLast.Value, vcd.MaxNameLength)
	v.OptionalName("company", in.Company.Value, vcd.MaxNameLength)
	if zone := in.Timezone.Value; zone != nil {
		v.Check(isTimezone(*zone), "timezone", "timezone", "The {field} field must be a valid timezone.")
	}
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Account, error) {
		a, err := s.lockForUpdate(ctx, tx, in)
		if err != nil {
			return nil, err
		}
		vcd.Assign(&a.NameFirst, in.NameFirst)
		vcd.Assign(&a.NameLast, in.NameLast)
		vcd.AssignNullable(&a.Company, in.Company)
		vcd.Assign(&a.NoiseProbes, in.NoiseProbes)
		vcd.Assign(&a.AlarmUnseen, in.AlarmUnseen)
		a.UpdatedAt = s.clock.Now()
		if err := tx.UpdateAccount(ctx, a); err != nil {
			return nil, err
		}
		return a, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventAccountUpdated, vcd.SubjectAccount, a.ID))
	})
}

func (s *Service) lockForUpdate(ctx context.Context, tx Tx, in Change) (*vcd.Account, error) {
	if zone := in.Timezone.Value; zone != nil {
		return s.inventory.ChangeTimezone(ctx, tx, *zone)
	}
	return tx.LockAccount(ctx)
}

// isTimezone reports whether name is an IANA name. It rejects "" and "Local", which Go reads as UTC and the machine's own
// zone.
func isTimezone(name string) bool {
	if name == "" || name == "Local" || len(name) > maxTimezoneLength {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}
