package edge_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"afterimage/internal/edge"
)

// TestASmuggledRequestIsNotServed is named after request smuggling: what a proxy takes for the body of one request must
// not be answered as another.
func TestASmuggledRequestIsNotServed(t *testing.T) {
	const smuggled = "GET /smuggled HTTP/1.1\r\nHost: example.test\r\n\r\n"
	for name, c := range map[string]struct {
		header string
		body   string
		closes bool
	}{
		"both lengths": {"Content-Length: 60\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + smuggled, true},
		"chunked":      {"Transfer-Encoding: chunked\r\n", "0\r\n\r\n" + smuggled, true},
		"one length":   {"Content-Length: 2\r\n", "{}" + smuggled, false}, // two requests, as everybody sees
	} {
		t.Run(name, func(t *testing.T) {
			var paths []string
			server := httptest.NewServer(edge.Chunked(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				paths = append(paths, r.URL.Path)
			})))
			defer server.Close()
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: example.test\r\n"+c.header+"\r\n"+c.body); err != nil {
				t.Fatal(err)
			}
			answers := bufio.NewReader(conn)
			first, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatal(err)
			}
			_ = first.Body.Close()
			if first.StatusCode != http.StatusOK || first.Close != c.closes {
				t.Errorf("status %d, closes %t, want %t", first.StatusCode, first.Close, c.closes)
			}
			if !c.closes {
				second, err := http.ReadResponse(answers, nil)
				if err != nil || second.StatusCode != http.StatusOK {
					t.Fatalf("the second request: %v", err)
				}
				_ = second.Body.Close()
				return
			}
			if rest, err := io.ReadAll(answers); len(rest) > 0 || err != nil && !isReset(err) {
				t.Errorf("after the answer came %q, %v", rest, err)
			}
			server.Close()
			if got := strings.Join(paths, " "); got != "/" {
				t.Errorf("served %s", got)
			}
		})
	}
}

// isReset reports whether the server closed with bytes of ours unread.
func isReset(err error) bool {
	var failed *net.OpError
	return errors.As(err, &failed)
}
