package vcd

import (
	"context"
	"slices"
	"time"
)

// admit tells whether an account may use the service at all: it must have been activated and not be cancelled. One that
// is paused may do everything but run, see mayRun.
func (a *Account) admit() error {
	switch {
	case !a.InvitationAccepted:
		return &Error{Code: CodeActivateAccount, Message: "ActivateAccount"}
	case a.Status == AccountCancelled:
		return Forbidden()
	}
	return nil
}

// mayRun tells whether an account may have screenshots taken.
func (a *Account) mayRun() error {
	if a.Status == AccountPaused {
		return &Error{Code: CodeConflict, Message: "The account is paused because it was not used for a while. " +
			"Its owner can reactivate it, and screenshots are taken again."}
	}
	return a.admit()
}

func mayRun(ctx context.Context, tx Tx) error {
	a, err := tx.Account(ctx)
	if err != nil {
		return err
	}
	return a.mayRun()
}

// ReactivateAccount ends the pause of the actor's account and of all its subaccounts. Only a full account may do that.
func (s *Service) ReactivateAccount(ctx context.Context, actor Actor) (*Account, error) {
	if _, err := s.fullAccount(ctx, actor); err != nil {
		return nil, err
	}
	return s.setStatus(ctx, actor.Account, AccountActive, AccountPaused)
}

// PauseAccount ends the runs of an account and of its subaccounts, and starts none until it is reactivated. It is for the
// operator.
func (s *Service) PauseAccount(ctx context.Context, id ID) (*Account, error) {
	return s.setStatus(ctx, id, AccountPaused, AccountActive)
}

// CancelAccount closes an account and its subaccounts: they may do nothing any more, and their runs end. It is for the operator.
func (s *Service) CancelAccount(ctx context.Context, id ID) (*Account, error) {
	return s.setStatus(ctx, id, AccountCancelled, AccountActive, AccountPaused)
}

// ActivateAccount accepts the invitation to an account in its owner's stead and opens it again, together with its
// subaccounts, whatever state they are in. It is for the operator.
func (s *Service) ActivateAccount(ctx context.Context, id ID) (*Account, error) {
	err := s.Store.InTx(ctx, Actor{Account: id}, func(ctx context.Context, tx Tx) error {
		a, err := tx.LockAccount(ctx)
		if err != nil || a.InvitationAccepted {
			return err
		}
		a.InvitationAccepted, a.UpdatedAt = true, s.Clock.Now()
		return tx.UpdateAccount(ctx, a)
	})
	if err != nil {
		return nil, err
	}
	return s.setStatus(ctx, id, AccountActive, AccountPaused, AccountCancelled)
}

// setStatus moves an account and its subaccounts, as far as they are in one of the given states, to another one. An
// account that is in that state already stays as it is; any other is refused.
func (s *Service) setStatus(ctx context.Context, id ID, to AccountStatus, from ...AccountStatus) (*Account, error) {
	actor := Actor{Account: id}
	var moved []ID
	a, err := write(ctx, s, actor, func(ctx context.Context, tx Tx) (_ *Account, err error) {
		if moved, err = tx.SetStatus(ctx, to, from, s.Clock.Now()); err != nil {
			return nil, err
		}
		a, err := tx.Account(ctx)
		switch {
		case err != nil:
			return nil, err
		case a.Status != to:
			return nil, &Error{Code: CodeConflict, Message: "The account is " + string(a.Status) + " and cannot be " + participle[to] + "."}
		case len(moved) == 0:
			return a, nil
		}
		events := []*Event{s.event(EventAccountUpdated, SubjectAccount, a.ID)}
		if kind, told := accountEvents[to]; told && slices.Contains(moved, a.ID) {
			events = append(events, s.event(kind, SubjectAccount, a.ID))
		}
		return a, tx.AppendEvents(ctx, events...)
	})
	if err != nil {
		return a, err
	}
	if to != AccountActive {
		for _, account := range moved {
			if err := s.endOpenWork(ctx, Actor{Account: account}, endedBecause(to)); err != nil {
				return nil, err
			}
		}
		return a, nil
	}
	for _, account := range moved {
		if err := s.resume(ctx, Actor{Account: account}); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// accountEvents are told to the owner.
var accountEvents = map[AccountStatus]EventKind{
	AccountActive: EventAccountReactivated, AccountPaused: EventAccountPaused,
}

var participle = map[AccountStatus]string{
	AccountActive: "reactivated", AccountPaused: "paused", AccountCancelled: "cancelled",
}

// resume lets the schedules of an account that was not active begin again from now, rather than all at once.
func (s *Service) resume(ctx context.Context, actor Actor) error {
	return s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		groups, err := tx.LockScheduled(ctx)
		if err != nil {
			return err
		}
		a, err := tx.LockAccount(ctx)
		if err != nil {
			return err
		}
		return s.planAnew(ctx, tx, a, groups)
	})
}

// accountsAtOnce is how many accounts one round of KeepAccounts moves of each kind; the next round takes the others.
const accountsAtOnce = 500

// KeepAccounts does what time does to accounts: those whose period has ended begin a new one, those whose checks run low are
// told, and those that nobody has used for pauseAfter are paused; zero pauses none. An account is used when a token of it, or
// of a subaccount of it, is.
func (s *Service) KeepAccounts(ctx context.Context, pauseAfter time.Duration) error {
	now := s.Clock.Now()
	ended, err := s.Store.AccountsToRenew(ctx, now, accountsAtOnce)
	if err != nil {
		return err
	}
	for _, id := range ended {
		if err := s.renew(ctx, Actor{Account: id}, now); err != nil {
			return err
		}
	}
	if err := s.watchChecks(ctx); err != nil || pauseAfter <= 0 {
		return err
	}
	return s.pauseUnused(ctx, now.Add(-pauseAfter))
}

func (s *Service) pauseUnused(ctx context.Context, since time.Time) error {
	unused, err := s.Store.UnusedAccounts(ctx, since, accountsAtOnce)
	if err != nil {
		return err
	}
	for _, id := range unused {
		if _, err := s.PauseAccount(ctx, id); err != nil && CodeOf(err) != CodeConflict { // cancelled meanwhile
			return err
		}
	}
	return nil
}

// renew begins a new period of a full account and of its subaccounts, unless somebody else has done so.
func (s *Service) renew(ctx context.Context, actor Actor, now time.Time) error {
	return s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		a, err := tx.Account(ctx)
		if err != nil || a.RenewalAt.After(now) {
			return err
		}
		began, err := tx.BeginPeriod(ctx, a.RenewalAt, nextRenewal(a.CreatedAt, now))
		if err != nil || !began {
			return err
		}
		return tx.AppendEvents(ctx, s.event(EventAccountUpdated, SubjectAccount, a.ID))
	})
}

// nextRenewal is the first moment after now that lies whole months after an account was opened. In a month that lacks
// the day it is the month's last.
func nextRenewal(opened, now time.Time) time.Time {
	opened = opened.UTC()
	year, month, day := opened.Date()
	for months := max(1, (now.UTC().Year()-year)*12+int(now.UTC().Month()-month)); ; months++ {
		first := time.Date(year, month+time.Month(months), 1, opened.Hour(), opened.Minute(), opened.Second(), opened.Nanosecond(), time.UTC)
		last := first.AddDate(0, 1, -1).Day()
		if at := first.AddDate(0, 0, min(day, last)-1); at.After(now) {
			return at
		}
	}
}
