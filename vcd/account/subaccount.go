package account

import (
	"context"
	"strings"

	"afterimage/vcd"
)

// maxChecksLimit is the largest checks limit of a plan: the largest GraphQL Int.
const maxChecksLimit = 1<<31 - 1

// SubaccountChange holds a subaccount's fields as its owner sends them, both to create and to update it.
type SubaccountChange struct {
	NameFirst, NameLast, Email vcd.Optional[string]
	LimitChecks                vcd.Optional[int]
}

func (in SubaccountChange) validate(creating bool) error {
	v := &vcd.Validation{}
	name := func(path string, given vcd.Optional[string]) {
		switch {
		case given.Value != nil:
			v.Name(path, *given.Value, vcd.MaxNameLength)
		case creating || given.Set:
			v.Add(path, "required", "The {field} field is required.")
		}
	}
	name("nameFirst", in.NameFirst)
	name("nameLast", in.NameLast)
	switch {
	case in.Email.Value != nil && strings.TrimSpace(*in.Email.Value) != "":
		v.Email("email", *in.Email.Value)
	case creating || in.Email.Set:
		v.Add("email", "required", "The {field} field is required.")
	}
	switch {
	case in.LimitChecks.Value != nil:
		v.Check(*in.LimitChecks.Value >= 0, "limitChecks", "min", "The {field} field must be at least 0.")
	case creating || in.LimitChecks.Set:
		v.Add("limitChecks", "required", "The {field} field is required.")
	}
	return v.Err()
}

func (in SubaccountChange) apply(a *vcd.Account) {
	vcd.Assign(&a.NameFirst, in.NameFirst)
	vcd.Assign(&a.NameLast, in.NameLast)
	vcd.Assign(&a.Email, in.Email)
	vcd.Assign(&a.ChecksLimit, in.LimitChecks)
}

// fullAccount returns the actor's account, or an error if it is a subaccount.
func (s *Service) fullAccount(ctx context.Context, actor vcd.Actor) (*vcd.Account, error) {
	a, err := s.Account(ctx, actor)
	if err == nil && a.IsSubaccount() {
		return nil, vcd.Forbidden()
	}
	return a, err
}

// CreateSubaccount opens a subaccount of the actor's account with its first token. It gets its owner's plan features, time
// zone and period. Its address need not be confirmed: whoever receives the token from the owner may use it. Failed attempts
// count against the rate limit too, so that nobody can probe addresses in bulk.
func (s *Service) CreateSubaccount(ctx context.Context, actor vcd.Actor, in SubaccountChange) (*vcd.Account, NewToken, error) {
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
	a, err := s.newAccount(Input{})
	if err != nil {
		return nil, NewToken{}, err
	}
	in.apply(a)
	a.Parent, a.SealedMagicLogin = &owner.ID, nil
	a.Timezone, a.RenewalAt, a.Status = owner.Timezone, owner.RenewalAt, owner.Status
	a.Plan, a.PlanName, a.PlanLabel = owner.Plan, owner.PlanName, owner.PlanLabel
	a.AIVerification, a.BrowserConsole, a.NoiseProbes = owner.AIVerification, owner.BrowserConsole, owner.NoiseProbes
	a.AlarmUnseen = owner.AlarmUnseen
	a.Retention, a.StorageLimit = owner.Retention, owner.StorageLimit
	creator, err := s.creator(ctx, actor)
	if err != nil {
		return nil, NewToken{}, err
	}
	token, err := s.open(ctx, actor.On(a.ID), creator, a, vcd.NewEvent(s.clock.Now(), vcd.EventSubaccountOpened, vcd.SubjectAccount, a.ID))
	return a, token, err
}

// Subaccounts lists the actor's subaccounts, newest first.
func (s *Service) Subaccounts(ctx context.Context, actor vcd.Actor, f vcd.SubaccountFilter, p vcd.Page) (*vcd.List[*vcd.Account], error) {
	if err := vcd.CheckSearch(f.Search); err != nil {
		return nil, err
	}
	if _, err := s.fullAccount(ctx, actor); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.List[*vcd.Account], error) {
		return tx.Subaccounts(ctx, f, p)
	})
}

// Subaccount is one of the actor's subaccounts.
func (s *Service) Subaccount(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Account, error) {
	if _, err := s.fullAccount(ctx, actor); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Account, error) { return tx.Subaccount(ctx, id) })
}

// below returns the actor that represents the owner acting on a subaccount, or the actor itself without a subaccount.
func (s *Service) below(ctx context.Context, actor vcd.Actor, subaccount *vcd.ID) (vcd.Actor, error) {
	if subaccount == nil {
		return actor, nil
	}
	a, err := s.Subaccount(ctx, actor, *subaccount)
	if err != nil {
		return vcd.Actor{}, err
	}
	return actor.On(a.ID), nil
}

// UpdateSubaccount changes a subaccount; absent fields stay unchanged.
func (s *Service) UpdateSubaccount(ctx context.Context, actor vcd.Actor, id vcd.ID, in SubaccountChange) (*vcd.Account, error) {
	as, err := s.below(ctx, actor, &id)
	if err != nil {
		return nil, err
	}
	if err := in.validate(false); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, as, func(ctx context.Context, tx Tx) (*vcd.Account, error) {
		a, err := tx.LockAccount(ctx)
		if err != nil {
			return nil, err
		}
		in.apply(a)
		a.UpdatedAt = s.clock.Now()
		if err := tx.UpdateAccount(ctx, a); err != nil {
			return nil, err
		}
		return a, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventAccountUpdated, vcd.SubjectAccount, a.ID))
	})
}

// DeleteSubaccount permanently closes a subaccount and revokes its tokens. It must no longer own groups or URLs.
func (s *Service) DeleteSubaccount(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	as, err := s.below(ctx, actor, &id)
	if err != nil {
		return err
	}
	return s.store.InTx(ctx, as, func(ctx context.Context, tx Tx) error {
		a, err := tx.LockAccount(ctx) // nobody joins meanwhile
		if err != nil {
			return err
		}
		now := s.clock.Now()
		if err := tx.RevokeTokens(ctx, now); err != nil {
			return err
		}
		if err := tx.RemoveUsers(ctx, "", now); err != nil {
			return err
		}
		owns, err := tx.OwnsAnything(ctx)
		if err != nil {
			return err
		}
		if owns {
			return &vcd.Error{Code: vcd.CodeConflict, Message: "The subaccount still owns groups or URLs. Delete them first."}
		}
		a.Status, a.UpdatedAt = vcd.AccountCancelled, now
		tx.Concern(vcd.SubjectAccount, a.ID)
		return tx.DeleteAccount(ctx, a)
	})
}
