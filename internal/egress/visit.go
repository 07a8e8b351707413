package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// ErrTooLarge is wrapped by the cause of a visit that was ended because it received or sent too many bytes.
var ErrTooLarge = errors.New("egress: visit exceeded its byte limit")

// Visit is the period in which one page uses a Proxy. It limits the bytes received and sent, records refusals and
// failures, and closes all its connections when it ends.
type Visit struct {
	proxy     *Proxy
	ctx       context.Context
	cancel    context.CancelCauseFunc
	limit     int64
	received  atomic.Int64
	reused    atomic.Int64
	sent      atomic.Int64
	denied    *denyLog
	transport *http.Transport
	upstream  *Upstream // nil = targets are dialled directly

	mu       sync.Mutex
	failures map[string]error
}

const (
	maxFailures = 256 // distinct host:port pairs whose failure a visit remembers

	// maxSent bounds what a visit may send to all its targets together, in bytes. A page's requests, TLS included, take some
	// hundred kilobytes; a script that posts without end would make us the source of a flood.
	maxSent = 16 << 20
)

// Context is cancelled when the visit ends; its cause wraps ErrTooLarge if a byte limit ended it.
func (v *Visit) Context() context.Context { return v.ctx }

// Received is the number of bytes received from targets so far.
func (v *Visit) Received() int64 { return v.received.Load() }

// Reuse counts n bytes that were received for another visit and are shown to this page. They count like received ones, so that
// a page is too large regardless of what was visited before.
func (v *Visit) Reuse(n int64) {
	v.reused.Add(n)
	_ = v.receive(0) // the error is the cause of the context's end
}

// Denied lists the refused targets of this visit in order of first appearance.
func (v *Visit) Denied() []Denial { return v.denied.list() }

// Failure returns the last dial error for a "host:port" of this visit, or nil.
func (v *Visit) Failure(hostPort string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.failures[canonicalHost(hostPort)]
}

// End closes the visit's connections and frees the proxy. Calling it again has no effect.
func (v *Visit) End() {
	v.proxy.visit.CompareAndSwap(v, nil)
	v.cancel(nil)
	v.proxy.closeConnections(v)
	v.transport.CloseIdleConnections()
}

// dial connects under the proxy's policy and records what went wrong.
func (v *Visit) dial(ctx context.Context, label, address string) (net.Conn, error) {
	if address == v.proxy.Addr() {
		return nil, v.refuse(label, address, &Refusal{Host: address, Why: "the proxy does not dial itself"})
	}
	// http.Transport lets a dial outlive its request; it must not outlive the visit.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(v.ctx, cancel)()
	conn, err := v.connect(ctx, address)
	if err != nil {
		var refusal *Refusal
		if errors.As(err, &refusal) {
			return nil, v.refuse(label, address, refusal)
		}
		v.remember(address, err)
		return nil, err
	}
	if v.ctx.Err() != nil {
		_ = conn.Close()
		return nil, context.Cause(v.ctx)
	}
	return &countedConn{Conn: conn, visit: v}, nil
}

// dialSecured connects to a server that the browser verifies, and that does not show the certificate of another one instead, which the
// browser would accept.
func (v *Visit) dialSecured(ctx context.Context, address string) (net.Conn, error) {
	label := "CONNECT " + address
	to := func(ctx context.Context, _, address string) (net.Conn, error) { return v.dial(ctx, label, address) }
	if err := v.proxy.dialer.Insecure.Admit(ctx, to, address); err != nil {
		v.remember(address, err)
		return nil, err
	}
	return v.dial(ctx, label, address)
}

func (v *Visit) connect(ctx context.Context, address string) (net.Conn, error) {
	if v.upstream != nil {
		return v.proxy.dialer.dialThrough(ctx, v.upstream, address)
	}
	return v.proxy.dialer.DialContext(ctx, "tcp", address)
}

func (v *Visit) refuse(label, address string, refusal *Refusal) error {
	v.denied.add(label, refusal)
	v.proxy.denied.add(label, refusal)
	v.remember(address, refusal)
	return refusal
}

func (v *Visit) remember(address string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.failures) < maxFailures {
		v.failures[canonicalHost(address)] = err
	}
}

// receive counts n bytes and ends the visit when its limit is passed.
func (v *Visit) receive(n int) error {
	if total := v.received.Add(int64(n)) + v.reused.Load(); total > v.limit {
		return v.cutOff(fmt.Errorf("%w of %d bytes received", ErrTooLarge, v.limit))
	}
	return nil
}

// send counts n bytes that are about to be sent and ends the visit instead when they would pass the limit.
func (v *Visit) send(n int) error {
	if total := v.sent.Add(int64(n)); total > maxSent {
		return v.cutOff(fmt.Errorf("%w of %d bytes sent", ErrTooLarge, maxSent))
	}
	return nil
}

func (v *Visit) cutOff(cause error) error {
	v.cancel(cause)
	return cause
}

// countedConn charges what is read from a target and written to it to the visit.
type countedConn struct {
	net.Conn
	visit *Visit
}

func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if limitErr := c.visit.receive(n); limitErr != nil {
		return n, limitErr
	}
	return n, err
}

func (c *countedConn) Write(p []byte) (int, error) {
	if err := c.visit.send(len(p)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
