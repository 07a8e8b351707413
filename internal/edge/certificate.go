package edge

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Certificate is a certificate in files that are reloaded when they change, so that renewal needs no restart.
type Certificate struct {
	certFile, keyFile string
	logger            *slog.Logger
	now               func() time.Time

	mu      sync.Mutex
	current *tls.Certificate
	stamp   [2]fileStamp
	looked  time.Time
}

type fileStamp struct {
	size    int64
	changed time.Time
}

// lookEvery is how long files are not looked at again.
const lookEvery = time.Second

// LoadCertificate loads a certificate with its chain, and its private key, both in PEM format.
func LoadCertificate(certFile, keyFile string, logger *slog.Logger) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile, logger: logger, now: time.Now}
	if err := c.load(); err != nil {
		return nil, err
	}
	return c, nil
}

// Config returns the TLS configuration of a server with this certificate.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.get(), nil },
	}
}

func (c *Certificate) get() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.looked) >= lookEvery {
		c.looked = now
		if stamp, err := c.stamps(); err != nil || stamp != c.stamp {
			c.renew()
		}
	}
	return c.current
}

// renew reads changed files. What cannot be read, such as a key that does not go with its certificate yet, changes
// nothing: it is tried again when a file changes once more.
func (c *Certificate) renew() {
	if err := c.load(); err != nil {
		c.logger.Warn("the new certificate cannot be read; keeping the old one", "cause", err)
		return
	}
	c.logger.Info("the certificate was renewed", "file", c.certFile)
}

func (c *Certificate) load() error {
	stamp, err := c.stamps()
	if err != nil {
		return err
	}
	c.stamp = stamp
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return fmt.Errorf("read the certificate %s with its key %s: %w", c.certFile, c.keyFile, err)
	}
	c.current = &pair
	return nil
}

func (c *Certificate) stamps() (stamps [2]fileStamp, err error) {
	for i, name := range []string{c.certFile, c.keyFile} {
		info, err := os.Stat(name)
		if err != nil {
			return stamps, fmt.Errorf("look at the certificate's files: %w", err)
		}
		stamps[i] = fileStamp{info.Size(), info.ModTime()}
	}
	return stamps, nil
}
