package graph

import (
	"context"
	"crypto/rand"
)

// requestIDHeader carries the id of a request, to be quoted when asking about a fault.
const requestIDHeader = "X-Request-Id"

type requestIDKey struct{}

func randomRequestID() string { return rand.Text() }

// WithRequestID notes the id under which faults of an operation are logged.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
