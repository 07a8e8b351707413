package graph

import (
	"context"
	"maps"

	"github.com/99designs/gqlgen/complexity"
	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"afterimage/graph/generated"
	"afterimage/graph/resolver"
	"afterimage/vcd"
)

const (
	// cachedDocuments is how many parsed and validated documents are kept, and cachedLength how long these may be.
	cachedDocuments = 500
	cachedLength    = 8 << 10
)

// execution lets operations in and runs them. It is what gqlgen's transports talk to. Its own way in differs from
// gqlgen's: the shape of a document is checked between parsing and validation, and nothing runs without an actor.
type execution struct {
	schema    graphql.ExecutableSchema
	resolvers *resolver.Resolver
	executor  *executor.Executor
	documents graphql.Cache[*ast.QueryDocument]
	trusted   trusted
	presenter *presenter
	streams   *shares
	limiter   Limiter // nil without a rate limit
	limits    Limits
	timing    Timing
	observe   func(Operation) // nil for nobody
	trace     func(ctx context.Context, what string) (context.Context, func(error))
}

var _ graphql.GraphExecutor = (*execution)(nil)

func newExecution(c Config, resolvers *resolver.Resolver) *execution {
	e := &execution{
		schema:    executableSchema(resolvers),
		resolvers: resolvers,
		documents: lru.New[*ast.QueryDocument](cachedDocuments),
		trusted:   trusted{byHash: c.Documents, only: c.DocumentsOnly},
		presenter: &presenter{logger: c.Logger},
		streams:   newShares(int64(c.Limits.StreamsPerAccount)),
		limiter:   c.Limiter,
		limits:    c.Limits,
		timing:    c.Timing,
		observe:   c.Observe,
		trace:     c.Trace,
	}
	e.executor = executor.New(e.schema)
	e.executor.SetErrorPresenter(e.presenter.present)
	e.executor.SetRecoverFunc(e.presenter.recovered)
	return e
}

// executableSchema is the schema with its resolvers. It leaves out a directive that only steers the generation of code,
// and @defer, which needs a transport that we do not have.
func executableSchema(resolvers *resolver.Resolver) graphql.ExecutableSchema {
	config := generated.Config{Resolvers: resolvers, Complexity: costs()}
	schema := *generated.NewExecutableSchema(config).Schema()
	schema.Directives = maps.Clone(schema.Directives)
	delete(schema.Directives, "goField")
	delete(schema.Directives, "defer")
	config.Schema = &schema
	return generated.NewExecutableSchema(config)
}

// CreateOperationContext lets an operation in or refuses it.
func (e *execution) CreateOperationContext(ctx context.Context, params *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	opCtx, errs := e.letIn(ctx, params)
	if len(errs) > 0 {
		e.observed(opCtx, errs)
	}
	return opCtx, errs
}

func (e *execution) letIn(ctx context.Context, params *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	opCtx := e.newOperationContext(ctx)
	opCtx.OperationName = params.OperationName
	opCtx.Extensions, opCtx.Headers = params.Extensions, params.Headers
	if _, ok := resolver.ActorOf(ctx); !ok {
		return opCtx, gqlerror.List{coded(string(vcd.CodeUnauthenticated), "Unauthenticated.")}
	}
	if err := grantOf(ctx).check(ctx); err != nil {
		return opCtx, gqlerror.List{e.presenter.present(ctx, err)}
	}
	text, refused := e.trusted.text(params)
	if refused != nil {
		return opCtx, gqlerror.List{refused}
	}
	opCtx.RawQuery = text
	var errs gqlerror.List
	if opCtx.Doc, errs = e.document(ctx, text); len(errs) > 0 {
		return opCtx, errs
	}
	guardSecrets(ctx, opCtx.Doc)
	if err := e.choose(ctx, opCtx); err != nil {
		return opCtx, gqlerror.List{err}
	}
	if err := e.permit(ctx, opCtx.Operation); err != nil {
		return opCtx, gqlerror.List{err}
	}
	if err := e.bind(opCtx, params.Variables); err != nil {
		return opCtx, gqlerror.List{err}
	}
	cost := complexity.Calculate(ctx, e.schema, opCtx.Operation, opCtx.Variables)
	if cost > e.limits.Cost {
		return opCtx, gqlerror.List{coded(codeTooMuch,
			"The operation costs %d; the limit is %d. Request fewer fields or shorter lists.", cost, e.limits.Cost)}
	}
	if err := e.charge(ctx, cost); err != nil {
		return opCtx, gqlerror.List{err}
	}
	return opCtx, nil
}

func (e *execution) newOperationContext(ctx context.Context) *graphql.OperationContext {
	return &graphql.OperationContext{
		RecoverFunc:            e.presenter.recovered,
		ResolverMiddleware:     func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
		RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) },
		Stats:                  graphql.Stats{OperationStart: graphql.GetStartTime(ctx)},
	}
}

// document parses, checks and validates a document, or remembers that it did.
func (e *execution) document(ctx context.Context, query string) (*ast.QueryDocument, gqlerror.List) {
	if known, ok := e.documents.Get(ctx, query); ok {
		return known, nil
	}
	doc, errs := e.parse(query)
	if len(errs) == 0 && len(query) <= cachedLength {
		e.documents.Add(ctx, query, doc)
	}
	return doc, errs
}

func (e *execution) parse(query string) (*ast.QueryDocument, gqlerror.List) {
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, e.limits.Tokens)
	if err != nil {
		return nil, gqlerror.List{asCoded(err, errcode.ParseFailed)}
	}
	if len(doc.Operations) == 0 {
		return nil, gqlerror.List{coded(errcode.ValidationFailed, "The document has no operation.")}
	}
	if err := e.limits.checkShape(doc); err != nil {
		return nil, gqlerror.List{err}
	}
	if errs := validator.ValidateWithRules(e.schema.Schema(), doc, validationRules()); len(errs) > 0 {
		for _, err := range errs {
			errcode.Set(err, errcode.ValidationFailed)
		}
		return nil, errs
	}
	return doc, nil
}

// validationRules are the standard ones without suggestions, which would tell more of the schema than was asked.
func validationRules() *rules.Rules {
	r := rules.NewDefaultRules()
	r.ReplaceRule(rules.FieldsOnCorrectTypeRule.Name, rules.FieldsOnCorrectTypeRuleWithoutSuggestions.RuleFunc)
	r.ReplaceRule(rules.KnownArgumentNamesRule.Name, rules.KnownArgumentNamesRuleWithoutSuggestions.RuleFunc)
	r.ReplaceRule(rules.KnownTypeNamesRule.Name, rules.KnownTypeNamesRuleWithoutSuggestions.RuleFunc)
	r.ReplaceRule(rules.ScalarLeafsRule.Name, rules.ScalarLeafsRuleWithoutSuggestions.RuleFunc)
	r.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, rules.ValuesOfCorrectTypeRuleWithoutSuggestions.RuleFunc)
	return r
}

// choose finds the operation to run and checks that its kind goes with the transport.
func (e *execution) choose(ctx context.Context, opCtx *graphql.OperationContext) *gqlerror.Error {
	opCtx.Operation = opCtx.Doc.Operations.ForName(opCtx.OperationName)
	if opCtx.Operation == nil {
		if opCtx.OperationName == "" {
			return coded(errcode.ValidationFailed, "The document has several operations: set operationName.")
		}
		return coded(errcode.ValidationFailed, "The document has no operation with the name given in operationName.")
	}
	switch kind := opCtx.Operation.Operation; {
	case kind == ast.Subscription && !carrierOf(ctx).streams():
		return coded(errcode.ValidationFailed, "Subscriptions need a WebSocket, or Accept: text/event-stream.")
	case kind != ast.Query && carrierOf(ctx) == byGet:
		return coded(errcode.ValidationFailed, "GET only supports queries: use POST.")
	}
	return nil
}

func (e *execution) bind(opCtx *graphql.OperationContext, variables map[string]any) *gqlerror.Error {
	var err error
	if opCtx.Variables, err = validator.VariableValues(e.schema.Schema(), opCtx.Operation, variables); err != nil {
		return asCoded(err, errcode.ValidationFailed)
	}
	return nil
}

func asCoded(err error, code string) *gqlerror.Error {
	shown, ok := err.(*gqlerror.Error) //nolint:errorlint // the parser and the validator return it bare
	if !ok {
		shown = gqlerror.Wrap(err)
	}
	errcode.Set(shown, code)
	return shown
}

// DispatchOperation starts an operation of a client and returns what yields its responses, nil after the last one.
func (e *execution) DispatchOperation(ctx context.Context, opCtx *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	next, ctx := e.dispatch(ctx, opCtx)
	if opCtx.Operation.Operation == ast.Subscription {
		e.observed(opCtx, nil)
		return next, ctx
	}
	return func(ctx context.Context) *graphql.Response {
		response := next(ctx)
		if response != nil {
			e.observed(opCtx, response.Errors)
		}
		return response
	}, ctx
}

// dispatch starts an operation.
func (e *execution) dispatch(ctx context.Context, opCtx *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	if opCtx.Operation.Operation == ast.Subscription {
		return e.subscribe(ctx, opCtx)
	}
	if opCtx.Operation.Operation == ast.Mutation {
		// What one field changed, the look-ups of the next must see. Each field is a change of its own.
		opCtx.RootResolverMiddleware = func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
			return next(e.resolvers.WithLoaders(e.resolvers.WithChange(ctx)))
		}
	}
	next, ctx := e.executor.DispatchOperation(ctx, opCtx)
	return func(ctx context.Context) *graphql.Response {
		ctx, release := grantOf(ctx).bound(ctx)
		defer release()
		ctx, cancel := context.WithTimeout(ctx, e.timing.Operation)
		defer cancel()
		ctx, end := e.traced(ctx, opCtx)
		response := next(e.resolvers.WithLoaders(ctx))
		end(response)
		return response
	}, ctx
}

// subscribe starts a stream if the account may have another one. Each of its responses has look-ups of its own.
func (e *execution) subscribe(ctx context.Context, opCtx *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	who, _ := resolver.ActorOf(ctx)
	release, ok := e.streams.take(who.Account, 1)
	if !ok {
		return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{coded(codeTooMany,
			"The account already has %d active subscriptions: end one first.", e.limits.StreamsPerAccount)}}), ctx
	}
	g := grantOf(ctx)
	ctx, end := g.bound(ctx)
	context.AfterFunc(ctx, func() { release(); end() })
	next, ctx := e.executor.DispatchOperation(ctx, opCtx)
	return func(ctx context.Context) *graphql.Response {
		response := next(e.resolvers.WithLoaders(ctx))
		if response == nil || !g.holds(ctx) {
			end()
			return nil
		}
		return response
	}, ctx
}

// DispatchError is the response to an operation that was not let in.
func (e *execution) DispatchError(ctx context.Context, list gqlerror.List) *graphql.Response {
	return e.executor.DispatchError(ctx, list)
}
