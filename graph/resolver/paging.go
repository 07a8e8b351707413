package resolver

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"golang.org/x/sync/errgroup"

	"afterimage/graph/view"
	"afterimage/vcd"
)

// pageOf reads the paging arguments of a list. The whole list is counted only when the client asks for the count.
func pageOf(ctx context.Context, first *int, after *string, last *int, before *string, page, perPage *int) (vcd.Page, error) {
	return vcd.PageArgs{
		First: first, Last: last, After: after, Before: before, Number: page, Size: perPage,
		Total: graphql.FieldRequested(ctx, "totalCount"),
	}.Page()
}

// ordered makes a page of a list in another order than newest first. Such a list has no cursors, only numbers.
func ordered(p vcd.Page) (vcd.Page, error) {
	if p.After != nil || p.Before != nil || p.Backward {
		return p, vcd.Invalid("orderBy", "prohibited", "The {field} field needs numbered pages (page and perPage).")
	}
	p.Number = max(p.Number, 1)
	return p, nil
}

// connection shows a page of a list, or hands the error of the look-up on.
func connection[S, T any](
	list *vcd.List[S], err error, show func(S) T, place func(S) vcd.Cursor,
) (*view.Connection[T], error) {
	if err != nil {
		return nil, err
	}
	c := view.NewConnection(list, show, place)
	return &c, nil
}

// Where things stand in their lists.
func placeOfGroup(g *vcd.Group) vcd.Cursor         { return vcd.Cursor{CreatedAt: g.CreatedAt, ID: g.ID} }
func placeOfURL(u *vcd.URL) vcd.Cursor             { return vcd.Cursor{CreatedAt: u.CreatedAt, ID: u.ID} }
func placeOfWebsite(w *vcd.Website) vcd.Cursor     { return vcd.Cursor{CreatedAt: w.CreatedAt, ID: w.ID} }
func placeOfSelection(s *vcd.Selection) vcd.Cursor { return placeOfURL(s.URL) }
func placeOfBatch(b *vcd.Batch) vcd.Cursor         { return vcd.Cursor{CreatedAt: b.CreatedAt, ID: b.ID} }
func placeOfQueueEntry(e *vcd.QueueEntry) vcd.Cursor {
	return vcd.Cursor{CreatedAt: e.CreatedAt, ID: e.ID}
}
func placeOfScreenshot(s *vcd.Screenshot) vcd.Cursor {
	return vcd.Cursor{CreatedAt: s.CreatedAt, ID: s.ID}
}
func placeOfComparison(c *vcd.Comparison) vcd.Cursor {
	return vcd.Cursor{CreatedAt: c.CreatedAt, ID: c.ID}
}

// forEach reads one list for each parent. One that fails does not keep the others from being shown.
func forEach[P, T any](ctx context.Context, parents []P, read func(context.Context, P) (T, error)) ([]T, error) {
	lists := make([]T, len(parents))
	failures := make(graphql.BatchErrorList, len(parents))
	var g errgroup.Group
	g.SetLimit(readsAtOnce) // more would only wait for each other
	for i, parent := range parents {
		g.Go(func() error {
			lists[i], failures[i] = read(ctx, parent)
			return nil
		})
	}
	_ = g.Wait() // failures keeps the errors by parent
	if len(failures.Unwrap()) > 0 {
		return lists, failures
	}
	return lists, nil
}
