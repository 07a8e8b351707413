package flow

import (
	"encoding/base32"
	"strings"
	"testing"
	"time"
)

// TestOneTimeCodes are those of RFC 6238, appendix B.
func TestOneTimeCodes(t *testing.T) {
	seeds := map[string]string{
		"SHA1": "12345678901234567890", "SHA256": "12345678901234567890123456789012",
		"SHA512": "1234567890123456789012345678901234567890123456789012345678901234",
	}
	for _, vector := range []struct {
		at   int64
		hash string
		want string
	}{
		{59, "SHA1", "94287082"}, {59, "SHA256", "46119246"}, {59, "SHA512", "90693936"},
		{1111111109, "SHA1", "07081804"}, {1111111109, "SHA256", "68084774"}, {1111111109, "SHA512", "25091201"},
		{1111111111, "SHA1", "14050471"}, {1111111111, "SHA256", "67062674"}, {1111111111, "SHA512", "99943326"},
		{1234567890, "SHA1", "89005924"}, {1234567890, "SHA256", "91819424"}, {1234567890, "SHA512", "93441116"},
		{2000000000, "SHA1", "69279037"}, {2000000000, "SHA256", "90698825"}, {2000000000, "SHA512", "38618901"},
		{20000000000, "SHA1", "65353130"}, {20000000000, "SHA256", "77737706"}, {20000000000, "SHA512", "47863826"},
	} {
		seed := strings.TrimRight(base32.StdEncoding.EncodeToString([]byte(seeds[vector.hash])), "=")
		code, err := ReadOneTime("otpauth://totp/Shop:reader?digits=8&algorithm=" + vector.hash + "&secret=" + seed)
		if err != nil {
			t.Fatal(err)
		}
		if got := code.At(time.Unix(vector.at, 0)); got != vector.want {
			t.Errorf("%s at %d: %s, want %s", vector.hash, vector.at, got, vector.want)
		}
	}
	plain, err := ReadOneTime("totp:gezd gnbv gy3t qojq GEZDGNBVGY3TQOJQ")
	if err != nil || plain.At(time.Unix(59, 0)) != "287082" {
		t.Errorf("%v", err)
	}
	for _, wrong := range []string{"totp:", "totp:0189", "totp:GEZDGNBV", "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
		"otpauth://totp/x", "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=99",
		"otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=0", "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&algorithm=MD5"} {
		if _, err := CheckSecret(wrong); err == nil || strings.Contains(err.Error(), "GEZD") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
