package bucket

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

// googleScope is what tokens are asked for. What they may do with the bucket is for its rights to say.
const googleScope = "https://www.googleapis.com/auth/cloud-platform"

// openGoogle opens a bucket of Google Cloud Storage with the application default credentials. Links can be signed with
// those that hold a private key. STORAGE_EMULATOR_HOST names a server for tests.
func openGoogle(ctx context.Context, name string, parameters url.Values) (remote, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	boundedTransport(transport)
	transport.DisableCompression = true // pictures are compressed, and sizes are those of what is stored
	b := &googleBucket{name: name, transport: transport, client: &http.Client{Transport: transport}}
	if host := os.Getenv("STORAGE_EMULATOR_HOST"); host != "" {
		b.service = strings.TrimSuffix(host, "/")
		if !strings.Contains(host, "://") {
			b.service = "http://" + b.service
		}
		return b, nil
	}
	universe := parameters.Get("universe_domain")
	// Tokens are asked for long after this call.
	ctx = context.WithValue(context.WithoutCancel(ctx), oauth2.HTTPClient, b.client)
	wanted := google.CredentialsParams{Scopes: []string{googleScope}, UniverseDomain: universe}
	found, err := google.FindDefaultCredentialsWithParams(ctx, wanted)
	if err != nil {
		return nil, err
	}
	b.service = "https://storage." + cmp.Or(universe, "googleapis.com")
	b.client = &http.Client{Transport: &oauth2.Transport{Base: transport, Source: found.TokenSource}}
	var account struct {
		Email string `json:"client_email"`
		Key   string `json:"private_key"`
	}
	if json.Unmarshal(found.JSON, &account) == nil && account.Key != "" {
		b.signer = &googleSigner{email: account.Email, key: []byte(account.Key)}
	}
	return b, nil
}
