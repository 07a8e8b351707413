// Package resolver resolves the fields of the schema. A resolver decodes its arguments, calls one use case on behalf of the
// viewer and returns the result; rules and permissions belong to the domain.
package resolver

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/input"
	"afterimage/graph/view"
	"afterimage/vcd"
	"afterimage/vcd/app"
)

// Resolver holds what all resolvers need.
type Resolver struct {
	Service *app.Service
	Links   view.Links
}

type actorKey struct{}

// WithActor makes actor the one on whose behalf an operation runs.
func WithActor(ctx context.Context, actor vcd.Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, actor)
}

// ActorOf is on whose behalf an operation runs. Without an actor nothing may run.
func ActorOf(ctx context.Context) (vcd.Actor, bool) {
	actor, ok := ctx.Value(actorKey{}).(vcd.Actor)
	return actor, ok
}

// WithChange makes the root field of a mutation the change that its actor makes.
func (r *Resolver) WithChange(ctx context.Context) context.Context {
	who, ok := ActorOf(ctx)
	field := graphql.GetRootFieldContext(ctx)
	if !ok || field == nil {
		return ctx
	}
	who.Change = r.Service.Accounts.NewChange(field.Field.Name)
	return WithActor(ctx, who)
}

// actor is the actor of an operation that was let in, which always has one. The zero actor owns nothing.
func actor(ctx context.Context) vcd.Actor {
	who, _ := ActorOf(ctx)
	return who
}

// The kinds of things, as answers about unknown ids name them.
const (
	kindNode         = "Node"
	kindSubaccount   = "Subaccount"
	kindToken        = "Token"
	kindUser         = "User"
	kindInvitation   = "Invitation"
	kindSession      = "Session"
	kindPasskey      = "Passkey"
	kindGroup        = "Group"
	kindURL          = "Url"
	kindWebsite      = "Website"
	kindFlow         = "Flow"
	kindFlowRun      = "FlowRun"
	kindFlowTrial    = "FlowTrial"
	kindFeedbackRule = "AiFeedbackRule"
	kindWebhook      = "Webhook"
	kindDelivery     = "Delivery"
	kindURLImport    = "UrlImport"
	kindMail         = "Mail"
	kindBatch        = "Batch"
	kindQueueEntry   = "Queue"
	kindScreenshot   = "Screenshot"
	kindComparison   = "Comparison"
	kindReview       = "Review"
	kindComment      = "Comment"
)

// standardVerdictLimit is how many comparisons a verdict by a filter may concern unless the client says otherwise.
var standardVerdictLimit = vcd.DefaultVerdictLimit

// Under names that arguments called "input" do not hide.
var (
	newSubaccount   = input.NewSubaccount
	newToken        = input.NewToken
	newFeedbackRule = input.NewFeedbackRule
)

// longestID bounds how much of a malformed id is repeated to the client.
const longestID = 64

// parseID reads the id of one thing. What is no id is not found, like an unknown one.
func parseID(kind, raw string) (vcd.ID, error) {
	id, ok := vcd.ParseID(raw)
	if !ok {
		return "", vcd.NotFound(kind, vcd.ID(raw[:min(len(raw), longestID)]))
	}
	return id, nil
}

// optionalID reads the id of one thing that need not be given.
func optionalID(kind string, raw *string) (*vcd.ID, error) {
	if raw == nil {
		return nil, nil
	}
	id, err := parseID(kind, *raw)
	return &id, err
}

// tokenIDs reads the id of a token and that of the subaccount to which it may belong.
func tokenIDs(token string, subaccount *string) (vcd.ID, *vcd.ID, error) {
	id, err := parseID(kindToken, token)
	if err != nil {
		return "", nil, err
	}
	below, err := optionalID(kindSubaccount, subaccount)
	return id, below, err
}

// find reads an id, looks the thing up and shows it. A thing that is not there is nothing, rather than a view of it.
func find[S, T any](
	ctx context.Context, kind, raw string,
	lookUp func(context.Context, vcd.Actor, vcd.ID) (*S, error), show func(*S) *T,
) (*T, error) {
	id, err := parseID(kind, raw)
	if err != nil {
		return nil, err
	}
	found, err := lookUp(ctx, actor(ctx), id)
	if err != nil {
		return nil, err
	}
	return show(found), nil
}

func (r *Resolver) showInvitation(i *vcd.Invitation) *view.Invitation {
	return view.NewInvitation(i, r.Service.Config().Clock.Now())
}

func (r *Resolver) invitationPayload(i *vcd.Invitation, err error) (*view.InvitationPayload, error) {
	if err != nil {
		return nil, err
	}
	return &view.InvitationPayload{Invitation: r.showInvitation(i)}, nil
}

func importPayload(i *vcd.URLImport, err error) (*view.URLImportPayload, error) {
	if err != nil {
		return nil, err
	}
	return &view.URLImportPayload{URLImport: view.NewURLImport(i)}, nil
}

func (r *Resolver) showQueueEntry(e *vcd.QueueEntry) *view.QueueEntry {
	return view.NewQueueEntry(e, r.Links)
}

func (r *Resolver) showFlowRun(f *vcd.FlowRun) *view.FlowRun { return view.NewFlowRun(f, r.Links) }

func (r *Resolver) showFlowTrial(t *vcd.FlowTrial) *view.FlowTrial {
	return view.NewFlowTrial(t, r.Links)
}

func (r *Resolver) showScreenshot(s *vcd.Screenshot) *view.Screenshot {
	return view.NewScreenshot(s, r.Links)
}

func (r *Resolver) showComparison(c *vcd.Comparison) *view.Comparison {
	return view.NewComparison(c, r.Links)
}
