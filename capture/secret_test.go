package capture

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
	"time"

	"afterimage/internal/flow"
	"afterimage/internal/page"
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
		code, err := readOneTime("otpauth://totp/Shop:reader?digits=8&algorithm=" + vector.hash + "&secret=" + seed)
		if err != nil {
			t.Fatal(err)
		}
		if got := code.at(time.Unix(vector.at, 0)); got != vector.want {
			t.Errorf("%s at %d: %s, want %s", vector.hash, vector.at, got, vector.want)
		}
	}
	plain, err := readOneTime("totp:gezd gnbv gy3t qojq GEZDGNBVGY3TQOJQ")
	if err != nil || plain.at(time.Unix(59, 0)) != "287082" {
		t.Errorf("%v", err)
	}
	for _, wrong := range []string{"totp:", "totp:0189", "totp:GEZDGNBV", "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
		"otpauth://totp/x", "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=99",
		"otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=0", "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&algorithm=MD5"} {
		if _, err := NewSecret(wrong); err == nil || strings.Contains(err.Error(), "GEZD") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestASecretDoesNotPrintItself(t *testing.T) {
	secret, err := NewSecret("Zq7 & wJx9")
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(map[string]any{"secret": secret, "pointer": &secret})
	if text := string(encoded) + fmt.Sprint(secret) + fmt.Sprintf("%+v %#v %s %q", secret, secret, secret, secret); err != nil ||
		strings.Contains(text, "Zq7") || strings.Contains(text, "wJx9") {
		t.Errorf("%s, %v", text, err)
	}
	for _, wrong := range []string{"", "abc", "two\nlines", "not\xffutf8", strings.Repeat("x", maxSecret+1)} {
		if _, err := NewSecret(wrong); err == nil {
			t.Errorf("%.20q is accepted", wrong)
		}
	}
}

// TestSecretsAreHiddenHoweverTheyAreWritten.
func TestSecretsAreHiddenHoweverTheyAreWritten(t *testing.T) {
	const text = `Zq7&"<ü'+/ wJx9`
	v := &vault{hosts: map[string][]string{}}
	v.add("password", text)
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	const hidden = "a [secret password] b"
	for _, written := range []string{
		text, strings.ToUpper(text), url.QueryEscape(text), url.PathEscape(text), html.EscapeString(text),
		strings.Trim(string(quoted), `"`),
		strings.ToLower(url.QueryEscape(text)), fmt.Sprintf("%x", text), url.QueryEscape(url.QueryEscape(text)),
		`Zq7%26%22%3C%FC%27+/%20wJx9`, `Zq7&\"<\u00fc'+/ wJx9`, "Zq7&#38;&#x22;<&#252;&#39;+/\n wJx9", `Zq7&amp;"&lt;ü'+/ wJx9`,
	} {
		if got := v.hide("a " + written + " b"); got != hidden {
			t.Errorf("%q becomes %q", written, got)
		}
	}
	for _, around := range []string{"", "a", "ab", "user:"} {
		got := v.hide(base64.StdEncoding.EncodeToString([]byte(around + text + around)))
		if !strings.Contains(got, "[secret password]") || len(got) > len(around)*2+30 {
			t.Errorf("in base64 after %q: %s", around, got)
		}
	}
	for cutOff := minBeginning; cutOff < len(text); cutOff++ {
		if got := v.hide("a " + text[:cutOff]); got != "a [secret password]" {
			t.Errorf("cut off after %d bytes: %q", cutOff, got)
		}
	}
	if got := v.hide("Zq, 7& and others"); got != "Zq, 7& and others" {
		t.Errorf("%q", got)
	}
	shot := newShot()
	shot.Title, shot.Content.Variables = text, map[string]string{"--a" + text: text}
	shot.Content.Elements = []page.Element{{Text: text, Value: text, Selector: "#" + text}}
	shot.Manifest.FailedRequests = []page.FailedRequest{{URL: "https://example.com/?" + url.QueryEscape(text)}}
	v.hideAll(shot)
	if told, err := json.Marshal(shot); err != nil || strings.Contains(string(told), "Zq7") || strings.Contains(string(told), "wJx9") ||
		strings.Count(string(told), "[secret password]") != 7 {
		t.Errorf("%s, %v", told, err)
	}
}

func TestHostsOfSecrets(t *testing.T) {
	f := &flow.Flow{Start: "https://shop.example.com/", Secrets: []flow.Secret{{Name: "b", Hosts: []string{"pay.example.com:8443"}}}}
	v := &vault{safe: true, hosts: map[string][]string{"a": f.HostsOf("a"), "b": f.HostsOf("b")}}
	for _, test := range []struct {
		name, protocol, host string
		ok                   bool
	}{
		{"a", "https:", "shop.example.com", true}, {"a", "https:", "SHOP.example.com:443", true},
		{"a", "https:", "shop.example.com:8443", false},
		{"a", "http:", "shop.example.com", false}, {"a", "https:", "example.com", false}, {"a", "https:", "shop.example.com.test", false},
		{"a", "https:", "", false}, {"b", "https:", "pay.example.com:8443", true}, {"b", "https:", "pay.example.com", false},
		{"b", "https:", "shop.example.com", false}, {"c", "https:", "shop.example.com", false},
	} {
		if reason, ok := v.accepts(test.name, test.protocol, test.host); ok != test.ok || ok != (reason == "") {
			t.Errorf("%+v: %t %s", test, ok, reason)
		}
	}
}
