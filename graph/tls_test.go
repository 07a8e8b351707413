package graph_test

import (
	"net/http"
	"strings"
	"testing"

	"afterimage/graph"
)

// Where clients come by TLS, which a proxy ends, pages and cookies without it are not trusted.
func TestClientsComeByTLSWhereTheAddressSaysSo(t *testing.T) {
	s := newSite(t, func(c *graph.Config) { c.BaseURL = "https://afterimage.example.com" })
	host := strings.TrimPrefix(s.url, "http://")
	_, header, _ := newBrowser(s).send("POST", "/session", "application/json", `{"token":"`+goodToken+`"}`, nil)
	cookie, _, _ := strings.Cut(header.Get("Set-Cookie"), ";")
	if !strings.HasPrefix(cookie, "__Host-afterimage_session=") || !strings.Contains(header.Get("Set-Cookie"), "; Secure") ||
		strings.Contains(header.Get("Set-Cookie"), "Domain=") {
		t.Fatalf("the cookie is %q", header.Get("Set-Cookie"))
	}
	asked := func(cookie, origin string) int {
		return newBrowser(s).query(http.Header{"Cookie": {cookie}, "Origin": {origin}, "X-Afterimage-Client": {"test"}})
	}
	for origin, status := range map[string]int{
		"https://" + host:                http.StatusOK,
		"http://" + host:                 http.StatusForbidden,
		"https://afterimage.example.com": http.StatusOK,
		"http://afterimage.example.com":  http.StatusForbidden,
	} {
		if got := asked(cookie, origin); got != status {
			t.Errorf("from %s: status %d, want %d", origin, got, status)
		}
	}
	if got := asked(strings.TrimPrefix(cookie, "__Host-"), "https://"+host); got != http.StatusUnauthorized {
		t.Errorf("a cookie that a neighbour can set: status %d", got)
	}
}
