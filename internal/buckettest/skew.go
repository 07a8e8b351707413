package buckettest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// tolerance is how far S3 lets clocks differ.
const tolerance = 15 * time.Minute

// Skewed is a server whose clock is ahead: it refuses what was signed by another time, and says what time it has.
func Skewed(ahead time.Duration) Fault {
	return func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		now := time.Now().Add(ahead)
		w.Header().Set("Date", now.UTC().Format(http.TimeFormat))
		signed, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
		if err != nil || signed.Sub(now).Abs() > tolerance {
			Answer(http.StatusForbidden, "RequestTimeTooSkewed")(w, r, pass)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		sum := sha256.Sum256(body)
		again := r.Clone(r.Context())
		again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		for _, name := range []string{"Authorization", "X-Amz-Date"} {
			again.Header.Del(name)
		}
		hash := hex.EncodeToString(sum[:])
		again.Header.Set("X-Amz-Content-Sha256", hash)
		keys := aws.Credentials{AccessKeyID: AccessKey, SecretAccessKey: SecretKey}
		if err := v4.NewSigner().SignHTTP(r.Context(), keys, again, hash, "s3", "us-east-1", time.Now()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		whole := httptest.NewRecorder()
		pass.ServeHTTP(whole, again)
		date := w.Header().Get("Date")
		copyHeader(w, whole)
		w.Header().Set("Date", date)
		w.WriteHeader(whole.Code)
		_, _ = w.Write(whole.Body.Bytes())
	}
}
