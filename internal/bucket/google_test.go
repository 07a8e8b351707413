package bucket

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLinksOfGoogle are signed on this machine, with the key of the service account; its emulator has none.
func TestLinksOfGoogle(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	account, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "tester@example.com", "token_uri": "http://127.0.0.1:1",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})),
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "account.json")
	if err := os.WriteFile(file, account, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("STORAGE_EMULATOR_HOST", "")
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", file)
	link, err := opened(t, "gs://pictures/prefix").Link(t.Context(), "one", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := base64.StdEncoding.DecodeString(u.Query().Get("Signature"))
	if err != nil {
		t.Fatal(err)
	}
	// https://cloud.google.com/storage/docs/access-control/signed-urls-v2: method, MD5, type, end, resource
	signed := sha256.Sum256([]byte("GET\n\n\n" + u.Query().Get("Expires") + "\n/pictures/prefix/one"))
	if err := rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, signed[:], signature); err != nil || u.Path != "/pictures/prefix/one" {
		t.Errorf("%s: %v", link, err)
	}
}
