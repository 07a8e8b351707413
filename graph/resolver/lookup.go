package resolver

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

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
	return find(ctx, kindComparison, *id, r.Service.Reviews.Comparison, r.showComparison)
}

func (r *Resolver) comparisonByToken(ctx context.Context, token string) (*view.Comparison, error) {
	found, err := r.Service.Reviews.ComparisonByToken(ctx, actor(ctx), token)
	if err != nil {
		return nil, err
	}
	return r.showComparison(found), nil
}

// maxNodes is how many things may be looked up by their ids alone at once.
const maxNodes = 100

// node finds anything by its id.
func (r *Resolver) node(ctx context.Context, raw string) (view.Node, error) {
	id, err := parseID(kindNode, raw)
	if err != nil {
		return nil, err
	}
	found, err := r.optionalNode(ctx, id)
	if found == nil && err == nil {
		err = vcd.NotFound(kindNode, id)
	}
	return found, err
}

// optionalNode is nil when nothing has the id any more.
func (r *Resolver) optionalNode(ctx context.Context, id vcd.ID) (view.Node, error) {
	found, err := r.nodes(ctx, []string{string(id)})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// nodes finds several things by their ids; nil in the place of an id that nothing has. An id does not tell what it names,
// so that is asked first, for all of them at once.
func (r *Resolver) nodes(ctx context.Context, raw []string) ([]view.Node, error) {
	if len(raw) > maxNodes {
		return nil, vcd.Invalid("ids", "max", fmt.Sprintf("The {field} field must not have more than %d items.", maxNodes))
	}
	ids, places := make([]vcd.ID, 0, len(raw)), make(map[int]vcd.ID, len(raw))
	for i, text := range raw {
		if id, ok := vcd.ParseID(text); ok {
			ids, places[i] = append(ids, id), id
		}
	}
	nodes := make([]view.Node, len(raw))
	if len(ids) == 0 {
		return nodes, nil
	}
	kinds, err := r.Service.Inventory.NodeKinds(ctx, actor(ctx), ids)
	if err != nil {
		return nil, err
	}
	var g errgroup.Group
	for i, id := range places {
		g.Go(func() (err error) {
			nodes[i], err = r.nodeOfKind(ctx, kinds[id], id)
			return err
		})
	}
	return nodes, g.Wait()
}

func (r *Resolver) nodeOfKind(ctx context.Context, kind vcd.NodeKind, id vcd.ID) (view.Node, error) {
	by := loadersIn(ctx)
	switch kind {
	case vcd.NodeSubaccount:
		return nodeOf(r.Query().Subaccount(ctx, string(id)))
	case vcd.NodeGroup:
		return nodeOf(by.groups.load(ctx, id))
	case vcd.NodeURL:
		return nodeOf(by.urls.load(ctx, id))
	case vcd.NodeWebsite:
		return nodeOf(by.websites.load(ctx, id))
	case vcd.NodeFeedbackRule:
		return nodeOf(by.rules.load(ctx, id))
	case vcd.NodeWebhook:
		return nodeOf(by.webhooks.load(ctx, id))
	case vcd.NodeMail:
		return nodeOf(by.mails.load(ctx, id))
	case vcd.NodeDelivery:
		return nodeOf(by.deliveries.load(ctx, id))
	case vcd.NodeURLImport:
		return nodeOf(by.imports.load(ctx, id))
	case vcd.NodeBatch:
		return nodeOf(by.batches.load(ctx, id))
	case vcd.NodeQueueEntry:
		return nodeOf(by.entries.load(ctx, id))
	case vcd.NodeScreenshot:
		return nodeOf(by.screenshots.load(ctx, id))
	case vcd.NodeComparison:
		return nodeOf(by.comparisons.load(ctx, id))
	}
	if id == actor(ctx).Account {
		return nodeOf(r.Query().Account(ctx))
	}
	return nil, nil
}

// subject finds what an event is about.
func (r *Resolver) subject(ctx context.Context, e *view.Event) (view.Node, error) {
	by := loadersIn(ctx)
	switch e.SubjectType {
	case vcd.SubjectAccount:
		return nodeOf(r.Query().Account(ctx))
	case vcd.SubjectGroup:
		return nodeOf(by.groups.load(ctx, e.SubjectID))
	case vcd.SubjectURL:
		return nodeOf(by.urls.load(ctx, e.SubjectID))
	case vcd.SubjectWebsite:
		return nodeOf(by.websites.load(ctx, e.SubjectID))
	case vcd.SubjectFeedbackRule:
		return nodeOf(by.rules.load(ctx, e.SubjectID))
	case vcd.SubjectWebhook:
		return nodeOf(by.webhooks.load(ctx, e.SubjectID))
	case vcd.SubjectURLImport:
		return nodeOf(by.imports.load(ctx, e.SubjectID))
	case vcd.SubjectBatch:
		return nodeOf(by.batches.load(ctx, e.SubjectID))
	case vcd.SubjectQueueEntry:
		return nodeOf(by.entries.load(ctx, e.SubjectID))
	case vcd.SubjectComparison:
		return nodeOf(by.comparisons.load(ctx, e.SubjectID))
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
