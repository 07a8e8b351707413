package run

import (
	"context"

	"afterimage/vcd"
)

// summarizeBatch sets the summary of a batch that ends now. Without verifications there is no summary.
func summarizeBatch(ctx context.Context, tx Tx, b *vcd.Batch) error {
	totals, err := tx.VerificationTotals(ctx, b.ID)
	if err != nil || totals.Comparisons == 0 {
		return err
	}
	b.Summary = totals.Summary(b.Counts.Failed)
	return nil
}
