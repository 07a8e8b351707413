package main

import (
	"strings"
	"testing"
)

func TestFlagsOfTheProvider(t *testing.T) {
	const issuer = "https://login.example.com/realms/staff"
	for name, c := range map[string]struct {
		flags   openidFlags
		problem string
	}{
		"none":                 {openidFlags{}, ""},
		"a public client":      {openidFlags{OidcIssuer: issuer, OidcClientID: "a"}, ""},
		"a secret":             {openidFlags{OidcIssuer: issuer, OidcClientID: "a", OidcClientSecret: "b"}, ""},
		"without an issuer":    {openidFlags{OidcClientID: "a"}, "need --oidc-issuer"},
		"only a secret":        {openidFlags{OidcClientSecret: "b"}, "need --oidc-issuer"},
		"without a client":     {openidFlags{OidcIssuer: issuer}, "needs --oidc-client-id"},
		"plain HTTP":           {openidFlags{OidcIssuer: "http://login.example.com", OidcClientID: "a"}, "must begin with https://"},
		"no URL":               {openidFlags{OidcIssuer: "login", OidcClientID: "a"}, "must be a URL"},
		"a name of many words": {openidFlags{OidcIssuer: issuer, OidcClientID: "a", OidcName: strings.Repeat("n", 41)}, "at most 40"},
	} {
		err := c.flags.checkProvider()
		if c.problem == "" && err != nil || c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)) {
			t.Errorf("%s: %v, want %q", name, err, c.problem)
		}
	}
	flags := openidFlags{OidcIssuer: issuer, OidcClientID: "a"}
	p, err := flags.provider("https://afterimage.example.com/", []string{"10.0.0.0/8"})
	if err != nil || p.Name != "login.example.com" {
		t.Errorf("%+v, %v", p, err)
	}
}
