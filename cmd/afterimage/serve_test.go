package main

import (
	"net"
	"testing"
)

func TestLinksNameAHostThatCanBeReached(t *testing.T) {
	for _, c := range []struct {
		ip, url string
		here    bool
	}{
		{"127.0.0.1", "http://127.0.0.1:8080", false},
		{"::1", "http://[::1]:8080", false},
		{"0.0.0.0", "http://localhost:8080", true},
		{"::", "http://localhost:8080", true},
	} {
		if url, here := reachedAt("http", &net.TCPAddr{IP: net.ParseIP(c.ip), Port: 8080}); url != c.url || here != c.here {
			t.Errorf("%s: %s, %t; want %s, %t", c.ip, url, here, c.url, c.here)
		}
	}
}
