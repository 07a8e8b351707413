package vcd

import "context"

// Shares of the period's checks, in percent, of whose use the owner is told.
const (
	checksLow       = 80
	checksExhausted = 100
)

// watchChecks tells the owners of accounts that have used up most of their checks, or all of them.
func (s *Service) watchChecks(ctx context.Context) error {
	low, err := s.Store.AccountsLowOnChecks(ctx, accountsAtOnce)
	if err != nil {
		return err
	}
	for _, id := range low {
		err := s.Store.InTx(ctx, Actor{Account: id}, func(ctx context.Context, tx Tx) error {
			a, err := tx.LockAccount(ctx)
			if err != nil {
				return err
			}
			return s.tellChecks(ctx, tx, a, a.checksUsed())
		})
		if err != nil && CodeOf(err) != CodeNotFound { // deleted meanwhile
			return err
		}
	}
	return nil
}

// checksUsed is the largest share of the checks of which the owner is told that is used up; 0 for none.
func (a *Account) checksUsed() int {
	for _, percent := range []int{checksExhausted, checksLow} {
		if a.ChecksLimit > 0 && a.ChecksDone*100 >= a.ChecksLimit*percent {
			return percent
		}
	}
	return 0
}

// tellChecks appends the event that so much of the checks is used up, once a period. It writes the account, so that
// nothing may be locked after it.
func (s *Service) tellChecks(ctx context.Context, tx Tx, a *Account, percent int) error {
	first, err := tx.TellChecks(ctx, percent)
	if err != nil || !first {
		return err
	}
	kind := EventChecksLow
	if percent == checksExhausted {
		kind = EventChecksExhausted
	}
	return tx.AppendEvents(ctx, s.event(kind, SubjectAccount, a.ID))
}
