package graph

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"afterimage/graph/resolver"
	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// WithActor sets the actor on whose behalf an operation runs.
func WithActor(ctx context.Context, actor vcd.Actor) context.Context {
	return resolver.WithActor(ctx, actor)
}

// BaseURL returns the scheme and host of links, without a trailing slash.
func (s *Server) BaseURL() string { return strings.TrimSuffix(s.config.BaseURL, "/") }

// Schema returns the schema for stored operations.
func (s *Server) Schema() *ast.Schema { return s.execution.schema.Schema() }

// Authenticate returns the context for operations of the account that owns an API token. A refusal is an error in
// the format of operation errors, with its code.
func (s *Server) Authenticate(ctx context.Context, token string) (context.Context, error) {
	ctx, err := s.withToken(ctx, token)
	if err != nil {
		return nil, s.execution.presenter.present(ctx, err)
	}
	return ctx, nil
}

// Execute runs a stored operation in process, in the REST dialect: a query or mutation of a document that was parsed
// and validated against Schema before and may be shared by concurrent calls. The context must come from
// Authenticate. The limits on client documents do not apply, because stored operations are our own.
func (s *Server) Execute(ctx context.Context, operation string, doc *ast.QueryDocument, variables map[string]any) *graphql.Response {
	e := s.execution
	ctx = scalar.WithREST(graphql.StartOperationTrace(ctx))
	opCtx := e.newOperationContext(ctx)
	opCtx.Doc, opCtx.OperationName = doc, operation
	if _, ok := resolver.ActorOf(ctx); !ok {
		return refusal(coded(string(vcd.CodeUnauthenticated), "Unauthenticated."))
	}
	if err := grantOf(ctx).check(ctx); err != nil {
		return refusal(e.presenter.present(ctx, err))
	}
	opCtx.Operation = doc.Operations.ForName(operation)
	if opCtx.Operation == nil || opCtx.Operation.Operation == ast.Subscription {
		return refusal(coded(string(vcd.CodeInternal), "Server Error"))
	}
	if err := e.permit(ctx, opCtx.Operation); err != nil {
		return refusal(err)
	}
	if err := e.bind(opCtx, variables); err != nil {
		return refusal(err)
	}
	next, ctx := e.dispatch(ctx, opCtx)
	return next(ctx)
}

func refusal(err *gqlerror.Error) *graphql.Response {
	return &graphql.Response{Errors: gqlerror.List{err}}
}
