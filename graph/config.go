package graph

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"afterimage/vcd/app"
)

// Config is what the server needs of its surroundings. Service and BaseURL are required; zero values of the rest stand
// for the defaults.
type Config struct {
	Service *app.Service
	// BaseURL is the scheme and host by which clients reach the server. Links to pictures and pages begin with it.
	BaseURL string
	// Origins are those whose pages may use the interface besides the server's own, like "https://app.example.com".
	Origins []string
	// Limiter bounds how much each API token may ask for; no bound when nil.
	Limiter Limiter
	// Logger takes faults with their causes; the default logger when nil.
	Logger *slog.Logger
	// NewRequestID makes the id that every response carries and faults are logged with; random when nil.
	NewRequestID func() string

	Limits Limits
	Timing Timing
}

// Limits keep one client from taking more than its share.
type Limits struct {
	Body       int64 // bytes of a request body or a WebSocket message; 1 MiB
	Query      int   // bytes of a GET request's parameters; 32 KiB
	Tokens     int   // lexical tokens of a document; 5,000
	Depth      int   // selections inside each other; 20
	Fields     int   // fields, with fragments written out; 2,000
	Aliases    int   // fields under another name, with fragments written out; 100
	Repeats    int   // fields of the same name in one selection; 20
	Directives int   // directives, with fragments written out; 100
	Cost       int   // fields weighted by the length of the lists they are in; 20,000

	StreamsPerSocket      int // operations at once on one WebSocket; 50
	StreamsPerAccount     int // subscriptions at once of one account; 200
	ConnectionsPerToken   int // WebSockets and event streams at once of one API token; 100
	ConnectionsPerAccount int // the same of one account, over all of its tokens; 300
}

// Timing says how long things may take.
type Timing struct {
	Operation time.Duration // a query or a mutation; 30 s
	Init      time.Duration // from opening a WebSocket until connection_init; 10 s
	Ping      time.Duration // between two pings of a stream; 20 s. A WebSocket that misses two is closed.
	Write     time.Duration // of one message to a slow client; 10 s
	Recheck   time.Duration // between two looks whether the token of a stream still works, should nothing have told that it does not; 15 s
	Trust     time.Duration // for which one such look serves the operations and events that follow; 500 ms
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
