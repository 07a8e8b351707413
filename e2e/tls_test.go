package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certificate makes files of a certificate for loopback, and a client that knows it.
func certificate(t *testing.T) (certFile, keyFile string, client *http.Client) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for file, content := range map[string][]byte{certFile: chain,
		keyFile: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})} {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	known := x509.NewCertPool()
	known.AppendCertsFromPEM(chain)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: known}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return certFile, keyFile, &http.Client{
		Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func get(t *testing.T, client *http.Client, address string, header http.Header) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		r.Header = header
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// TestTLS serves by TLS with a certificate of its own, and leads there from a plain address.
func TestTLS(t *testing.T) {
	t.Parallel()
	certFile, keyFile, client := certificate(t)
	plain := closedPort(t)
	s := serve(t, nil, "--no-work", "--tls-cert", certFile, "--tls-key", keyFile, "--redirect-from", plain)
	if !strings.HasPrefix(s.url, "https://") {
		t.Fatalf("served at %s", s.url)
	}
	bearer := http.Header{"Authorization": {"Bearer " + s.token}}
	response, body := get(t, client, s.url+"/api/v2/groups", bearer)
	if response.StatusCode != 200 || response.ProtoMajor != 2 || response.Header.Get("Strict-Transport-Security") == "" ||
		!strings.Contains(body, `"path":"`+s.url+`/api/v2/groups"`) {
		t.Errorf("by TLS: %s %s %v %s", response.Status, response.Proto, response.Header, body)
	}
	response, _ = get(t, client, "http://"+plain+"/signin/?next=/", nil)
	if response.StatusCode != 308 || response.Header.Get("Location") != s.url+"/signin/?next=/" {
		t.Errorf("a page without TLS: %s to %s", response.Status, response.Header.Get("Location"))
	}
	if response, body = get(t, client, "http://"+plain+"/api/v2/groups", bearer); response.StatusCode != 403 {
		t.Errorf("a token without TLS: %s %s", response.Status, body)
	}
}

// TestTrustedProxy is asked by a proxy on loopback, which tells how its clients came.
func TestTrustedProxy(t *testing.T) {
	t.Parallel()
	listens := closedPort(t)
	s := serve(t, nil, "--no-work", "--listen", listens, "--trusted-proxies", "127.0.0.1", "--public-url", "https://shots.test")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	ask := func(path string, told ...string) (*http.Response, string) {
		header := http.Header{"Authorization": {"Bearer " + s.token}}
		for i := 0; i < len(told); i += 2 {
			header.Set(told[i], told[i+1])
		}
		return get(t, client, "http://"+listens+path, header)
	}
	if response, body := ask("/api/v2/groups", "X-Forwarded-Proto", "https"); response.StatusCode != 200 ||
		!strings.Contains(body, `"path":"https://shots.test/api/v2/groups"`) {
		t.Errorf("by TLS: %s %s", response.Status, body)
	}
	if response, _ := ask("/api/v2/groups", "X-Forwarded-Proto", "http"); response.StatusCode != 403 {
		t.Errorf("a token without TLS: %s", response.Status)
	}
	if response, _ := ask("/signin/", "Forwarded",
		"for=203.0.113.1;proto=http;host=shots.test"); response.Header.Get("Location") != "https://shots.test/signin/" {
		t.Errorf("a page without TLS: %s to %q", response.Status, response.Header.Get("Location"))
	}
}
