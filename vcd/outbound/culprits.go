package outbound

import (
	"context"

	"afterimage/vcd"
)

// culpritsOfBatch tells which updates most likely caused what changed in one batch; nil without results of an update.
func culpritsOfBatch(ctx context.Context, tx vcd.Tx, b *vcd.Batch) ([]*vcd.Culprit, error) {
	if b.UpdateResults == nil {
		return nil, nil
	}
	pages, err := tx.TracedPagesOfBatches(ctx, []vcd.ID{b.ID}, vcd.MaxTracedPages)
	if err != nil {
		return nil, err
	}
	return vcd.RankCulprits(b.UpdateResults, pages[b.ID]), nil
}
