package run

import (
	"context"

	"afterimage/vcd"
)

// mayRun returns an error if the account is paused or cancelled.
func mayRun(ctx context.Context, tx vcd.Tx) error {
	a, err := tx.Account(ctx)
	if err != nil {
		return err
	}
	return a.MayRun()
}
