package graph

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"afterimage/graph/generated"
	"afterimage/vcd"
)

// Operation is what was done for a client.
type Operation struct {
	// Field is the first field of the operation: a name of the schema, not one that the client chose. Empty for documents that
	// are not valid.
	Field   string
	Failed  bool // by a fault on our side
	Refused bool // for another error
	Took    time.Duration
}

// observed tells of an operation that has ended.
func (e *execution) observed(opCtx *graphql.OperationContext, errs gqlerror.List) {
	if e.observe == nil {
		return
	}
	o := Operation{Field: firstField(opCtx.Operation), Took: time.Since(opCtx.Stats.OperationStart)}
	for _, err := range errs {
		switch code, _ := err.Extensions["code"].(string); vcd.Code(code) {
		case vcd.CodeInternal, vcd.CodeUnavailable:
			o.Failed = true
		default:
			o.Refused = true
		}
	}
	e.observe(o)
}

// traced begins the span of an operation.
func (e *execution) traced(ctx context.Context, opCtx *graphql.OperationContext) (context.Context, func(*graphql.Response)) {
	if e.trace == nil {
		return ctx, func(*graphql.Response) {}
	}
	ctx, end := e.trace(ctx, string(opCtx.Operation.Operation)+" "+firstField(opCtx.Operation))
	return ctx, func(r *graphql.Response) {
		if r != nil && len(r.Errors) > 0 {
			end(r.Errors)
			return
		}
		end(nil)
	}
}

// firstField is empty when the operation begins with a fragment.
func firstField(op *ast.OperationDefinition) string {
	if op == nil || len(op.SelectionSet) == 0 {
		return ""
	}
	field, ok := op.SelectionSet[0].(*ast.Field)
	if !ok {
		return ""
	}
	return field.Name
}

// FieldNames are the fields that operations can begin with.
func FieldNames() []string {
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	names := []string{"__schema", "__type", "__typename"}
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		for _, f := range root.Fields {
			names = append(names, f.Name)
		}
	}
	return names
}

// Subscriptions is the number of subscriptions that clients follow.
func (s *Server) Subscriptions() int { return s.execution.streams.sum() }

// Connections is the number of open WebSockets and event streams.
func (s *Server) Connections() int { return s.connections.open() }

func (c *connections) open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := 0
	for _, n := range c.accounts {
		sum += n
	}
	return sum
}
