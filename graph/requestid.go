package graph

import (
	"context"
	"crypto/rand"
	"net/http"
)

// requestIDHeader carries the id of a request, to be quoted when asking about a fault.
const requestIDHeader = "X-Request-Id"

type requestIDKey struct{}

func randomRequestID() string { return rand.Text() }

// nameRequest gives an answer its id. One that a handler around this one has set already is kept.
func (s *Server) nameRequest(header http.Header) string {
	id := header.Get(requestIDHeader)
	if id == "" {
		id = s.config.NewRequestID()
		header.Set(requestIDHeader, id)
	}
	return id
}

// WithRequestID sets the id under which faults of an operation are logged.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
