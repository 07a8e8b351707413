package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of a signed request. The names of the Standard Webhooks specification (standardwebhooks.com) are lower-case
// there; HTTP does not mind.
const (
	HeaderSignature         = "Signature"
	HeaderID                = "Webhook-Id"
	HeaderTimestamp         = "Webhook-Timestamp"
	HeaderStandardSignature = "Webhook-Signature"
)

// secretPrefix marks the secrets of Standard Webhooks. It is no part of their key.
const secretPrefix = "whsec_"

// Sign sets two kinds of signatures on a request: Signature, the lower-case hex HMAC-SHA256 of the body under the
// first secret, and the three headers of Standard Webhooks, which also sign the delivery id and the timestamp. Those
// contain a signature for every secret, so that receivers can verify with the old or the new one during a rotation.
func Sign(header http.Header, id string, at time.Time, body []byte, secrets ...string) {
	if len(secrets) == 0 {
		return
	}
	timestamp := strconv.FormatInt(at.Unix(), 10)
	header.Set(HeaderSignature, hex.EncodeToString(sum([]byte(secrets[0]), body)))
	header.Set(HeaderID, id)
	header.Set(HeaderTimestamp, timestamp)
	signed := make([]string, len(secrets))
	for i, secret := range secrets {
		signed[i] = "v1," + base64.StdEncoding.EncodeToString(sum(standardKey(secret), []byte(id+"."+timestamp+"."), body))
	}
	header.Set(HeaderStandardSignature, strings.Join(signed, " "))
}

// standardKey is the key that libraries of Standard Webhooks make of a secret: they take it for base64. A secret that is
// none is its own key.
func standardKey(secret string) []byte {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		return []byte(secret)
	}
	return key
}

func sum(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}
