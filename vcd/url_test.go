package vcd

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseAddress(t *testing.T) {
	for _, c := range []struct{ raw, scheme, address string }{
		{"example.com", "", "example.com"},
		{"https://example.com", "https", "example.com"},
		{"https://example.com/", "https", "example.com"},
		{"http://Example.COM/Path/?q=1#part", "http", "example.com/Path/?q=1"},
		{"https://example.com#/about", "https", "example.com/#/about"},
		{"https://example.com/?q=1#/a b", "https", "example.com?q=1#/a%20b"},
		{"example.com?q=1#!about", "", "example.com?q=1#!about"},
		{"https://example.com/app#", "https", "example.com/app"},
		{"  example.com/a  ", "", "example.com/a"},
		{"//example.com/a", "", "example.com/a"},
		{"http://example.com:80/a", "http", "example.com/a"},
		{"https://example.com:443", "https", "example.com"},
		{"http://example.com:443", "http", "example.com:443"},
		{"example.com:8080/a", "", "example.com:8080/a"},
		{"bücher.example", "", "xn--bcher-kva.example"},
		{"https://example.com./", "https", "example.com"},
		{"http://127.0.0.1:81/x", "http", "127.0.0.1:81/x"},
		{"http://[::1]:81/x", "http", "[::1]:81/x"},
		{"https://example.com/ä b", "https", "example.com/%C3%A4%20b"},
		{"example.com?q=a b", "", "example.com?q=a b"},
		{"my_shop.example.com", "", "my_shop.example.com"},
		{"r3---sn-a.example.com", "", "r3---sn-a.example.com"},
	} {
		v := &Validation{}
		scheme, address := ParseAddress(v, "url", c.raw)
		if err := v.Err(); err != nil || scheme != c.scheme || address != c.address {
			t.Errorf("%q: %q, %q, %v; want %q, %q", c.raw, scheme, address, err, c.scheme, c.address)
		}
	}
}

func TestParseAddressRefuses(t *testing.T) {
	for _, raw := range []string{
		"", " ", "ftp://example.com", "javascript:alert(1)", "file:///etc/passwd", "https://", "https:///path",
		"https://user:secret@example.com", "user@example.com", "https://exa mple.com", "http://example.com:99999x", "http://[::1",
		"https://example.com/\x00", "https://" + strings.Repeat("a", 2050), "https://\xff.example", "http:example.com",
		"https://a<b.example", "https://.", "https://exa%6Dple!.com",
	} {
		v := &Validation{}
		if scheme, address := ParseAddress(v, "url", raw); v.Err() == nil {
			t.Errorf("%q was taken as %q, %q", raw, scheme, address)
		}
	}
}

// Normalising is idempotent: get-or-create by address depends on it.
func TestParseAddressIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		host := rapid.StringMatching(`[a-z0-9]{1,8}(\.[a-z]{2,5}){1,2}(:[1-9][0-9]{1,3})?`).Draw(t, "host")
		path := rapid.StringMatching(`(/[a-zA-Z0-9äß%._ -]{0,6}){0,4}(\?[a-z=&]{0,8})?(#[/!]?[a-zä% ?#/]{0,6})?`).Draw(t, "path")
		v := &Validation{}
		_, once := ParseAddress(v, "url", host+path)
		if v.Err() != nil {
			return
		}
		_, twice := ParseAddress(v, "url", once)
		if v.Err() != nil || once != twice {
			t.Fatalf("%q became %q, then %q (%v)", host+path, once, twice, v.Err())
		}
	})
}

func TestDomainIsTheHostWithoutItsPort(t *testing.T) {
	for address, want := range map[string]string{
		"example.com/a": "example.com", "example.com:81": "example.com", "127.0.0.1:81/x": "127.0.0.1", "[::1]:81/x": "::1",
		"example.com?q=1": "example.com",
	} {
		if got := (&URL{Address: address}).Domain(); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
