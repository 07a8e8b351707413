package outbound

import (
	"context"

	"afterimage/vcd"
	"afterimage/vcd/culprit"
)

// culpritsOfBatch returns the updates that most likely caused the changes in one batch; nil without update results.
func culpritsOfBatch(ctx context.Context, tx tracedPages, b *vcd.Batch) ([]*culprit.Culprit, error) {
	if b.UpdateResults == nil {
		return nil, nil
	}
	pages, err := tx.TracedPagesOfBatches(ctx, []vcd.ID{b.ID}, culprit.MaxTracedPages)
	if err != nil {
		return nil, err
	}
	return culprit.Rank(b.UpdateResults, pages[b.ID]), nil
}
