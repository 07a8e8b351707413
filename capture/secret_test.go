package capture

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"afterimage/internal/flow"
	"afterimage/internal/page"
)

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
	for _, wrong := range []string{"", "abc", "two\nlines", "not\xffutf8", strings.Repeat("x", 1000+1)} {
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
