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

// Authenticator resolves a bearer token before anything of a request is read. The returned context carries the caller
// for the executor. A refusal is a *gqlerror.Error with its code under extensions; any other error is a fault.
type Authenticator func(ctx context.Context, token string) (context.Context, error)

// Config is what the REST interface needs of its surroundings. Executor, Authenticate and PublicURL are required.
type Config struct {
	Executor     Executor
	Authenticate Authenticator

	// Admit counts a request of an authenticated caller and writes into the header how many more it may make. A refusal
	// is a *gqlerror.Error like the authenticator's. Every request is admitted when nil.
	Admit func(ctx context.Context, header http.Header) error
	// Logger takes faults with their causes; the default logger when nil.
	Logger *slog.Logger
	// PublicURL is the scheme and host that clients reach this server by, for page links. The host that a request names is no
	// substitute: whoever sends the request chooses it.
	PublicURL string
	// MaxBody is the largest request body in bytes; 4 MiB when zero.
	MaxBody int64
	// Timeout bounds a request from authentication to its result; 30 seconds when zero.
	Timeout time.Duration
	// NewRequestID makes the id under which a fault is logged and quoted; random when nil.
	NewRequestID func() string
}

const (
	defaultMaxBody = 4 << 20
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
