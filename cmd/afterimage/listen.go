package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"afterimage/internal/edge"
	"afterimage/rest"
)

// listenFlags say how clients reach the service.
type listenFlags struct {
	Listen         string   `help:"Address to listen on." default:"127.0.0.1:8080"`
	PublicURL      string   `help:"URL under which clients reach the service, for links; default: the listening address, or localhost for a wildcard." placeholder:"https://…"`
	TLSCert        string   `name:"tls-cert" help:"Certificate with its chain (PEM); reloaded when it changes." type:"path" placeholder:"FILE"`
	TLSKey         string   `name:"tls-key" help:"Private key of the certificate (PEM)." type:"path" placeholder:"FILE"`
	RedirectFrom   string   `help:"Additional address that redirects browsers from plain HTTP to TLS." placeholder:":80"`
	TrustedProxies []string `help:"Addresses or networks of TLS proxies whose Forwarded or X-Forwarded-* headers are trusted." placeholder:"NETWORK"`
	InsecureHTTP   bool     `name:"insecure-http" help:"Serve plain HTTP on non-loopback addresses, although tokens can be read in transit."`
}

// machinePaths are those that programs use.
var machinePaths = []string{"/api/v2/", "/graphql", "/session", rest.TrialPath}

// listeners are where requests come in.
type listeners struct {
	service  net.Listener
	redirect net.Listener // nil without one
	tls      bool
	proxies  edge.Proxies
}

// open checks the flags and listens.
func (f *listenFlags) open(ctx context.Context, logger *slog.Logger) (_ *listeners, err error) {
	l := &listeners{tls: f.TLSCert != ""}
	if l.proxies, err = edge.ParseProxies(f.TrustedProxies); err != nil {
		return nil, fmt.Errorf("--trusted-proxies: %w", err)
	}
	config, err := f.certificate(logger)
	if err != nil {
		return nil, err
	}
	if l.service, err = (&net.ListenConfig{}).Listen(ctx, "tcp", f.Listen); err != nil {
		return nil, fmt.Errorf("cannot listen on %s (choose another address with --listen): %w", f.Listen, err)
	}
	if !l.tls && !isLoopback(l.service.Addr()) && len(l.proxies) == 0 && !f.InsecureHTTP {
		return nil, errors.Join(fmt.Errorf("%s is not a loopback address, and tokens need TLS: set --tls-cert and --tls-key, "+
			"name the TLS proxy with --trusted-proxies, or allow plain HTTP with --insecure-http", f.Listen), l.close())
	}
	if config != nil {
		l.service = tls.NewListener(l.service, config)
	}
	if f.RedirectFrom != "" {
		if l.redirect, err = (&net.ListenConfig{}).Listen(ctx, "tcp", f.RedirectFrom); err != nil {
			return nil, errors.Join(fmt.Errorf("cannot listen on %s (choose another address with --redirect-from): %w", f.RedirectFrom,
				err), l.close())
		}
	}
	return l, nil
}

// certificate is the TLS of the service, nil without.
func (f *listenFlags) certificate(logger *slog.Logger) (*tls.Config, error) {
	switch {
	case (f.TLSCert == "") != (f.TLSKey == ""):
		return nil, errors.New("--tls-cert and --tls-key must be given together")
	case f.TLSCert == "" && f.RedirectFrom != "":
		return nil, errors.New("--redirect-from redirects to TLS and needs a certificate: set --tls-cert and --tls-key")
	case f.TLSCert == "":
		return nil, nil
	}
	certificate, err := edge.LoadCertificate(f.TLSCert, f.TLSKey, logger)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert: %w", err)
	}
	return certificate.Config(), nil
}

func isLoopback(address net.Addr) bool {
	tcp, ok := address.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

func (l *listeners) scheme() string {
	if l.tls {
		return "https"
	}
	return "http"
}

// handler puts in front of the service what is known of the network. Where clients must come by TLS and a proxy
// tells that one did not, it is sent to TLS.
func (l *listeners) handler(service http.Handler, publicURL string) http.Handler {
	policy := edge.HTTPS{Public: strings.HasPrefix(publicURL, "https://"), Machines: machinePaths}
	if policy.Public && len(l.proxies) > 0 {
		service = policy.Insist(service)
	}
	return l.proxies.Handler(policy.Handler(service))
}

// redirector leads to the service.
func (l *listeners) redirector() http.Handler {
	_, port, err := net.SplitHostPort(l.service.Addr().String())
	if err != nil {
		port = ""
	}
	return edge.HTTPS{Machines: machinePaths}.Redirect(port)
}

func (l *listeners) close() error {
	err := l.service.Close()
	if l.redirect != nil {
		err = errors.Join(err, l.redirect.Close())
	}
	return err
}
