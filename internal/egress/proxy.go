package egress

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxHeaderBytes    = 64 << 10 // of a request's header
	maxResponseHeader = 256 << 10
	headerTimeout     = 10 * time.Second // for a client to send its request header
	idleTimeout       = 60 * time.Second // for a kept-alive connection without a request
	maxConnections    = 512              // of one visit at the same time
)

// Proxy is an HTTP forward proxy on a loopback port that dials under a Policy. It supports CONNECT (https,
// WebSocket) and absolute-form requests (http). It serves one Visit at a time and refuses every request outside
// visits, so that a browser has no network access between pages.
type Proxy struct {
	listener net.Listener
	server   *http.Server
	dialer   *Dialer
	logger   *slog.Logger
	denied   *denyLog
	served   chan struct{}

	visit atomic.Pointer[Visit]

	mu    sync.Mutex
	conns map[net.Conn]*Visit // open client and tunnel connections and whom they serve
}

// Listen starts a proxy on a free port of 127.0.0.1. A nil dialer is the strict one; a nil logger discards.
func Listen(dialer *Dialer, logger *slog.Logger) (*Proxy, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open the egress proxy's port: %w", err)
	}
	if dialer == nil {
		dialer = &Dialer{}
	}
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	p := &Proxy{
		listener: listener, dialer: dialer, logger: logger, denied: newDenyLog(logger),
		served: make(chan struct{}), conns: make(map[net.Conn]*Visit),
	}
	p.server = &http.Server{
		Handler:           p,
		MaxHeaderBytes:    maxHeaderBytes,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		ConnContext:       p.admit,
		ConnState:         p.track,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}
	go func() {
		defer close(p.served)
		if err := p.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("egress proxy stopped", "error", err)
		}
	}()
	return p, nil
}

// Addr is the proxy's "127.0.0.1:port".
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Denied lists the refused targets of all visits, the first 256 distinct ones.
func (p *Proxy) Denied() []Denial { return p.denied.list() }

// Begin opens a visit that may receive maxBytes from all its targets together. It ends a visit that is still open.
func (p *Proxy) Begin(maxBytes int64) *Visit { return p.BeginThrough(nil, maxBytes) }

// BeginThrough is like Begin, but reaches the targets through an upstream proxy; nil dials them directly. Targets
// are checked here before the upstream is asked to connect.
func (p *Proxy) BeginThrough(upstream *Upstream, maxBytes int64) *Visit {
	ctx, cancel := context.WithCancelCause(context.Background())
	v := &Visit{
		proxy: p, ctx: ctx, cancel: cancel, limit: maxBytes, upstream: upstream,
		denied: newDenyLog(slog.New(slog.DiscardHandler)), failures: make(map[string]error),
	}
	v.transport = newTransport(v)
	context.AfterFunc(ctx, func() { p.closeConnections(v) })
	if previous := p.visit.Swap(v); previous != nil {
		previous.End()
	}
	return v
}

// Close ends the open visit, closes all connections and waits until the proxy has stopped.
func (p *Proxy) Close() error {
	if v := p.visit.Load(); v != nil {
		v.End()
	}
	err := p.server.Close()
	<-p.served
	p.closeConnections(nil)
	return err
}

type visitKey struct{}

// admit binds a connection to the visit that is open while it is accepted: it never serves another page.
func (p *Proxy) admit(ctx context.Context, conn net.Conn) context.Context {
	v := p.visit.Load()
	if v == nil || !p.register(conn, v) {
		return ctx
	}
	return context.WithValue(ctx, visitKey{}, v)
}

func (p *Proxy) register(conn net.Conn, v *Visit) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.conns) >= maxConnections {
		return false
	}
	p.conns[conn] = v
	return true
}

// track forgets connections that the server has closed; hijacked ones are forgotten by their tunnel.
func (p *Proxy) track(conn net.Conn, state http.ConnState) {
	if state == http.StateClosed {
		p.forget(conn)
	}
}

func (p *Proxy) forget(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, conn)
}

// closeConnections closes the connections of one visit, or of all with nil.
func (p *Proxy) closeConnections(v *Visit) {
	p.mu.Lock()
	var open []net.Conn
	for conn, owner := range p.conns {
		if v == nil || owner == v {
			open = append(open, conn)
			delete(p.conns, conn)
		}
	}
	p.mu.Unlock()
	for _, conn := range open {
		_ = conn.Close() // it may be closed already; either way it is gone
	}
}

func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v, ok := r.Context().Value(visitKey{}).(*Visit)
	switch {
	case !ok || v.ctx.Err() != nil:
		w.Header().Set("Connection", "close") // a connection stays with its visit, so this one is of no use later
		http.Error(w, "no page is being visited", http.StatusServiceUnavailable)
	case r.Method == http.MethodConnect:
		p.tunnel(w, r, v)
	case r.URL.IsAbs() && r.URL.Scheme == "http":
		p.forward(w, r, v)
	default:
		http.Error(w, "this is a forward proxy", http.StatusBadRequest)
	}
}
