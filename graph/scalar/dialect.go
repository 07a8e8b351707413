// Package scalar marshals ids, times, enums and other scalars. Some have two formats, one for GraphQL and one for the REST
// API, which consists of stored GraphQL operations; the context of an operation selects the format.
package scalar

import "context"

type restKey struct{}

// WithREST makes values be spelled as in the REST interface: enums in lower case, times as "2006-01-02 15:04:05" in UTC.
func WithREST(ctx context.Context) context.Context { return context.WithValue(ctx, restKey{}, true) }

// IsREST reports whether an operation of the REST interface is executed.
func IsREST(ctx context.Context) bool {
	rest, _ := ctx.Value(restKey{}).(bool)
	return rest
}
