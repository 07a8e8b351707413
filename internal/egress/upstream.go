package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"time"
)

const (
	upstreamTimeout = 20 * time.Second // from dialling an upstream to its answer; residential ones are slow
	maxConnects     = 3                // addresses of one target that are tried
)

// Upstream is one of the operator's proxies. Because only the operator configures them, they may have any address.
// Their credentials do not appear in any text of this package.
type Upstream struct {
	address        string // host:port
	host           string
	secure         bool // TLS to the proxy itself
	user, password string
}

// String is the proxy's address without its credentials.
func (u *Upstream) String() string { return u.address }

// UpstreamError reports a failure of an upstream proxy, as opposed to its target.
type UpstreamError struct {
	Upstream string // host:port
	Err      error
}

func (e *UpstreamError) Error() string {
	return fmt.Sprintf("upstream proxy %s: %v", e.Upstream, e.Err)
}

func (e *UpstreamError) Unwrap() error { return e.Err }

// dialThrough reaches a target by an upstream proxy. The target is resolved and judged here, and the proxy is asked for the
// address that was judged: what it would find under the name is never asked for.
func (d *Dialer) dialThrough(ctx context.Context, up *Upstream, address string) (net.Conn, error) {
	targets, err := d.judged(ctx, address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, upstreamTimeout)
	defer cancel()
	for _, target := range targets[:min(len(targets), maxConnects)] {
		var conn net.Conn
		if conn, err = up.connect(ctx, target); err == nil {
			return conn, nil
		}
		var failed *UpstreamError
		if ctx.Err() != nil || errors.As(err, &failed) {
			break // no other address would do better
		}
	}
	return nil, err
}

// judged resolves "host:port" and returns the addresses that the policy lets us dial, those of IPv4 first: not every proxy has
// a way to the others. When there are none the error is the refusal of the first one.
func (d *Dialer) judged(ctx context.Context, address string) ([]netip.AddrPort, error) {
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("egress: address %q: %w", address, err)
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("egress: port %q is not a number from 0 to 65535", portText)
	}
	resolver := d.Resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	found, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	var allowed, allowed6 []netip.AddrPort
	var refusal error = &net.DNSError{Err: "no address", Name: host, IsNotFound: true}
	for i, addr := range found {
		target := netip.AddrPortFrom(addr.Unmap(), uint16(port))
		switch err := d.Policy.Check(host, target); {
		case err != nil && i == 0:
			refusal = err
		case err != nil:
		case target.Addr().Is4():
			allowed = append(allowed, target)
		default:
			allowed6 = append(allowed6, target)
		}
	}
	if allowed = append(allowed, allowed6...); len(allowed) > 0 {
		return allowed, nil
	}
	return nil, refusal
}

// connect opens a tunnel to one address.
func (u *Upstream) connect(ctx context.Context, target netip.AddrPort) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", u.address)
	if err != nil {
		return nil, &UpstreamError{u.address, err}
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	tunnel, err := u.ask(ctx, conn, target)
	if !stop() && err == nil {
		err = &UpstreamError{u.address, context.Cause(ctx)} // the deadline in the past would stay
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return tunnel, nil
}

// ask requests the tunnel on a fresh connection.
func (u *Upstream) ask(ctx context.Context, conn net.Conn, target netip.AddrPort) (net.Conn, error) {
	if u.secure {
		secured := tls.Client(conn, &tls.Config{ServerName: u.host, MinVersion: tls.VersionTLS12})
		if err := secured.HandshakeContext(ctx); err != nil {
			return nil, &UpstreamError{u.address, err}
		}
		conn = secured
	}
	request := "CONNECT " + target.String() + " HTTP/1.1\r\nHost: " + target.String() + "\r\n"
	if u.user != "" || u.password != "" {
		request += "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(u.user+":"+u.password)) + "\r\n"
	}
	if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
		return nil, &UpstreamError{u.address, err}
	}
	bounded := &io.LimitedReader{R: conn, N: maxHeaderBytes}
	reader := bufio.NewReader(bounded)
	response, err := http.ReadResponse(reader, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return nil, &UpstreamError{u.address, err}
	}
	_ = response.Body.Close() // of a tunnel there is none
	if err := u.judge(response.StatusCode, target); err != nil {
		return nil, err
	}
	bounded.N = math.MaxInt64
	return &tunnelConn{Conn: conn, reader: reader}, nil
}

// judge tells apart a target that the proxy could not reach and a proxy that does not serve us.
func (u *Upstream) judge(status int, target netip.AddrPort) error {
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusGatewayTimeout:
		return fmt.Errorf("reach %s by the upstream proxy %s: %w", target, u.address, context.DeadlineExceeded)
	case status == http.StatusBadGateway, status == http.StatusServiceUnavailable:
		return fmt.Errorf("reach %s by the upstream proxy %s: status %d", target, u.address, status)
	}
	return &UpstreamError{u.address, fmt.Errorf("it answered %d", status)}
}

// tunnelConn is a tunnel whose first bytes may have come with the proxy's answer.
type tunnelConn struct {
	net.Conn
	reader io.Reader
}

func (c *tunnelConn) Read(p []byte) (int, error) { return c.reader.Read(p) }

// CloseWrite ends our direction only.
func (c *tunnelConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Close()
}
