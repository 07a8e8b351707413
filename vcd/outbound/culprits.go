package outbound

import (
	"context"

	"afterimage/vcd"
	"afterimage/vcd/culprit"
)

// culpritsOfBatch tells which updates most likely caused what changed in one batch; nil without results of an update.
func culpritsOfBatch(ctx context.Context, tx vcd.Tx, b *vcd.Batch) ([]*culprit.Culprit, error) {
	if b.UpdateResults == nil {
		return nil, nil
	}
	pages, err := tx.TracedPagesOfBatches(ctx, []vcd.ID{b.ID}, culprit.MaxTracedPages)
	if err != nil {
		return nil, err
	}
	return culprit.Rank(b.UpdateResults, pages[b.ID]), nil
}
