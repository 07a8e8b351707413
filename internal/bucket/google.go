package bucket

import (
	"context"
	"encoding/json"
	"net/url"
	"os"

	"cloud.google.com/go/storage"
	"gocloud.dev/blob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/gcp"
	"golang.org/x/oauth2/google"
	"google.golang.org/api/option"
)

// openGoogle opens a bucket of Google Cloud Storage with the application default credentials. Links can be signed with
// those that hold a private key. STORAGE_EMULATOR_HOST names a server for tests.
func openGoogle(ctx context.Context, name string, parameters url.Values) (*blob.Bucket, error) {
	if os.Getenv("STORAGE_EMULATOR_HOST") != "" {
		return openGoogleWith(ctx, gcp.NewAnonymousHTTPClient(gcp.DefaultTransport()), name, nil)
	}
	universe := parameters.Get("universe_domain")
	found, err := gcp.DefaultCredentialsWithParams(ctx, google.CredentialsParams{UniverseDomain: universe})
	if err != nil {
		return nil, err
	}
	client, err := gcp.NewHTTPClient(gcp.DefaultTransport(), gcp.CredentialsTokenSource(found))
	if err != nil {
		return nil, err
	}
	options := &gcsblob.Options{}
	var account struct {
		Email string `json:"client_email"`
		Key   string `json:"private_key"`
	}
	if json.Unmarshal(found.JSON, &account) == nil && account.Key != "" {
		options.GoogleAccessID, options.PrivateKey = account.Email, []byte(account.Key)
	}
	if universe != "" {
		options.ClientOptions = append(options.ClientOptions, option.WithUniverseDomain(universe))
	}
	return openGoogleWith(ctx, client, name, options)
}

func openGoogleWith(ctx context.Context, client *gcp.HTTPClient, name string, options *gcsblob.Options) (*blob.Bucket, error) {
	remote, err := gcsblob.OpenBucket(ctx, client, name, options)
	if err != nil {
		return nil, err
	}
	var google *storage.Client
	if remote.As(&google) {
		google.SetRetry(storage.WithPolicy(storage.RetryNever)) // we repeat calls ourselves, and tell why the last one failed
	}
	return remote, nil
}
