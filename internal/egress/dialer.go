package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// Cause is why a target could not be reached.
type Cause string

// The causes of a failed dial.
const (
	Refused     Cause = "refused" // by the policy
	Unresolved  Cause = "dns"
	Unreachable Cause = "connect"
	TimedOut    Cause = "timeout"
	ProxyFailed Cause = "proxy" // an upstream proxy
	Untrusted   Cause = "tls"   // it shows the certificate of another server
)

// CauseOf returns the cause of an error of Dialer.DialContext.
func CauseOf(err error) Cause {
	var refusal *Refusal
	var dns *net.DNSError
	var network net.Error
	var upstream *UpstreamError
	var borrowed *BorrowedError
	switch {
	case errors.As(err, &refusal):
		return Refused
	case errors.As(err, &upstream):
		return ProxyFailed
	case errors.As(err, &borrowed):
		return Untrusted
	case errors.As(err, &dns):
		return Unresolved
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return TimedOut
	}
	return Unreachable
}

// Dialer dials TCP under a policy. The zero Dialer has the strict policy and is ready for use.
type Dialer struct {
	Policy   *Policy
	Resolver *net.Resolver // nil = the system's
	Timeout  time.Duration // for name resolution and connecting together; 0 = 10 s
	Insecure *Insecure     // servers whose certificates clients of this dialer accept as they are; nil = none
}

// DialContext resolves and connects like net.Dialer; the policy checks each resolved address immediately before its
// socket connects. The error wraps a *Refusal if the policy refused. It fits http.Transport.DialContext.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if network != "tcp" && network != "tcp4" && network != "tcp6" {
		return nil, fmt.Errorf("egress: network %q is not offered, only tcp", network)
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("egress: address %q: %w", address, err)
	}
	timeout := d.Timeout
	if timeout == 0 {
		timeout = 10 * time.Second
	}
	dialer := net.Dialer{
		Timeout:  timeout,
		Resolver: d.Resolver,
		ControlContext: func(_ context.Context, _, resolved string, _ syscall.RawConn) error {
			target, err := netip.ParseAddrPort(resolved)
			if err != nil {
				return &Refusal{Host: host, Why: "resolved address " + resolved + " is not understood"}
			}
			return d.Policy.Check(host, target)
		},
	}
	return dialer.DialContext(ctx, network, address)
}
