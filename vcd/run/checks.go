package run

import (
	"context"

	"afterimage/vcd"
)

// WatchChecks notifies the owners of accounts that have used up most or all of their checks.
func (s *Service) WatchChecks(ctx context.Context) error {
	low, err := s.store.AccountsLowOnChecks(ctx, vcd.AccountsAtOnce)
	if err != nil {
		return err
	}
	for _, id := range low {
		err := s.store.InTx(ctx, vcd.Actor{Account: id}, func(ctx context.Context, tx Tx) error {
			a, err := tx.LockAccount(ctx)
			if err != nil {
				return err
			}
			return s.tellChecks(ctx, tx, a, a.ChecksUsed())
		})
		if err != nil && vcd.CodeOf(err) != vcd.CodeNotFound { // deleted meanwhile
			return err
		}
	}
	return nil
}

// tellChecks appends the event that this percentage of the checks is used up, once per period. It writes the account, so
// nothing may be locked after it.
func (s *Service) tellChecks(ctx context.Context, tx Tx, a *vcd.Account, percent int) error {
	first, err := tx.TellChecks(ctx, percent)
	if err != nil || !first {
		return err
	}
	kind := vcd.EventChecksLow
	if percent == vcd.ChecksExhausted {
		kind = vcd.EventChecksExhausted
	}
	return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), kind, vcd.SubjectAccount, a.ID))
}
