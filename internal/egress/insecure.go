package egress

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// keyTime is how long a server may take to show its certificate.
const keyTime = 10 * time.Second

// maxInsecure is the number of servers whose certificates may be accepted as they are.
const maxInsecure = 20

// Insecure are servers whose certificates are accepted as they are, because somebody who runs the program has named them: a
// self-signed one, one of another name or an expired one. Each is known by its key, so that nobody who takes its place is trusted. The
// zero value and nil trust none.
type Insecure struct {
	servers map[string]string // keys by host:port

	mu    sync.Mutex
	asked map[string]error // servers that were not named, by host:port: why they are not to be reached; nil for no reason
}

// maxAsked is the number of servers of which is remembered what they showed.
const maxAsked = 10_000

// ReadInsecure asks the named servers, host or host:port, for their keys. The dialer's policy holds.
func ReadInsecure(ctx context.Context, dialer *Dialer, servers []string) (*Insecure, error) {
	if len(servers) > maxInsecure {
		return nil, fmt.Errorf("there are %d servers, at most %d are supported", len(servers), maxInsecure)
	}
	trusted := &Insecure{servers: make(map[string]string), asked: make(map[string]error)}
	for _, server := range servers {
		address, err := namedServer(server)
		if err != nil {
			return nil, err
		}
		shown, err := shownBy(ctx, dialer.DialContext, address)
		if err != nil {
			return nil, fmt.Errorf("%s does not present a certificate: %w", server, err)
		}
		trusted.servers[canonicalHost(address)] = hashOf(shown.PeerCertificates[0])
	}
	return trusted, nil
}

// namedServer is host:port of one server. Patterns and networks are none.
func namedServer(server string) (string, error) {
	host, port := strings.Trim(server, "[]"), "443"
	if h, p, err := net.SplitHostPort(server); err == nil {
		host, port = h, p
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", fmt.Errorf("%q has no port from 1 to 65535", server)
	}
	if host == "" || strings.ContainsAny(host, "*/?# ,") || strings.Contains(host, ":") && net.ParseIP(host) == nil {
		return "", fmt.Errorf("%q does not name exactly one server: write its name, such as staging.example.com or localhost:8443", server)
	}
	return net.JoinHostPort(host, port), nil
}

type dial func(ctx context.Context, network, address string) (net.Conn, error)

// shownBy is a handshake with a server that shows at least one certificate.
func shownBy(ctx context.Context, to dial, address string) (*tls.ConnectionState, error) {
	ctx, cancel := context.WithTimeout(ctx, keyTime)
	defer cancel()
	conn, err := to(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	secured := tls.Client(conn, &tls.Config{
		ServerName: host, MinVersion: tls.VersionTLS12,
		InsecureSkipVerify: true, //nolint:gosec // nothing is sent: only the certificates are read
	})
	if err := secured.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	state := secured.ConnectionState()
	if len(state.PeerCertificates) == 0 {
		return nil, errors.New("it has none")
	}
	return &state, nil
}

// hashOf is the SHA-256 of a certificate's public key, in base64, as browsers name keys.
func hashOf(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Keys are the SHA-256 sums of the public keys in base64, as browsers name them. A browser accepts certificates with these keys of
// any server: its proxy has to ask Admit.
func (i *Insecure) Keys() []string {
	if i == nil {
		return nil
	}
	return slices.Sorted(maps.Values(i.servers))
}

// BorrowedError means that a server shows the certificate of another one, which alone was named.
type BorrowedError struct{ Server, Named string }

func (e *BorrowedError) Error() string {
	return fmt.Sprintf("%s presents the certificate of %s, which cannot be verified and is accepted only from that server",
		e.Server, e.Named)
}

// Admit reports whether a browser that accepts the keys may reach a server: one that was named, or one whose certificate has none of
// the keys or can be verified. It asks each other server once. Whether a server that cannot be asked may be reached is left to the
// browser.
func (i *Insecure) Admit(ctx context.Context, to dial, address string) error {
	address = canonicalHost(address)
	if i == nil || len(i.servers) == 0 || i.servers[address] != "" {
		return nil
	}
	i.mu.Lock()
	known, ok := i.asked[address]
	i.mu.Unlock()
	if ok {
		return known
	}
	state, err := shownBy(ctx, to, address)
	if err != nil {
		return nil //nolint:nilerr // the browser meets it, too
	}
	borrowed := i.borrowed(address, state)
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.asked) < maxAsked {
		i.asked[address] = borrowed
	}
	return borrowed
}

func (i *Insecure) borrowed(address string, state *tls.ConnectionState) error {
	if verify(*state) == nil {
		return nil
	}
	shown := hashOf(state.PeerCertificates[0])
	for named, key := range i.servers {
		if key == shown {
			return &BorrowedError{address, named}
		}
	}
	return nil
}

// DialTLS connects for clients that accept the certificates of the named servers as they are, like http.Transport.DialTLSContext; nil
// if there are none.
func (d *Dialer) DialTLS() func(ctx context.Context, network, address string) (net.Conn, error) {
	if len(d.Insecure.Keys()) == 0 {
		return nil
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := d.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		secured := tls.Client(conn, &tls.Config{
			ServerName: host, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
			InsecureSkipVerify: true, //nolint:gosec // VerifyConnection verifies
			VerifyConnection: func(state tls.ConnectionState) error {
				if len(state.PeerCertificates) == 0 {
					return errors.New("the server shows no certificate")
				}
				if d.Insecure.servers[canonicalHost(address)] == hashOf(state.PeerCertificates[0]) {
					return nil
				}
				return verify(state)
			},
		})
		if err := secured.HandshakeContext(ctx); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		return secured, nil
	}
}

// verify does what a client does that verifies certificates by itself.
func verify(state tls.ConnectionState) error {
	options := x509.VerifyOptions{DNSName: state.ServerName, Intermediates: x509.NewCertPool()}
	for _, c := range state.PeerCertificates[1:] {
		options.Intermediates.AddCert(c)
	}
	_, err := state.PeerCertificates[0].Verify(options)
	return err
}
