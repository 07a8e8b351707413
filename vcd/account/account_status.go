package account

import (
	"context"
	"slices"
	"time"

	"afterimage/vcd"
)

// ReactivateAccount ends the pause of the actor's account and all its subaccounts. Only a full account may do that.
func (s *Service) ReactivateAccount(ctx context.Context, actor vcd.Actor) (*vcd.Account, error) {
	if _, err := s.fullAccount(ctx, actor); err != nil {
		return nil, err
	}
	return s.setStatus(ctx, actor, vcd.AccountActive, vcd.AccountPaused)
}

// PauseAccount ends the runs of an account and its subaccounts and starts none until it is reactivated. It is an operator
// command.
func (s *Service) PauseAccount(ctx context.Context, id vcd.ID) (*vcd.Account, error) {
	return s.setStatus(ctx, s.Operator(id, "pauseAccount"), vcd.AccountPaused, vcd.AccountActive)
}

// CancelAccount closes an account and its subaccounts: they lose all permissions, and their runs end. It is an operator
// command.
func (s *Service) CancelAccount(ctx context.Context, id vcd.ID) (*vcd.Account, error) {
	return s.setStatus(ctx, s.Operator(id, "cancelAccount"), vcd.AccountCancelled, vcd.AccountActive, vcd.AccountPaused)
}

// ActivateAccount accepts the invitation to an account on behalf of its owner and reopens the account together with its
// subaccounts, whatever their state. It is an operator command.
func (s *Service) ActivateAccount(ctx context.Context, id vcd.ID) (*vcd.Account, error) {
	actor := s.Operator(id, "activateAccount")
	err := s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		a, err := tx.LockAccount(ctx)
		if err != nil || a.InvitationAccepted {
			return err
		}
		a.InvitationAccepted, a.UpdatedAt = true, s.clock.Now()
		return tx.UpdateAccount(ctx, a)
	})
	if err != nil {
		return nil, err
	}
	return s.setStatus(ctx, actor, vcd.AccountActive, vcd.AccountPaused, vcd.AccountCancelled)
}

// setStatus moves an account and its subaccounts from any of the given states to another one. An account already in that
// state stays unchanged; any other state is an error.
func (s *Service) setStatus(ctx context.Context, actor vcd.Actor, to vcd.AccountStatus, from ...vcd.AccountStatus) (*vcd.Account, error) {
	var moved []vcd.ID
	a, err := vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (_ *vcd.Account, err error) {
		if moved, err = tx.SetStatus(ctx, to, from, s.clock.Now()); err != nil {
			return nil, err
		}
		a, err := tx.Account(ctx)
		switch {
		case err != nil:
			return nil, err
		case a.Status != to:
			return nil, &vcd.Error{Code: vcd.CodeConflict, Message: "The account is " + string(a.Status) + " and cannot be " +
				participle[to] + "."}
		case len(moved) == 0:
			return a, nil
		}
		events := []*vcd.Event{vcd.NewEvent(s.clock.Now(), vcd.EventAccountUpdated, vcd.SubjectAccount, a.ID)}
		if kind, told := accountEvents[to]; told && slices.Contains(moved, a.ID) {
			events = append(events, vcd.NewEvent(s.clock.Now(), kind, vcd.SubjectAccount, a.ID))
		}
		return a, tx.AppendEvents(ctx, events...)
	})
	if err != nil {
		return a, err
	}
	if to != vcd.AccountActive {
		return a, s.runs.EndOpenWork(ctx, moved, vcd.EndedBecause(to))
	}
	for _, account := range moved {
		if err := s.resume(ctx, vcd.Actor{Account: account}); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// accountEvents maps states to the events that notify the owner.
var accountEvents = map[vcd.AccountStatus]vcd.EventKind{
	vcd.AccountActive: vcd.EventAccountReactivated, vcd.AccountPaused: vcd.EventAccountPaused,
}

var participle = map[vcd.AccountStatus]string{
	vcd.AccountActive: "reactivated", vcd.AccountPaused: "paused", vcd.AccountCancelled: "cancelled",
}

// resume reschedules the groups of an account that was not active from now, so that missed runs do not all start at once.
func (s *Service) resume(ctx context.Context, actor vcd.Actor) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		groups, err := tx.LockScheduled(ctx)
		if err != nil {
			return err
		}
		a, err := tx.LockAccount(ctx)
		if err != nil {
			return err
		}
		return s.inventory.PlanAnew(ctx, tx, a, groups)
	})
}

// KeepAccounts does the periodic work on accounts: it renews periods that have ended, notifies owners whose checks run low,
// and pauses accounts that have not been used for pauseAfter; zero pauses none. Using a token of an account or of one of its
// subaccounts counts as use.
func (s *Service) KeepAccounts(ctx context.Context, pauseAfter time.Duration) error {
	now := s.clock.Now()
	ended, err := s.store.AccountsToRenew(ctx, now, vcd.AccountsAtOnce)
	if err != nil {
		return err
	}
	for _, id := range ended {
		if err := s.renew(ctx, vcd.Actor{Account: id}, now); err != nil {
			return err
		}
	}
	if err := s.runs.WatchChecks(ctx); err != nil || pauseAfter <= 0 {
		return err
	}
	return s.pauseUnused(ctx, now.Add(-pauseAfter))
}

func (s *Service) pauseUnused(ctx context.Context, since time.Time) error {
	unused, err := s.store.UnusedAccounts(ctx, since, vcd.AccountsAtOnce)
	if err != nil {
		return err
	}
	for _, id := range unused {
		if _, err := s.PauseAccount(ctx, id); err != nil && vcd.CodeOf(err) != vcd.CodeConflict { // cancelled meanwhile
			return err
		}
	}
	return nil
}

// renew begins a new period of a full account and its subaccounts, unless another process already has.
func (s *Service) renew(ctx context.Context, actor vcd.Actor, now time.Time) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		a, err := tx.Account(ctx)
		if err != nil || a.RenewalAt.After(now) {
			return err
		}
		began, err := tx.BeginPeriod(ctx, a.RenewalAt, nextRenewal(a.CreatedAt, now))
		if err != nil || !began {
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventAccountUpdated, vcd.SubjectAccount, a.ID))
	})
}

// nextRenewal is the first time after now that is a whole number of months after the account was opened. A month without that
// day uses its last day.
func nextRenewal(opened, now time.Time) time.Time {
	opened = opened.UTC()
	year, month, day := opened.Date()
	for months := max(1, (now.UTC().Year()-year)*12+int(now.UTC().Month()-month)); ; months++ {
		first := time.Date(year, month+time.Month(months), 1, opened.Hour(), opened.Minute(), opened.Second(),
			opened.Nanosecond(), time.UTC)
		last := first.AddDate(0, 1, -1).Day()
		if at := first.AddDate(0, 0, min(day, last)-1); at.After(now) {
			return at
		}
	}
}
