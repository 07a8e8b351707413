package edge

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"afterimage/internal/deadline"
)

// refusing answers without reading what is sent.
func refusing(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Connection", "close")
	http.Error(w, "The file is too large.", http.StatusRequestEntityTooLarge)
}

// listen serves a handler as the program does.
func listen(t *testing.T, handler http.HandlerFunc) net.Conn {
	t.Helper()
	server := httptest.NewServer(Chunked(deadline.Requests(Heard(handler), 30*time.Second)))
	t.Cleanup(server.Close)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// TestAClientThatSendsEverythingFirstReadsTheAnswer is named after uploads beyond the limit, which ended in a broken pipe.
func TestAClientThatSendsEverythingFirstReadsTheAnswer(t *testing.T) {
	const length = 64 << 20
	partly := func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<20)); err == nil {
			t.Error("the body has an end")
		}
		refusing(w, r)
	}
	for name, handler := range map[string]http.HandlerFunc{"nothing is read": refusing, "some is read": partly} {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", chunked ", chunked), func(t *testing.T) {
				conn := listen(t, handler)
				head, piece := fmt.Sprintf("Content-Length: %d", length), strings.Repeat("x", 1<<20)
				if chunked {
					head = "Transfer-Encoding: chunked"
					piece = fmt.Sprintf("%x\r\n%s\r\n", len(piece), piece)
				}
				if _, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n", head); err != nil {
					t.Fatal(err)
				}
				for sent := range length >> 20 {
					if _, err := io.WriteString(conn, piece); err != nil {
						t.Fatalf("after %d MiB: %v", sent, err)
					}
				}
				if chunked {
					if _, err := io.WriteString(conn, "0\r\n\r\n"); err != nil {
						t.Fatal(err)
					}
				}
				answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(answer.Body)
				if err != nil || answer.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(text), "too large") {
					t.Errorf("%s: %q, %v", answer.Status, text, err)
				}
			})
		}
	}
}

// TestAClientThatAsksFirstSendsNothing: it is told before it sends, and nobody waits for its body.
func TestAClientThatAsksFirstSendsNothing(t *testing.T) {
	conn := listen(t, refusing)
	const head = "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 999999999\r\n\r\n"
	if _, err := io.WriteString(conn, head); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	answer, err := io.ReadAll(conn) // to the end of the connection
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 413") || time.Since(began) > heardTime/2 {
		t.Errorf("after %s: %q, %v", time.Since(began), answer, err)
	}
}

// TestABodyThatWasReadKeepsTheConnection: the next request comes on it.
func TestABodyThatWasReadKeepsTheConnection(t *testing.T) {
	conn := listen(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %v", body, err)
	})
	answers := bufio.NewReader(conn)
	for _, body := range []string{"first", "second"} {
		if _, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(answer.Body); err != nil || string(text) != body+" <nil>" {
			t.Errorf("%q, %v", text, err)
		}
	}
}
