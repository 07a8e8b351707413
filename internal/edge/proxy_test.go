package edge

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// seenAs is what the handler behind the proxies sees of a request.
func seenAs(t testing.TB, proxies Proxies, r *http.Request) (scheme, host, client string) {
	t.Helper()
	proxies.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		scheme, host, client = r.URL.Scheme, r.Host, r.RemoteAddr
	})).ServeHTTP(httptest.NewRecorder(), r)
	return scheme, host, client
}

func TestOnlyTrustedProxiesAreBelieved(t *testing.T) {
	trusted, err := ParseProxies([]string{"192.0.2.0/28", "2001:db8::1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, from           string
		header               http.Header
		scheme, host, client string
	}{
		{"nobody tells anything", "198.51.100.9:1", nil, "http", "own.test", "198.51.100.9:1"},
		{"a stranger tells something", "198.51.100.9:1", http.Header{"X-Forwarded-Proto": {"https"}, "X-Forwarded-For": {"203.0.113.1"},
			"X-Forwarded-Host": {"evil.test"}, "Forwarded": {"proto=https"}}, "http", "own.test", "198.51.100.9:1"},
		{"a proxy that tells nothing", "192.0.2.7:1", nil, "http", "own.test", "192.0.2.7:1"},
		{"a proxy", "192.0.2.7:1", http.Header{"X-Forwarded-Proto": {"https"}, "X-Forwarded-For": {"203.0.113.1"},
			"X-Forwarded-Host": {"shots.test"}}, "https", "shots.test", "203.0.113.1:0"},
		{"a proxy by IPv6", "[2001:db8::1]:1", http.Header{"X-Forwarded-Proto": {"https"}}, "https", "own.test", "[2001:db8::1]:1"},
		{"an address written as IPv6", "[::ffff:192.0.2.7]:1", http.Header{"X-Forwarded-Proto": {"https"}}, "https", "own.test",
			"[::ffff:192.0.2.7]:1"},
		{"what the client had sent itself", "192.0.2.7:1", http.Header{"X-Forwarded-For": {"10.9.9.9, 203.0.113.1"},
			"X-Forwarded-Proto": {"https, http"}}, "http", "own.test", "203.0.113.1:0"},
		{"two proxies", "192.0.2.7:1", http.Header{"X-Forwarded-For": {"203.0.113.1, 192.0.2.8"}, "X-Forwarded-Proto": {"https, http"}},
			"https", "own.test", "203.0.113.1:0"},
		{"two proxies of which one tells", "192.0.2.7:1", http.Header{"X-Forwarded-For": {"203.0.113.1, 192.0.2.8"},
			"X-Forwarded-Proto": {"https"}}, "https", "own.test", "203.0.113.1:0"},
		{"the standard header", "192.0.2.7:1", http.Header{"Forwarded": {`for="[2001:db8::9]:4711";proto=https;host=shots.test`}}, "https",
			"shots.test", "[2001:db8::9]:0"},
		{"the standard header goes before", "192.0.2.7:1", http.Header{"Forwarded": {`for=203.0.113.1;proto=http`},
			"X-Forwarded-Proto": {"https"}}, "http", "own.test", "203.0.113.1:0"},
		{"two standard hops", "192.0.2.7:1", http.Header{"Forwarded": {`for=203.0.113.1;proto=https`, `for=192.0.2.8;proto=http`}}, "https",
			"own.test", "203.0.113.1:0"},
		{"a hidden client", "192.0.2.7:1", http.Header{"Forwarded": {`for=_hidden;proto=https, for=unknown;proto=http`}}, "http",
			"own.test", "192.0.2.7:1"},
		{"nonsense", "192.0.2.7:1", http.Header{"X-Forwarded-Proto": {"javascript"}, "X-Forwarded-Host": {"a b\"><script>"},
			"X-Forwarded-For": {",,"}}, "http", "own.test", "192.0.2.7:1"},
	} {
		r := httptest.NewRequest("GET", "http://own.test/", nil)
		r.RemoteAddr, r.Header = c.from, c.header
		if scheme, host, client := seenAs(t, trusted, r); scheme != c.scheme || host != c.host || client != c.client {
			t.Errorf("%s: %s %s %s, want %s %s %s", c.name, scheme, host, client, c.scheme, c.host, c.client)
		}
		if r.URL.Scheme != "http" || r.Host != "own.test" {
			t.Errorf("%s: the server's own request was changed", c.name)
		}
	}
	if _, err := ParseProxies([]string{"proxy.test"}); err == nil {
		t.Error("a name was taken for an address")
	}
}

// FuzzForwarded: whatever a proxy sends, the scheme is one of two and the host can stand in a link.
func FuzzForwarded(f *testing.F) {
	f.Add(`for=192.0.2.8;proto=https;host=a.test, for="[::1]:1"`, "1.2.3.4, ::1", "https,http", "a.test:1")
	f.Add(`;;==,"`, ",", " ", "[")
	trusted, err := ParseProxies([]string{"0.0.0.0/0", "::/0"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, standard, clients, schemes, hosts string) {
		r := httptest.NewRequest("GET", "http://own.test/", nil)
		r.Header = http.Header{"X-Forwarded-For": {clients}, "X-Forwarded-Proto": {schemes}, "X-Forwarded-Host": {hosts}}
		if standard != "" {
			r.Header.Set("Forwarded", standard)
		}
		scheme, host, _ := seenAs(t, trusted, r)
		if scheme != "http" && scheme != "https" || host == "" || strings.ContainsAny(host, " \"'<>/\\@?#\r\n\x00") {
			t.Fatalf("scheme %q, host %q", scheme, host)
		}
	})
}
