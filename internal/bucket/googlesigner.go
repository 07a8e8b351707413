package bucket

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// errNoSigner is the error for links where the credentials hold no private key.
var errNoSigner = errors.New("only the key file of a service account can sign links: name one in GOOGLE_APPLICATION_CREDENTIALS")

// googleSigner signs links with the private key of a service account.
type googleSigner struct {
	email string
	key   []byte // PEM
}

// link signs by https://cloud.google.com/storage/docs/access-control/signed-urls-v2: method, MD5, type, end, resource.
func (s *googleSigner) link(service, bucket, key string, end time.Time) (string, error) {
	private, err := s.privateKey()
	if err != nil {
		return "", err
	}
	segments := strings.Split(key, "/")
	for i, segment := range segments {
		segments[i] = url.PathEscape(segment)
	}
	resource := "/" + bucket + "/" + strings.Join(segments, "/")
	expires := strconv.FormatInt(end.Unix(), 10)
	sum := sha256.Sum256([]byte("GET\n\n\n" + expires + "\n" + resource))
	signature, err := rsa.SignPKCS1v15(rand.Reader, private, crypto.SHA256, sum[:])
	if err != nil {
		return "", err
	}
	query := url.Values{
		"GoogleAccessId": {s.email}, "Expires": {expires}, "Signature": {base64.StdEncoding.EncodeToString(signature)},
	}
	return service + resource + "?" + query.Encode(), nil
}

func (s *googleSigner) privateKey() (*rsa.PrivateKey, error) {
	malformed := errors.New("the private key of the service account is malformed: download its key file again")
	der := s.key
	if block, _ := pem.Decode(s.key); block != nil {
		der = block.Bytes
	}
	if private, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return private, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, malformed
	}
	private, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, malformed
	}
	return private, nil
}
