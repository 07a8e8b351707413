package flow

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // what RFC 6238 says, and nearly all sites use
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// OneTime makes the codes of RFC 6238 that change with the time.
type OneTime struct {
	seed   []byte
	hash   func() hash.Hash
	digits int
	period time.Duration
}

var errSeed = errors.New("the seed of one-time codes is invalid: give the address that begins with otpauth://totp/, or totp: and " +
	"the letters and digits that the site shows")

// ReadOneTime reads a seed, an otpauth address or totp: and the seed in base 32. The error does not repeat it.
func ReadOneTime(text string) (*OneTime, error) {
	made := &OneTime{hash: sha1.New, digits: 6, period: 30 * time.Second}
	seed, plain := strings.CutPrefix(text, "totp:")
	if !plain {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "otpauth" || u.Host != "totp" {
			return nil, errSeed
		}
		if err := made.read(u.Query()); err != nil {
			return nil, err
		}
		seed = u.Query().Get("secret")
	}
	seed = strings.ToUpper(strings.TrimRight(strings.NewReplacer(" ", "", "-", "").Replace(seed), "="))
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(seed)
	if err != nil || len(raw) < 10 || len(raw) > 128 {
		return nil, errSeed
	}
	made.seed = raw
	return made, nil
}

func (o *OneTime) read(options url.Values) error {
	switch algorithm := strings.ToUpper(options.Get("algorithm")); algorithm {
	case "", "SHA1":
	case "SHA256":
		o.hash = sha256.New
	case "SHA512":
		o.hash = sha512.New
	default:
		return errSeed
	}
	if text := options.Get("digits"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 6 || n > 8 {
			return errSeed
		}
		o.digits = n
	}
	if text := options.Get("period"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 5 || n > 300 {
			return errSeed
		}
		o.period = time.Duration(n) * time.Second
	}
	return nil
}

// At is the code that is valid at a time.
func (o *OneTime) At(t time.Time) string {
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(t.Unix()/int64(o.period/time.Second)))
	mac := hmac.New(o.hash, o.seed)
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	from := sum[len(sum)-1] & 0xf
	number := binary.BigEndian.Uint32(sum[from:from+4]) & 0x7fffffff
	modulus := uint32(1)
	for range o.digits {
		modulus *= 10
	}
	return fmt.Sprintf("%0*d", o.digits, number%modulus)
}
