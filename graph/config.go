package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"afterimage/vcd/app"
)

// Config is the configuration of the server. Service and BaseURL are required; other zero values select the
// defaults.
type Config struct {
	Service *app.Service
	// BaseURL is the scheme and host under which clients reach the server, for links to images and pages.
	BaseURL string
	// Origins are other origins whose pages may use the API, like "https://app.example.com".
	Origins []string
	// Documents are operations that clients may name by the lower-case hexadecimal SHA-256 of their text, the key, instead
	// of sending it. With DocumentsOnly, clients can run no others; the REST API is not affected.
	Documents     map[string]string
	DocumentsOnly bool
	// Limiter limits the request rate of each API token; nil means no limit.
	Limiter Limiter
	// Logger receives faults with their causes; nil is the default logger.
	Logger *slog.Logger
	// Pictures stores uploaded screenshots; nil means that none can be uploaded.
	Pictures Pictures
	// Trace begins a span for an operation, named by its kind and first field; nil traces none.
	Trace func(ctx context.Context, what string) (context.Context, func(error))
	// Observe is called after each query and mutation of a client of GraphQL, and when a subscription starts; nil for nobody.
	Observe func(Operation)
	// NewRequestID creates the id of every response, under which faults are logged; nil means random ids.
	NewRequestID func() string

	Limits Limits
	Timing Timing
}

// Limits keep a client from using more than its share.
type Limits struct {
	Body       int64 // bytes of a request body or a WebSocket message; 1 MiB
	Query      int   // bytes of a GET request's parameters; 32 KiB
	Tokens     int   // lexical tokens of a document; 5,000
	Depth      int   // nested selections; 20
	Fields     int   // fields, with fragments expanded; 2,000
	Aliases    int   // aliased fields, with fragments expanded; 100
	Repeats    int   // fields of the same name in one selection; 20
	Directives int   // directives, with fragments expanded; 100
	Cost       int   // fields weighted by the page sizes of their lists; 20,000

	StreamsPerSocket      int // concurrent operations on one WebSocket; 50
	StreamsPerAccount     int // concurrent subscriptions of one account; 200
	ConnectionsPerToken   int // concurrent WebSockets and event streams of one API token; 100
	ConnectionsPerAccount int // the same for one account, across its tokens; 300
}

// Timing holds timeouts and intervals.
type Timing struct {
	Operation time.Duration // a query or a mutation; 30 s
	Init      time.Duration // from opening a WebSocket until connection_init; 10 s
	Ping      time.Duration // between two pings of a stream; 20 s. A WebSocket that misses two is closed.
	Write     time.Duration // of one message to a slow client; 10 s
	Recheck   time.Duration // interval at which the token of a stream is checked even without a notification; 15 s
	Trust     time.Duration // how long a token check is reused by following operations and events; 500 ms
	Session   time.Duration // of a browser session; 12 h
}

func (c Config) withDefaults() (Config, error) {
	if c.Service == nil {
		return c, errors.New("the GraphQL server needs the service whose use cases it offers")
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return c, fmt.Errorf("the base URL %q must be an address like https://afterimage.example.com", c.BaseURL)
	}
	for _, origin := range c.Origins {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || strings.TrimSuffix(u.String(), "/") != u.Scheme+"://"+u.Host {
			return c, fmt.Errorf("the origin %q must be a scheme and a host like https://app.example.com", origin)
		}
	}
	if c.DocumentsOnly && len(c.Documents) == 0 {
		return c, errors.New("running only listed documents needs a list of documents")
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.NewRequestID == nil {
		c.NewRequestID = randomRequestID
	}
	c.Limits.setDefaults()
	c.Timing.setDefaults()
	return c, nil
}

func (l *Limits) setDefaults() {
	orDefault(&l.Body, 1<<20)
	orDefault(&l.Query, 32<<10)
	orDefault(&l.Tokens, 5000)
	orDefault(&l.Depth, 20)
	orDefault(&l.Fields, 2000)
	orDefault(&l.Aliases, 100)
	orDefault(&l.Repeats, 20)
	orDefault(&l.Directives, 100)
	orDefault(&l.Cost, 20_000)
	orDefault(&l.StreamsPerSocket, 50)
	orDefault(&l.StreamsPerAccount, 200)
	orDefault(&l.ConnectionsPerToken, 100)
	orDefault(&l.ConnectionsPerAccount, 300)
}

func (t *Timing) setDefaults() {
	orDefault(&t.Operation, 30*time.Second)
	orDefault(&t.Init, 10*time.Second)
	orDefault(&t.Ping, 20*time.Second)
	orDefault(&t.Write, 10*time.Second)
	orDefault(&t.Recheck, 15*time.Second)
	orDefault(&t.Trust, 500*time.Millisecond)
	orDefault(&t.Session, 12*time.Hour)
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
