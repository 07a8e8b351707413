package resolver

import (
	"context"

	"afterimage/graph/view"
	"afterimage/vcd"
)

// comparison finds a comparison by its id or by its token. Callers that hold either give it as the token.
func (r *Resolver) comparison(ctx context.Context, id, token *string) (*view.Comparison, error) {
	switch {
	case (id == nil) == (token == nil):
		return nil, vcd.Invalid("id", "required", "Exactly one of {field} and token must be given.")
	case id == nil:
		if _, isID := vcd.ParseID(*token); !isID {
			return r.comparisonByToken(ctx, *token)
		}
		id = token
	}
	return find(ctx, kindComparison, *id, r.Service.Comparison, r.showComparison)
}

func (r *Resolver) comparisonByToken(ctx context.Context, token string) (*view.Comparison, error) {
	found, err := r.Service.ComparisonByToken(ctx, actor(ctx), token)
	if err != nil {
		return nil, err
	}
	return r.showComparison(found), nil
}

// node finds anything by its id. An id does not tell what it names, so the kinds are asked one after the other.
func (r *Resolver) node(ctx context.Context, raw string) (view.Node, error) {
	id, ok := vcd.ParseID(raw)
	if !ok {
		return nil, nil
	}
	who := actor(ctx)
	if id == who.Account {
		return nodeOf(r.Query().Account(ctx))
	}
	kinds := []func() (view.Node, error){
		func() (view.Node, error) { return nodeOf(find(ctx, kindGroup, raw, r.Service.Group, view.NewGroup)) },
		func() (view.Node, error) { return nodeOf(find(ctx, kindURL, raw, r.Service.URL, view.NewURL)) },
		func() (view.Node, error) {
			return nodeOf(find(ctx, kindWebsite, raw, r.Service.Website, view.NewWebsite))
		},
		func() (view.Node, error) { return nodeOf(find(ctx, kindBatch, raw, r.Service.Batch, view.NewBatch)) },
		func() (view.Node, error) {
			return nodeOf(find(ctx, kindQueueEntry, raw, r.Service.QueueEntry, r.showQueueEntry))
		},
		func() (view.Node, error) {
			return nodeOf(find(ctx, kindScreenshot, raw, r.Service.Screenshot, r.showScreenshot))
		},
		func() (view.Node, error) {
			return nodeOf(find(ctx, kindComparison, raw, r.Service.Comparison, r.showComparison))
		},
	}
	for _, lookUp := range kinds {
		found, err := lookUp()
		if found != nil || err != nil && vcd.CodeOf(err) != vcd.CodeNotFound {
			return found, err
		}
	}
	return nil, nil
}

// subject finds what an event is about.
func (r *Resolver) subject(ctx context.Context, e *view.Event) (view.Node, error) {
	switch e.SubjectType {
	case vcd.SubjectAccount:
		return nodeOf(r.Query().Account(ctx))
	case vcd.SubjectGroup:
		return nodeOf(loadGroup(ctx, e.SubjectID))
	case vcd.SubjectURL:
		return nodeOf(loadURL(ctx, e.SubjectID))
	case vcd.SubjectWebsite:
		return nodeOf(loadWebsite(ctx, e.SubjectID))
	case vcd.SubjectBatch:
		return nodeOf(loadBatch(ctx, e.SubjectID))
	case vcd.SubjectQueueEntry:
		return nodeOf(r.loadQueueEntry(ctx, e.SubjectID))
	case vcd.SubjectComparison:
		return nodeOf(r.loadComparison(ctx, e.SubjectID))
	}
	return nil, nil
}

// nodeOf makes nothing out of a nil pointer, which as an interface would be something.
func nodeOf[T any, P interface {
	*T
	view.Node
}](found P, err error) (view.Node, error) {
	if found == nil || err != nil {
		return nil, err
	}
	return found, nil
}
