package run

import (
	"context"
)

// mayRun returns an error if the account is paused or cancelled.
func mayRun(ctx context.Context, tx Tx) error {
	a, err := tx.Account(ctx)
	if err != nil {
		return err
	}
	return a.MayRun()
}
