package deadline_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"afterimage/internal/deadline"
)

const limit = 30 * time.Second

// pipes is a listener in memory: unlike a socket it lets synctest see that everybody waits, and moves the clock.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{} }

// dial serves the handler and connects to it.
func dial(t *testing.T, handler http.HandlerFunc) net.Conn {
	t.Helper()
	listener := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: deadline.Requests(handler, limit), IdleTimeout: time.Hour}
	served := make(chan struct{})
	go func() { _ = server.Serve(listener); close(served) }()
	ours, theirs := net.Pipe()
	listener.conns <- theirs
	t.Cleanup(func() { _ = ours.Close(); _ = server.Close(); <-served })
	return ours
}

func send(t *testing.T, conn net.Conn, lines ...string) {
	t.Helper()
	if _, err := io.WriteString(conn, strings.Join(lines, "\r\n")); err != nil {
		t.Fatal(err)
	}
}

// TestAStuckBodyEndsTheConnection is named after requests with a bad token and one byte of a body, which stayed for ever.
func TestAStuckBodyEndsTheConnection(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"read": func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err == nil {
				t.Error("the body came to an end")
			}
			w.WriteHeader(http.StatusBadRequest)
		},
		"left unread": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn := dial(t, handler)
				began := time.Now()
				send(t, conn, "POST / HTTP/1.1", "Host: localhost", "Content-Length: 10", "", "x")
				answer, err := io.ReadAll(conn)
				if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 40") || time.Since(began) > limit {
					t.Errorf("after %s: %v %s", time.Since(began), err, answer)
				}
			})
		})
	}
}

func TestAStreamGoesOnWhenTheBodyIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const events = 10
		conn := dial(t, func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err != nil {
				t.Error(err)
			}
			for i := range events {
				select {
				case <-time.After(limit):
				case <-r.Context().Done():
					t.Error("the stream was cut")
				}
				fmt.Fprintf(w, "%d", i)
				_ = http.NewResponseController(w).Flush()
			}
		})
		send(t, conn, "POST / HTTP/1.1", "Host: localhost", "Content-Length: 4", "", "body")
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(response.Body); err != nil || string(got) != "0123456789" {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

func TestAnAnswerThatIsNotReadEndsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := make(chan error, 1)
		answers := deadline.Answers(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write(make([]byte, 1<<20))
			failed <- err
		}), limit)
		conn := dial(t, answers.ServeHTTP)
		send(t, conn, "GET / HTTP/1.1", "Host: localhost", "", "")
		if err := <-failed; err == nil {
			t.Error("everything was written although nothing is read")
		}
	})
}

// TestTheNextAnswerHasItsOwnTime wants no deadline of a picture to reach the stream that follows on the connection.
func TestTheNextAnswerHasItsOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		word := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "word") })
		conn := dial(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/picture" {
				deadline.Answers(word, limit).ServeHTTP(w, r)
				return
			}
			<-time.After(2 * limit)
			word(w, r)
		})
		answers := bufio.NewReader(conn)
		for _, path := range []string{"/picture", "/stream"} {
			send(t, conn, "GET "+path+" HTTP/1.1", "Host: localhost", "", "")
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatal(path, err)
			}
			if got, err := io.ReadAll(response.Body); err != nil || string(got) != "word" {
				t.Errorf("%s: got %q, %v", path, got, err)
			}
		}
	})
}
