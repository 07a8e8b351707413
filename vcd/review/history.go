package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"afterimage/vcd"
)

// maxMerged is how far into the history of several groups a numbered page may lie.
const maxMerged = 1000

// OpenAlarmsOf counts the comparisons of each group or URL that are to be reviewed.
func (s *Service) OpenAlarmsOf(ctx context.Context, actor vcd.Actor, of vcd.Holder, ids []vcd.ID) (map[vcd.ID]int, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]int, error) {
		return tx.OpenAlarms(ctx, of, ids)
	})
}

// HistoriesOf lists the comparisons of each group or URL, newest first. One without comparisons has an empty list.
func (s *Service) HistoriesOf(
	ctx context.Context, actor vcd.Actor, of vcd.Holder, ids []vcd.ID, f vcd.ComparisonFilter, p vcd.Page, count bool,
) (map[vcd.ID]*vcd.ComparisonList, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]*vcd.ComparisonList, error) {
		return tx.Histories(ctx, of, ids, f, p, count)
	})
}

// HistoriesOfSites lists the comparisons of several sites, newest first. A site is given by its groups.
func (s *Service) HistoriesOfSites(
	ctx context.Context, actor vcd.Actor, sites map[vcd.ID][]vcd.ID, f vcd.ComparisonFilter, p vcd.Page, count bool,
) (map[vcd.ID]*vcd.ComparisonList, error) {
	each := p
	if p.Number > 0 { // where a page of the merged list begins is known only after merging
		if p.Number*p.Size > maxMerged {
			const message = "The {field} field must lie within the first %d items; use cursors to go further."
			return nil, vcd.Invalid("page", "max", fmt.Sprintf(message, maxMerged))
		}
		each.Number, each.Size = 1, p.Number*p.Size
	}
	var groups []vcd.ID
	for _, of := range sites {
		groups = append(groups, of...)
	}
	lists, err := s.HistoriesOf(ctx, actor, vcd.HolderGroup, groups, f, each, count)
	if err != nil {
		return nil, err
	}
	merged := make(map[vcd.ID]*vcd.ComparisonList, len(sites))
	for site, of := range sites {
		parts := make([]*vcd.ComparisonList, len(of))
		for i, group := range of {
			parts[i] = lists[group]
		}
		merged[site] = mergeHistories(parts, p)
	}
	return merged, nil
}

// mergeHistories makes a page of one list out of pages of its parts, each of which is long enough.
func mergeHistories(parts []*vcd.ComparisonList, p vcd.Page) *vcd.ComparisonList {
	out := &vcd.ComparisonList{List: &vcd.List[*vcd.Comparison]{}}
	before, after := false, false // whether there is more
	for _, part := range parts {
		out.Items = append(out.Items, part.Items...)
		out.Total += part.Total
		out.AboveThreshold += part.AboveThreshold
		before, after = before || part.HasPrevPage, after || part.HasNextPage
	}
	slices.SortFunc(out.Items, func(a, b *vcd.Comparison) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	from, to := max(0, p.Number-1)*p.Size, max(1, p.Number)*p.Size
	if p.Backward && p.Number == 0 {
		to = len(out.Items)
		from = max(0, to-p.Size)
	}
	from, to = min(from, len(out.Items)), min(to, len(out.Items))
	out.HasPrevPage, out.HasNextPage = before || from > 0 || p.Number > 1, after || to < len(out.Items)
	out.Items = out.Items[from:to]
	return out
}
