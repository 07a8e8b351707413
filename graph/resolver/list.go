package resolver

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/view"
	"afterimage/vcd"
)

// selections lists a group's URLs.
func (r *Resolver) selections(
	ctx context.Context, f vcd.SelectionFilter, args vcd.PageArgs,
) (*view.SelectionConnection, error) {
	p, err := sorted(args, f.Sort)
	if err != nil {
		return nil, err
	}
	list, err := r.Service.Inventory.Selections(ctx, actor(ctx), f, p)
	if err != nil {
		return nil, err
	}
	return &view.SelectionConnection{
		Connection:       view.NewConnection(list.List, view.NewSelection, placeOfSelection),
		SelectionFigures: view.NewSelectionFigures(list.Figures),
	}, nil
}

// figures counts what is selected in a group, if the client asks for it.
func (r *Resolver) figures(ctx context.Context, group vcd.ID) (view.SelectionFigures, error) {
	if !graphql.AnyFieldRequested(ctx, "selectedUrlsCount", "selectedChecksCount") {
		return view.SelectionFigures{}, nil
	}
	g, err := loadersIn(ctx).groups.load(ctx, group)
	if err != nil || g == nil {
		return view.SelectionFigures{}, err
	}
	return view.SelectionFigures{SelectedUrlsCount: g.SelectedURLsCount, SelectedChecksCount: g.SelectedChecks}, nil
}

// selectionsOfGroups lists the URLs of several groups, which know their own figures.
func (r *Resolver) selectionsOfGroups(
	ctx context.Context, groups []*view.Group, f vcd.SelectionFilter, args vcd.PageArgs,
) ([]*view.SelectionConnection, error) {
	p, err := sorted(args, f.Sort)
	if err != nil {
		return nil, err
	}
	lists, err := r.Service.Inventory.SelectionsOfGroups(ctx, actor(ctx), idsOfGroups(groups), f, p)
	return forEach(groups, err, func(g *view.Group) *view.SelectionConnection {
		return &view.SelectionConnection{
			Connection: view.NewConnection(lists[g.ID], view.NewSelection, placeOfSelection),
			SelectionFigures: view.SelectionFigures{
				SelectedUrlsCount: g.SelectedURLsCount, SelectedChecksCount: g.SelectedChecks,
			},
		}
	})
}

// entryFigures reports whether the client asks for the counts of a list of queue entries.
func entryFigures(ctx context.Context) bool {
	return graphql.AnyFieldRequested(ctx, "statusCounts", "statusCountsByBatch", "anyStatusCount")
}

// queueEntries lists queue entries. The whole list is counted by state only when the client asks for it.
func (r *Resolver) queueEntries(
	ctx context.Context, f vcd.QueueFilter, args vcd.PageArgs,
) (*view.QueueEntryConnection, error) {
	p, err := args.Page()
	if err != nil {
		return nil, err
	}
	list, err := r.Service.Runs.QueueEntries(ctx, actor(ctx), f, p, entryFigures(ctx))
	if err != nil {
		return nil, err
	}
	return r.showQueueEntries(list), nil
}

// queueEntriesOfBatches lists the queue entries of several batches.
func (r *Resolver) queueEntriesOfBatches(
	ctx context.Context, batches []*view.Batch, f vcd.QueueFilter, args vcd.PageArgs,
) ([]*view.QueueEntryConnection, error) {
	p, err := args.Page()
	if err != nil {
		return nil, err
	}
	lists, err := r.Service.Runs.QueueEntriesOfBatches(ctx, actor(ctx), idsOfBatches(batches), f, p, entryFigures(ctx))
	return forEach(batches, err, func(b *view.Batch) *view.QueueEntryConnection { return r.showQueueEntries(lists[b.ID]) })
}

func (r *Resolver) showQueueEntries(list *vcd.QueueList) *view.QueueEntryConnection {
	return &view.QueueEntryConnection{
		Connection: view.NewConnection(list.List, r.showQueueEntry, placeOfQueueEntry), Figures: list.Figures,
	}
}

// pageOfComparisons reads the paging arguments of a list of comparisons, which may have another order.
func pageOfComparisons(f vcd.ComparisonFilter, args vcd.PageArgs) (vcd.Page, error) {
	p, err := args.Page()
	if err == nil && (f.Order != vcd.OrderCreatedAt || f.Ascending) {
		p, err = ordered(p)
	}
	return p, err
}

// comparisons lists comparisons. Those above their threshold are counted only when the client asks for it.
func (r *Resolver) comparisons(
	ctx context.Context, f vcd.ComparisonFilter, args vcd.PageArgs,
) (*view.ComparisonConnection, error) {
	p, err := pageOfComparisons(f, args)
	if err != nil {
		return nil, err
	}
	list, err := r.Service.Reviews.Comparisons(ctx, actor(ctx), f, p, graphql.FieldRequested(ctx, "aboveThresholdCount"))
	if err != nil {
		return nil, err
	}
	return r.showComparisons(list), nil
}

// comparisonsOfBatches lists the comparisons of several batches.
func (r *Resolver) comparisonsOfBatches(
	ctx context.Context, batches []*view.Batch, f vcd.ComparisonFilter, args vcd.PageArgs,
) ([]*view.ComparisonConnection, error) {
	p, err := pageOfComparisons(f, args)
	if err != nil {
		return nil, err
	}
	count := graphql.FieldRequested(ctx, "aboveThresholdCount")
	lists, err := r.Service.Reviews.ComparisonsOfBatches(ctx, actor(ctx), idsOfBatches(batches), f, p, count)
	return forEach(batches, err, func(b *view.Batch) *view.ComparisonConnection { return r.showComparisons(lists[b.ID]) })
}

// changesOfBatches lists the changes of several batches.
func (r *Resolver) changesOfBatches(
	ctx context.Context, batches []*view.Batch, f vcd.ChangeFilter, args vcd.PageArgs,
) ([]*view.BatchChangeConnection, error) {
	p, err := args.Page()
	if err == nil && f.Order == vcd.OrderComparisons {
		p, err = ordered(p)
	}
	if err != nil {
		return nil, err
	}
	lists, err := r.Service.Reviews.ChangesOfBatches(ctx, actor(ctx), idsOfBatches(batches), f, p)
	return forEach(batches, err, func(b *view.Batch) *view.BatchChangeConnection {
		c := view.NewConnection(lists[b.ID], view.NewBatchChange, placeOfBatchChange)
		return &c
	})
}

func (r *Resolver) showComparisons(list *vcd.ComparisonList) *view.ComparisonConnection {
	return &view.ComparisonConnection{
		Connection:          view.NewConnection(list.List, r.showComparison, placeOfComparison),
		AboveThresholdCount: list.AboveThreshold,
	}
}

// attemptsShown is how many attempts at a delivery are shown: its first start and several more.
const attemptsShown = 50

func deliveryPayload(d *vcd.Delivery, err error) (*view.DeliveryPayload, error) {
	if err != nil {
		return nil, err
	}
	return &view.DeliveryPayload{Delivery: view.NewDelivery(d)}, nil
}
