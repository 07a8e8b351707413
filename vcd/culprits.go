package vcd

import "context"

// TraceStore keeps what changed of pages that leads to what was updated. Comparisons are stored with theirs.
type TraceStore interface {
	// TracedPagesOfBatches reads the comparisons of each batch, at most so many: those that changed come first.
	TracedPagesOfBatches(ctx context.Context, batches []ID, most int) (map[ID][]*TracedPage, error)
	TracedPages(ctx context.Context, comparisons []ID) ([]*TracedPage, error)
	// UpdateResultsOf reads those of the batches that have some.
	UpdateResultsOf(ctx context.Context, batches []ID) (map[ID]*UpdateResults, error)
}

// CulpritsOf tells which updates most likely caused what changed in batches. A batch without results of an update, which are
// looked for in the batch as it is given, is left out.
func (s *Service) CulpritsOf(ctx context.Context, actor Actor, batches []*Batch) (map[ID][]*Culprit, error) {
	var updated []ID
	for _, b := range batches {
		if b.UpdateResults != nil {
			updated = append(updated, b.ID)
		}
	}
	if len(updated) == 0 {
		return nil, nil
	}
	pages, err := read(ctx, s, actor, func(ctx context.Context, tx Tx) (map[ID][]*TracedPage, error) {
		return tx.TracedPagesOfBatches(ctx, updated, max(1, min(maxTracedPages, maxTracedAtOnce/len(updated))))
	})
	if err != nil {
		return nil, err
	}
	culprits := make(map[ID][]*Culprit, len(updated))
	for _, b := range batches {
		if b.UpdateResults != nil {
			culprits[b.ID] = RankCulprits(b.UpdateResults, pages[b.ID])
		}
	}
	return culprits, nil
}

// culpritsOfBatch tells which updates most likely caused what changed in one batch; nil without results of an update.
func culpritsOfBatch(ctx context.Context, tx Tx, b *Batch) ([]*Culprit, error) {
	if b.UpdateResults == nil {
		return nil, nil
	}
	pages, err := tx.TracedPagesOfBatches(ctx, []ID{b.ID}, maxTracedPages)
	if err != nil {
		return nil, err
	}
	return RankCulprits(b.UpdateResults, pages[b.ID]), nil
}

// CulpritsOfComparisons tells which updates most likely caused what one comparison shows, for each that belongs to a batch
// with results of an update.
func (s *Service) CulpritsOfComparisons(ctx context.Context, actor Actor, comparisons []*Comparison) (map[ID][]*Culprit, error) {
	batches := make(map[ID]bool)
	for _, c := range comparisons {
		batches[c.BatchID] = true
	}
	culprits := make(map[ID][]*Culprit)
	err := s.Store.Read(ctx, actor, func(ctx context.Context, tx Tx) error {
		var ids []ID
		for id := range batches {
			ids = append(ids, id)
		}
		results, err := tx.UpdateResultsOf(ctx, ids)
		if err != nil || len(results) == 0 {
			return err
		}
		ids = nil
		for _, c := range comparisons {
			if results[c.BatchID] != nil {
				ids = append(ids, c.ID)
			}
		}
		pages, err := tx.TracedPages(ctx, ids)
		for _, p := range pages {
			culprits[p.ComparisonID] = RankCulprits(results[p.BatchID], []*TracedPage{p})
		}
		return err
	})
	return culprits, err
}
