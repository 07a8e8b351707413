package edge

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// issue writes a self-signed certificate of a name and its key.
func issue(t *testing.T, certFile, keyFile, name string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	write(t, keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

func write(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func nameOf(t *testing.T, c *Certificate) string {
	t.Helper()
	shown, err := c.Config().GetCertificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(shown.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Subject.CommonName
}

func TestCertificatesAreRenewed(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	issue(t, certFile, keyFile, "first")
	var log bytes.Buffer
	c, err := LoadCertificate(certFile, keyFile, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	c.now = func() time.Time { return now }
	if got := nameOf(t, c); got != "first" {
		t.Fatalf("shown is %q", got)
	}
	issue(t, certFile, keyFile, "second certificate")
	if got := nameOf(t, c); got != "first" {
		t.Errorf("within the second %q is shown", got)
	}
	now = now.Add(lookEvery)
	if got := nameOf(t, c); got != "second certificate" {
		t.Errorf("after renewal %q is shown", got)
	}
	write(t, certFile, []byte("not a certificate"))
	now = now.Add(lookEvery)
	if got := nameOf(t, c); got != "second certificate" || !strings.Contains(log.String(), "keeping the old one") {
		t.Errorf("with a broken file %q is shown; log: %s", got, log.String())
	}
	if err := os.Remove(certFile); err != nil {
		t.Fatal(err)
	}
	now = now.Add(lookEvery)
	if got := nameOf(t, c); got != "second certificate" {
		t.Errorf("without a file %q is shown", got)
	}
	issue(t, certFile, keyFile, "third")
	now = now.Add(lookEvery)
	if got := nameOf(t, c); got != "third" {
		t.Errorf("mended, %q is shown", got)
	}
}

func TestBrokenCertificatesShowAtStart(t *testing.T) {
	if _, err := LoadCertificate("/nonexistent/cert.pem", "/nonexistent/key.pem", slog.Default()); err == nil {
		t.Error("missing files were taken")
	}
}
