package main

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
)

// TestNoListenerTakesARequestAfterChunks: what leads to the service is asked by proxies, too.
func TestNoListenerTakesARequestAfterChunks(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{failed: make(chan error, 1)}
	s.serve(listener, http.NotFoundHandler(), slog.New(slog.DiscardHandler))
	defer s.http[0].Close()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn,
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 44\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if !answer.Close {
		t.Error("the connection is kept after a request that names two lengths")
	}
}

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
