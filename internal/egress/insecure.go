package egress

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

// keyTime is how long a server may take to show its certificate.
const keyTime = 10 * time.Second

// maxInsecure is the number of servers whose certificates may be accepted as they are.
const maxInsecure = 20

// Insecure are the keys of servers whose certificates are accepted as they are, because somebody who runs the program has named the
// servers: a self-signed one, one of another name or an expired one. A key belongs to whoever holds its secret part, so that no other
// server is trusted more than before. The zero value and nil trust none.
type Insecure struct{ keys []string }

// ReadInsecure asks the named servers, host or host:port, for their keys. The dialer's policy holds.
func ReadInsecure(ctx context.Context, dialer *Dialer, servers []string) (*Insecure, error) {
	if len(servers) > maxInsecure {
		return nil, fmt.Errorf("there are %d servers, at most %d are supported", len(servers), maxInsecure)
	}
	trusted := &Insecure{}
	for _, server := range servers {
		address, err := namedServer(server)
		if err != nil {
			return nil, err
		}
		key, err := keyOf(ctx, dialer, address)
		if err != nil {
			return nil, fmt.Errorf("%s does not present a certificate: %w", server, err)
		}
		trusted.keys = append(trusted.keys, key)
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
		return "", fmt.Errorf("%q is not one server: write its name, such as staging.example.com or localhost:8443", server)
	}
	return net.JoinHostPort(host, port), nil
}

func keyOf(ctx context.Context, dialer *Dialer, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyTime)
	defer cancel()
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	secured := tls.Client(conn, &tls.Config{
		ServerName: host, MinVersion: tls.VersionTLS12,
		InsecureSkipVerify: true, //nolint:gosec // nothing is sent: only the key is read
	})
	if err := secured.HandshakeContext(ctx); err != nil {
		return "", err
	}
	shown := secured.ConnectionState().PeerCertificates
	if len(shown) == 0 {
		return "", errors.New("it has none")
	}
	return hashOf(shown[0]), nil
}

// hashOf is the SHA-256 of a certificate's public key, in base64, as browsers name keys.
func hashOf(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Keys are the SHA-256 sums of the public keys in base64, as browsers name them.
func (i *Insecure) Keys() []string {
	if i == nil {
		return nil
	}
	return i.keys
}

// TLS is the configuration of a client that trusts the servers, too; nil for that of every other client.
func (i *Insecure) TLS() *tls.Config {
	if len(i.Keys()) == 0 {
		return nil
	}
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: true, //nolint:gosec // VerifyConnection verifies
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) == 0 {
				return errors.New("the server presents no certificate")
			}
			for _, key := range i.keys {
				if key == hashOf(state.PeerCertificates[0]) {
					return nil
				}
			}
			return verify(state)
		},
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
