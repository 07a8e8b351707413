package rest

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Executor runs stored operations in process. The GraphQL server implements it.
type Executor interface {
	// Schema is the schema that the operations are checked against and that tells the types of their variables.
	Schema() *ast.Schema
	// Execute runs one operation of a document that was validated against Schema. The document holds that operation
	// and its fragments alone, is shared by concurrent calls, and is the same pointer on every call. Errors carry
	// their code under extensions (see refusal.go), and requestId there once their cause is logged.
	Execute(ctx context.Context, operation string, document *ast.QueryDocument, variables map[string]any) *graphql.Response
}

// Authenticator resolves a bearer token before anything else of a request is read. The returned context carries the
// caller for the executor. A refusal is a *gqlerror.Error with its code in extensions; any other error is a fault.
type Authenticator func(ctx context.Context, token string) (context.Context, error)

// Config is the configuration of the REST API. Executor, Authenticate and PublicURL are required.
type Config struct {
	Executor     Executor
	Authenticate Authenticator

	// Admit counts a request of an authenticated caller and sets the rate limit headers. A refusal is a *gqlerror.Error like
	// the authenticator's. Nil admits every request.
	Admit func(ctx context.Context, header http.Header) error
	// Logger receives faults with their causes; nil is the default logger.
	Logger *slog.Logger
	// PublicURL is the scheme and host under which clients reach this server, for pagination links. The Host of a request is
	// no substitute, because the client controls it.
	PublicURL string
	// MaxBody is the maximum size of a request body in bytes; 0 means 8 MiB.
	MaxBody int64
	// Timeout limits a request from authentication to its result; 0 means 30 seconds.
	Timeout time.Duration
	// Observe is called after each request with the name of its operation, empty when it leads to none, and the status of the
	// answer; nil for nobody.
	Observe func(operation string, status int, took time.Duration)
	// NewRequestID creates the id under which a fault is logged and quoted; nil means random ids.
	NewRequestID func() string
}

const (
	defaultMaxBody = 8 << 20
	defaultTimeout = 30 * time.Second
)

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.MaxBody == 0 {
		c.MaxBody = defaultMaxBody
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	if c.NewRequestID == nil {
		c.NewRequestID = randomRequestID
	}
	return c
}
