package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
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
	OidcClientSecret     string `help:"Client secret of this service at that provider; none for a public client. Others can read command lines: prefer the variable or the file." placeholder:"SECRET"`
	OidcClientSecretFile string `help:"File with the client secret." type:"path" placeholder:"FILE"`
	OidcName             string `help:"Name of that provider on the sign-in pages; default: its host." placeholder:"NAME"`
}

// maxProviderName is in characters: it stands on a button.
const maxProviderName = 40

// checkProvider refuses bad flags.
func (f *openidFlags) checkProvider() error {
	if f.OidcIssuer == "" {
		if f.OidcClientID != "" || f.OidcClientSecret != "" || f.OidcClientSecretFile != "" || f.OidcName != "" {
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
	secret, err := f.secret()
	if err != nil {
		return nil, err
	}
	config := openid.Config{Issuer: f.OidcIssuer, ClientID: f.OidcClientID, ClientSecret: secret,
		Redirect: strings.TrimSuffix(base, "/") + people.ReturnPath}
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

func (f *openidFlags) secret() (string, error) {
	if f.OidcClientSecretFile == "" {
		return f.OidcClientSecret, nil
	}
	if f.OidcClientSecret != "" {
		return "", errors.New("--oidc-client-secret and --oidc-client-secret-file exclude each other")
	}
	file, err := os.ReadFile(f.OidcClientSecretFile)
	if err != nil {
		return "", fmt.Errorf("--oidc-client-secret-file: %w", err)
	}
	secret := strings.TrimSpace(string(file))
	if secret == "" || len(secret) > maxKey || strings.ContainsAny(secret, "\r\n") {
		return "", errors.New("--oidc-client-secret-file must contain only the secret, on one line")
	}
	return secret, nil
}
