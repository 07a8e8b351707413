package openid

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"afterimage/internal/egress"
)

// Limits of what the provider may take and send.
const (
	patience  = 10 * time.Second
	maxAnswer = 1 << 20
)

// discover is what the provider tells about itself (OpenID Connect Discovery 1.0), asked for again from time to time. While it is
// down, what it told before serves. Those who wait for one answer share it, also when it is that there is none.
func (c *Client) discover(ctx context.Context) (*discovered, error) {
	came := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found != nil && came.Before(c.due) {
		return c.found, nil
	}
	if c.asked.Before(came) {
		found, err := c.ask(context.WithoutCancel(ctx)) // others may wait for it
		c.asked, c.problem = time.Now(), err
		c.due = c.asked.Add(discoveryPause)
		if err == nil {
			c.found, c.due = found, c.asked.Add(discoveryLife)
		}
	}
	if c.found == nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, c.problem)
	}
	return c.found, nil
}

func (c *Client) ask(ctx context.Context) (*discovered, error) {
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, c.http), c.config.Issuer)
	if err != nil {
		return nil, err
	}
	var told struct {
		Keys     string   `json:"jwks_uri"`
		Methods  []string `json:"token_endpoint_auth_methods_supported"`
		NamesIss bool     `json:"authorization_response_iss_parameter_supported"`
	}
	if err := provider.Claims(&told); err != nil {
		return nil, err
	}
	endpoint := provider.Endpoint()
	for _, address := range []string{endpoint.AuthURL, endpoint.TokenURL, told.Keys} {
		if err := c.checkEndpoint(address); err != nil {
			return nil, err
		}
	}
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if c.config.ClientSecret == "" || len(told.Methods) > 0 && !slices.Contains(told.Methods, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &discovered{provider: provider, namesIss: told.NamesIss, oauth: oauth2.Config{
		ClientID: c.config.ClientID, ClientSecret: c.config.ClientSecret, RedirectURL: c.config.Redirect, Endpoint: endpoint,
		Scopes: []string{oidc.ScopeOpenID, oidc.ScopeEmail, oidc.ScopeProfile},
	}}, nil
}

// checkEndpoint refuses an address that is less protected than the issuer.
func (c *Client) checkEndpoint(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return fmt.Errorf("the provider names %q, which is not an address", address)
	}
	if u.Scheme == "https" {
		return nil
	}
	issuer, err := url.Parse(c.config.Issuer)
	if err != nil || u.Scheme != issuer.Scheme || u.Host != issuer.Host {
		return fmt.Errorf("the provider names the address %q, which does not begin with https://", address)
	}
	return nil
}

// newHTTP asks providers under a policy, follows no redirect and reads no more than an answer can have.
func newHTTP(policy *egress.Policy) *http.Client {
	dialer := &egress.Dialer{Policy: policy, Timeout: patience}
	return &http.Client{
		Timeout: patience,
		Transport: bounded{&http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: patience, ResponseHeaderTimeout: patience,
			MaxResponseHeaderBytes: 64 << 10, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("the provider redirects, and redirects are not followed")
		},
	}
}

// bounded cuts answers.
type bounded struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, maxAnswer), answer.Body}
	}
	return answer, err
}
