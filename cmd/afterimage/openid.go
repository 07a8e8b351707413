package main

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"afterimage/internal/egress"
	"afterimage/internal/openid"
	"afterimage/internal/people"
)

// openidFlags say which OpenID Connect provider signs users in.
type openidFlags struct {
	OidcIssuer           string `help:"Issuer URL of an OpenID Connect provider at which users can sign in." placeholder:"URL"`
	OidcClientID         string `help:"Client id of this service at that provider." placeholder:"ID"`
	OidcClientSecret     string `secret:"" help:"Client secret of this service at that provider; none for a public client. Other users can read command lines: prefer the environment variable or the file." placeholder:"SECRET"`
	OidcClientSecretFile string `help:"File with the client secret." type:"path" placeholder:"FILE"`
	OidcName             string `help:"Name of that provider on the sign-in pages; default: its host." placeholder:"NAME"`
}

// maxProviderName is in characters: it stands on a button.
const maxProviderName = 40

// checkProvider refuses bad flags.
func (f *openidFlags) checkProvider() error {
	if f.OidcIssuer == "" {
		if f.OidcClientID != "" || f.OidcClientSecret != "" || f.OidcName != "" {
			return errors.New("--oidc-client-id, --oidc-client-secret, --oidc-client-secret-file and --oidc-name need --oidc-issuer")
		}
		return nil
	}
	if f.OidcClientID == "" {
		return errors.New("--oidc-issuer needs --oidc-client-id")
	}
	if utf8.RuneCountInString(f.OidcName) > maxProviderName {
		return fmt.Errorf("--oidc-name must have at most %d characters", maxProviderName)
	}
	_, err := f.provider("http://localhost", nil)
	return err
}

// provider is nil where none is configured. The operator gave its host, which may be an internal one; its other addresses must be
// public, or allowed like pages to capture.
func (f *openidFlags) provider(base string, allowed []string) (*people.Provider, error) {
	if f.OidcIssuer == "" {
		return nil, nil
	}
	if err := openid.CheckIssuer(f.OidcIssuer); err != nil {
		return nil, fmt.Errorf("--oidc-issuer: %w", err)
	}
	config := openid.Config{Issuer: f.OidcIssuer, ClientID: f.OidcClientID, ClientSecret: f.OidcClientSecret,
		Redirect: strings.TrimSuffix(base, "/") + people.ReturnPath}
	var err error
	if config.Policy, err = egress.NewPolicy(slices.Concat(allowed, []string{openid.HostOf(f.OidcIssuer)})...); err != nil {
		return nil, fmt.Errorf("--oidc-issuer, --allow-hosts: %w", err)
	}
	client, err := openid.New(config)
	if err != nil {
		return nil, fmt.Errorf("--oidc-issuer: %w", err)
	}
	name := f.OidcName
	if u, err := url.Parse(f.OidcIssuer); name == "" && err == nil {
		name = u.Hostname()
	}
	return &people.Provider{Client: client, Name: name}, nil
}
