package account

import (
	"context"

	"afterimage/vcd"
)

// spendSubaccount spends the account's allowance for opening one subaccount.
func (s *Service) spendSubaccount(ctx context.Context, owner *vcd.Account) error {
	most := s.frequencies.Subaccounts
	if most == 0 {
		return nil
	}
	return s.store.InTx(ctx, vcd.Actor{Account: owner.ID}, func(ctx context.Context, tx Tx) error {
		wait, err := tx.Spend(ctx, s.clock.Now(), vcd.Allowance{Key: "subaccounts of " + string(owner.ID), Size: most})
		if err != nil || wait == 0 {
			return err
		}
		return vcd.RateLimited("An account can create up to "+vcd.Plural(most, "subaccount")+" per hour.", wait)
	})
}
