package buckettest

import (
	"encoding/base64"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
)

// Account is the storage account of the Azure server.
const Account = "afterimagetest"

// AccountKey is the key of the account, which is always written in base64.
var AccountKey = base64.StdEncoding.EncodeToString([]byte(SecretKey))

// azurite is where the npm package is.
var azurite = []string{"internal", "bucket", "conformance", "node_modules", "azurite"}

// StartAzure starts Azurite, which keeps what it is given in memory, until the test ends, and gives the process its credentials.
func StartAzure(t testing.TB) *Server {
	t.Helper()
	t.Setenv("AZURE_STORAGE_KEY", AccountKey)
	installed := inProject(t, azurite...)
	if _, err := os.Stat(installed); err != nil {
		t.Fatalf("the packages of internal/bucket/conformance are not installed: make test does that: %v", err)
	}
	host, port := freeAddress(t)
	s := &Server{Endpoint: "http://" + net.JoinHostPort(host, port)}
	s.provider = provider{url: azureURL, create: func(t testing.TB, bucket string) {
		t.Helper()
		if _, err := s.container(t, bucket).Create(t.Context(), nil); err != nil {
			t.Fatalf("create a container: %v", err)
		}
	}}
	// The client speaks a newer version of the protocol than the server, and uses nothing of it that is new.
	server := command(t, "node", filepath.Join(installed, "dist", "src", "blob", "main.js"), "--blobHost", host, "--blobPort", port,
		"--inMemoryPersistence", "--silent", "--skipApiVersionCheck", "--disableProductStyleUrl")
	server.Dir = t.TempDir()
	server.Env = append(os.Environ(), "AZURITE_ACCOUNTS="+Account+":"+AccountKey)
	s.run(t, "/"+Account, server)
	return s
}

func azureURL(_ testing.TB, bucket, endpoint string) string {
	return "azblob://" + bucket + "?" + url.Values{
		"storage_account": {Account}, "domain": {strings.TrimPrefix(endpoint, "http://")}, "protocol": {"http"}, "localemu": {"true"},
	}.Encode()
}

// container is a container for its administrator.
func (s *Server) container(t testing.TB, name string) *container.Client {
	t.Helper()
	key, err := container.NewSharedKeyCredential(Account, AccountKey)
	if err != nil {
		t.Fatal(err)
	}
	c, err := container.NewClientWithSharedKeyCredential(s.Endpoint+"/"+Account+"/"+name, key, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ReadOnly is a SAS token of the Azure server for somebody who may read a container and list it, and nothing else.
func (s *Server) ReadOnly(t testing.TB, bucket string) string {
	t.Helper()
	signed, err := s.container(t, bucket).GetSASURL(sas.ContainerPermissions{Read: true, List: true}, time.Now().Add(time.Hour), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, token, _ := strings.Cut(signed, "?")
	return token
}

// ConnectionString is what Azure calls the address of an account and its key.
func (s *Server) ConnectionString() string {
	return strings.Join([]string{
		"DefaultEndpointsProtocol=http", "AccountName=" + Account, "AccountKey=" + AccountKey, "BlobEndpoint=" + s.Endpoint + "/" + Account,
	}, ";")
}
