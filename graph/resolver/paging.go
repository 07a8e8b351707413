package resolver

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/view"
	"afterimage/vcd"
)

// mostURLsOfREST is the largest page of a group's URLs in REST, whose clients read one page only.
const mostURLsOfREST = 1000

// pageArgs gathers the paging arguments of a list. The whole list is counted only when the client asks for the count.
func pageArgs(ctx context.Context, first *int, after *string, last *int, before *string, page, perPage *int) vcd.PageArgs {
	return vcd.PageArgs{
		First: first, Last: last, After: after, Before: before, Number: page, Size: perPage,
		Total: graphql.FieldRequested(ctx, "totalCount"), List: view.NameOfList(graphql.GetFieldContext(ctx)),
	}
}

// ordered makes a page of a list in another order than newest first. Such a list has no cursors, only numbers.
func ordered(p vcd.Page) (vcd.Page, error) {
	if p.After != nil || p.Before != nil || p.Backward {
		return p, vcd.Invalid("orderBy", "prohibited", "The {field} field needs numbered pages (page and perPage).")
	}
	p.Number = max(p.Number, 1)
	return p, nil
}

// sorted reads the paging arguments of a list that can be sorted.
func sorted(args vcd.PageArgs, by vcd.Sort) (vcd.Page, error) {
	p, err := args.Page()
	if err == nil && by.By != "" {
		p, err = ordered(p)
	}
	return p, err
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

func same[T any](v T) T { return v }

// Where things stand in their lists.
func placeOfAccount(a *vcd.Account) vcd.Cursor { return vcd.Cursor{CreatedAt: a.CreatedAt, ID: a.ID} }
func placeOfToken(t *vcd.Token) vcd.Cursor     { return vcd.Cursor{CreatedAt: t.CreatedAt, ID: t.ID} }
func placeOfUser(u *vcd.User) vcd.Cursor       { return vcd.Cursor{CreatedAt: u.CreatedAt, ID: u.ID} }
func placeOfInvitation(i *vcd.Invitation) vcd.Cursor {
	return vcd.Cursor{CreatedAt: i.CreatedAt, ID: i.ID}
}
func placeOfAuditEntry(e *vcd.AuditEntry) vcd.Cursor {
	return vcd.Cursor{CreatedAt: e.CreatedAt, ID: e.ID}
}
func placeOfGroup(g *vcd.Group) vcd.Cursor { return vcd.Cursor{CreatedAt: g.CreatedAt, ID: g.ID} }
func placeOfURL(u *vcd.URL) vcd.Cursor     { return vcd.Cursor{CreatedAt: u.CreatedAt, ID: u.ID} }
func placeOfURLImport(i *vcd.URLImport) vcd.Cursor {
	return vcd.Cursor{CreatedAt: i.CreatedAt, ID: i.ID}
}
func placeOfFlow(f *vcd.Flow) vcd.Cursor       { return vcd.Cursor{CreatedAt: f.CreatedAt, ID: f.ID} }
func placeOfFlowRun(r *vcd.FlowRun) vcd.Cursor { return vcd.Cursor{CreatedAt: r.CreatedAt, ID: r.ID} }
func placeOfWebsite(w *vcd.Website) vcd.Cursor { return vcd.Cursor{CreatedAt: w.CreatedAt, ID: w.ID} }
func placeOfBatchChange(c *vcd.BatchChange) vcd.Cursor {
	return vcd.Cursor{CreatedAt: c.CreatedAt, ID: c.ID}
}

func placeOfFeedbackRule(r *vcd.FeedbackRule) vcd.Cursor {
	return vcd.Cursor{CreatedAt: r.CreatedAt, ID: r.ID}
}
func placeOfWebhook(w *vcd.Webhook) vcd.Cursor     { return vcd.Cursor{CreatedAt: w.CreatedAt, ID: w.ID} }
func placeOfDelivery(d *vcd.Delivery) vcd.Cursor   { return vcd.Cursor{CreatedAt: d.CreatedAt, ID: d.ID} }
func placeOfMail(m *vcd.Mail) vcd.Cursor           { return vcd.Cursor{CreatedAt: m.CreatedAt, ID: m.ID} }
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

// forEach shows the list of each parent, or hands the error of the look-up on.
func forEach[P, T any](parents []P, err error, show func(P) T) ([]T, error) {
	if err != nil {
		return nil, err
	}
	lists := make([]T, len(parents))
	for i, parent := range parents {
		lists[i] = show(parent)
	}
	return lists, nil
}

func idsOfBatches(batches []*view.Batch) []vcd.ID {
	ids := make([]vcd.ID, len(batches))
	for i, b := range batches {
		ids[i] = b.ID
	}
	return ids
}

func batchesShown(shown []*view.Batch) []*vcd.Batch {
	batches := make([]*vcd.Batch, len(shown))
	for i, b := range shown {
		batches[i] = b.Batch
	}
	return batches
}

func comparisonsShown(shown []*view.Comparison) []*vcd.Comparison {
	comparisons := make([]*vcd.Comparison, len(shown))
	for i, c := range shown {
		comparisons[i] = c.Comparison
	}
	return comparisons
}

func idsOfComparisons(shown []*view.Comparison) []vcd.ID {
	ids := make([]vcd.ID, len(shown))
	for i, c := range shown {
		ids[i] = c.ID
	}
	return ids
}

func idsOfGroups(groups []*view.Group) []vcd.ID {
	ids := make([]vcd.ID, len(groups))
	for i, g := range groups {
		ids[i] = g.ID
	}
	return ids
}
