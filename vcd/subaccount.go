package vcd

import (
	"context"
	"strings"
)

// maxChecksLimit is the most checks that a plan may allow: what a GraphQL Int holds.
const maxChecksLimit = 1<<31 - 1

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

// SubaccountChange holds a subaccount's fields as its owner sends them, for create and update alike.
type SubaccountChange struct {
	NameFirst, NameLast, Email Optional[string]
	LimitChecks                Optional[int]
}

func (in SubaccountChange) validate(creating bool) error {
	v := &validation{}
	name := func(path string, given Optional[string]) {
		switch {
		case given.Value != nil:
			v.required(path, *given.Value, maxNameLength)
		case creating || given.Set:
			v.add(path, "required", "The {field} field is required.")
		}
	}
	name("nameFirst", in.NameFirst)
	name("nameLast", in.NameLast)
	switch {
	case in.Email.Value != nil && strings.TrimSpace(*in.Email.Value) != "":
		v.email("email", *in.Email.Value)
	case creating || in.Email.Set:
		v.add("email", "required", "The {field} field is required.")
	}
	switch {
	case in.LimitChecks.Value != nil:
		v.check(*in.LimitChecks.Value >= 0, "limitChecks", "min", "The {field} field must be at least 0.")
	case creating || in.LimitChecks.Set:
		v.add("limitChecks", "required", "The {field} field is required.")
	}
	return v.err()
}

func (in SubaccountChange) apply(a *Account) {
	assign(&a.NameFirst, in.NameFirst)
	assign(&a.NameLast, in.NameLast)
	assign(&a.Email, in.Email)
	assign(&a.ChecksLimit, in.LimitChecks)
}

// fullAccount is the actor's account, which must not be a subaccount.
func (s *Service) fullAccount(ctx context.Context, actor Actor) (*Account, error) {
	a, err := s.Account(ctx, actor)
	if err == nil && a.IsSubaccount() {
		return nil, Forbidden()
	}
	return a, err
}

// CreateSubaccount opens an account below the actor's with its first token. It has its owner's plan features, time zone
// and period. The address need not be confirmed: whoever the owner gives the token to may use it. Attempts count too: so nobody can find
// out in numbers which addresses have accounts.
func (s *Service) CreateSubaccount(ctx context.Context, actor Actor, in SubaccountChange) (*Account, NewToken, error) {
	owner, err := s.fullAccount(ctx, actor)
	if err != nil {
		return nil, NewToken{}, err
	}
	if err := in.validate(true); err != nil {
		return nil, NewToken{}, err
	}
	if err := s.spendSubaccount(ctx, owner); err != nil {
		return nil, NewToken{}, err
	}
	a, err := s.newAccount(AccountInput{})
	if err != nil {
		return nil, NewToken{}, err
	}
	in.apply(a)
	a.Parent, a.SealedMagicLogin = &owner.ID, nil
	a.Timezone, a.RenewalAt, a.Status = owner.Timezone, owner.RenewalAt, owner.Status
	a.Plan, a.PlanName, a.PlanLabel = owner.Plan, owner.PlanName, owner.PlanLabel
	a.AIVerification, a.BrowserConsole = owner.AIVerification, owner.BrowserConsole
	token, err := s.open(ctx, a, s.event(EventSubaccountOpened, SubjectAccount, a.ID))
	return a, token, err
}

// Subaccounts lists the accounts below the actor's, newest first.
func (s *Service) Subaccounts(ctx context.Context, actor Actor, f SubaccountFilter, p Page) (*List[*Account], error) {
	if err := checkSearch(f.Search); err != nil {
		return nil, err
	}
	if _, err := s.fullAccount(ctx, actor); err != nil {
		return nil, err
	}
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*List[*Account], error) { return tx.Subaccounts(ctx, f, p) })
}

// Subaccount is one of the accounts below the actor's.
func (s *Service) Subaccount(ctx context.Context, actor Actor, id ID) (*Account, error) {
	if _, err := s.fullAccount(ctx, actor); err != nil {
		return nil, err
	}
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*Account, error) { return tx.Subaccount(ctx, id) })
}

// below is the actor as which the owner of a subaccount acts on it; without one it is the actor itself.
func (s *Service) below(ctx context.Context, actor Actor, subaccount *ID) (Actor, error) {
	if subaccount == nil {
		return actor, nil
	}
	a, err := s.Subaccount(ctx, actor, *subaccount)
	if err != nil {
		return Actor{}, err
	}
	return Actor{Account: a.ID}, nil
}

// UpdateSubaccount changes a subaccount; what is absent stays.
func (s *Service) UpdateSubaccount(ctx context.Context, actor Actor, id ID, in SubaccountChange) (*Account, error) {
	as, err := s.below(ctx, actor, &id)
	if err != nil {
		return nil, err
	}
	if err := in.validate(false); err != nil {
		return nil, err
	}
	return write(ctx, s, as, func(ctx context.Context, tx Tx) (*Account, error) {
		a, err := tx.LockAccount(ctx)
		if err != nil {
			return nil, err
		}
		in.apply(a)
		a.UpdatedAt = s.Clock.Now()
		if err := tx.UpdateAccount(ctx, a); err != nil {
			return nil, err
		}
		return a, tx.AppendEvents(ctx, s.event(EventAccountUpdated, SubjectAccount, a.ID))
	})
}

// DeleteSubaccount closes a subaccount for good and revokes its tokens. It must not own groups or URLs any more.
func (s *Service) DeleteSubaccount(ctx context.Context, actor Actor, id ID) error {
	as, err := s.below(ctx, actor, &id)
	if err != nil {
		return err
	}
	return s.Store.InTx(ctx, as, func(ctx context.Context, tx Tx) error {
		now := s.Clock.Now()
		if err := tx.RevokeTokens(ctx, now); err != nil {
			return err
		}
		a, err := tx.LockAccount(ctx)
		if err != nil {
			return err
		}
		owns, err := tx.OwnsAnything(ctx)
		if err != nil {
			return err
		}
		if owns {
			return &Error{Code: CodeConflict, Message: "The subaccount still owns groups or URLs. Delete them first."}
		}
		a.Status, a.UpdatedAt = AccountCancelled, now
		return tx.DeleteAccount(ctx, a)
	})
}
