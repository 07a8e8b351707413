package resolver

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/view"
	"afterimage/vcd"
)

// selections lists a group's URLs. The figures of the group are read only when the client asks for them.
func (r *Resolver) selections(
	ctx context.Context, f vcd.SelectionFilter, first *int, after *string, last *int, before *string, page, perPage *int,
) (*view.SelectionConnection, error) {
	p, err := pageOf(ctx, first, after, last, before, page, perPage)
	if err == nil && f.SelectedFirst {
		p, err = ordered(p)
	}
	if err != nil {
		return nil, err
	}
	list, err := r.Service.Selections(ctx, actor(ctx), f, p)
	if err != nil {
		return nil, err
	}
	figures, err := r.figures(ctx, f.GroupID)
	return &view.SelectionConnection{
		Connection: view.NewConnection(list, view.NewSelection, placeOfSelection), SelectionFigures: figures,
	}, err
}

// figures counts what is selected in a group, if the client asks for it.
func (r *Resolver) figures(ctx context.Context, group vcd.ID) (view.SelectionFigures, error) {
	if !graphql.AnyFieldRequested(ctx, "selectedUrlsCount", "selectedChecksCount") {
		return view.SelectionFigures{}, nil
	}
	g, err := loadGroup(ctx, group)
	if err != nil || g == nil {
		return view.SelectionFigures{}, err
	}
	return view.SelectionFigures{SelectedUrlsCount: g.SelectedURLsCount, SelectedChecksCount: g.SelectedChecks}, nil
}

// queueEntries lists queue entries. The whole list is counted by state only when the client asks for it.
func (r *Resolver) queueEntries(
	ctx context.Context, f vcd.QueueFilter, first *int, after *string, last *int, before *string, page, perPage *int,
) (*view.QueueEntryConnection, error) {
	p, err := pageOf(ctx, first, after, last, before, page, perPage)
	if err != nil {
		return nil, err
	}
	count := graphql.AnyFieldRequested(ctx, "statusCounts", "statusCountsByBatch")
	list, err := r.Service.QueueEntries(ctx, actor(ctx), f, p, count)
	if err != nil {
		return nil, err
	}
	return &view.QueueEntryConnection{
		Connection: view.NewConnection(list.List, r.showQueueEntry, placeOfQueueEntry), Figures: list.Figures,
	}, nil
}

// comparisons lists comparisons. Those above their threshold are counted only when the client asks for it.
func (r *Resolver) comparisons(
	ctx context.Context, f vcd.ComparisonFilter, first *int, after *string, last *int, before *string, page, perPage *int,
) (*view.ComparisonConnection, error) {
	p, err := pageOf(ctx, first, after, last, before, page, perPage)
	if err == nil && (f.Order != vcd.OrderCreatedAt || f.Ascending) {
		p, err = ordered(p)
	}
	if err != nil {
		return nil, err
	}
	count := graphql.FieldRequested(ctx, "aboveThresholdCount")
	list, err := r.Service.Comparisons(ctx, actor(ctx), f, p, count)
	if err != nil {
		return nil, err
	}
	return &view.ComparisonConnection{
		Connection:          view.NewConnection(list.List, r.showComparison, placeOfComparison),
		AboveThresholdCount: list.AboveThreshold,
	}, nil
}
