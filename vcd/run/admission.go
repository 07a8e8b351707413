package run

import (
	"context"

	"afterimage/vcd"
)

// mayRun refuses runs of an account that is paused or cancelled.
func mayRun(ctx context.Context, tx vcd.Tx) error {
	a, err := tx.Account(ctx)
	if err != nil {
		return err
	}
	return a.MayRun()
}
