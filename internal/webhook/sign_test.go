package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"afterimage/internal/webhook"
)

var sentAt = time.Unix(1_700_000_000, 0)

// The example of the Standard Webhooks specification, so that a mistake of ours cannot confirm itself.
func TestSignMatchesTheStandardsExample(t *testing.T) {
	header := make(http.Header)
	webhook.Sign(header, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1_614_265_330, 0), []byte(`{"test": 2432232314}`),
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	if got := header.Get(webhook.HeaderStandardSignature); got != want {
		t.Errorf("signature %q, want %q", got, want)
	}
}

func TestSignaturesVerifyAndNoFlippedByteDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(t, "body")
		secret := rapid.StringMatching(`[A-Za-z0-9]{40}`).Draw(t, "secret")
		header := make(http.Header)
		webhook.Sign(header, "d1", sentAt, body, secret)
		if !verifies(header, body, secret) || !verifiesStandard(header, body, secret) {
			t.Fatal("the signatures do not verify")
		}
		body[rapid.IntRange(0, len(body)-1).Draw(t, "place")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if verifies(header, body, secret) || verifiesStandard(header, body, secret) {
			t.Fatal("a flipped bit verifies")
		}
	})
}

func TestWhileASecretIsReplacedBothSign(t *testing.T) {
	header, body := make(http.Header), []byte(`{}`)
	webhook.Sign(header, "d1", sentAt, body, strings.Repeat("new1", 10), strings.Repeat("old1", 10))
	for _, secret := range []string{strings.Repeat("new1", 10), strings.Repeat("old1", 10)} {
		if !verifiesStandard(header, body, secret) {
			t.Errorf("not signed with %s…", secret[:4])
		}
	}
	if !verifies(header, body, strings.Repeat("new1", 10)) {
		t.Error("Signature is not of the first secret")
	}
}

func verifies(header http.Header, body []byte, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return header.Get("Signature") == hex.EncodeToString(mac.Sum(nil))
}

func verifiesStandard(header http.Header, body []byte, secret string) bool {
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + header.Get("webhook-timestamp") + "."))
	mac.Write(body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for signature := range strings.FieldsSeq(header.Get("webhook-signature")) {
		if signature == want {
			return true
		}
	}
	return false
}
