package graph

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// oneLine is a listener in memory with a single connection: it lets synctest see that everybody waits, and moves the clock.
type oneLine struct {
	conn   chan net.Conn
	closed chan struct{}
}

func (l *oneLine) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conn:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *oneLine) Close() error   { close(l.closed); return nil }
func (l *oneLine) Addr() net.Addr { return &net.UnixAddr{} }

// stream opens a stream to which the server writes a message every so often until it ends. It returns the client's side, and when the
// server saw the end.
func stream(t *testing.T, protocols *http.Protocols, message []byte, every time.Duration) (body io.ReadCloser, ended <-chan time.Time) {
	t.Helper()
	saw := make(chan time.Time, 1)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		p := &patientWriter{ResponseWriter: w, control: http.NewResponseController(w), limit: 10 * time.Second, alive: ctx, failed: cancel}
		defer p.end()
		for ctx.Err() == nil {
			_, _ = p.Write(message)
			p.Flush()
			select {
			case <-time.After(every):
			case <-ctx.Done():
			}
		}
		saw <- time.Now()
	})
	listener := &oneLine{conn: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: handler, Protocols: protocols}
	served := make(chan struct{})
	go func() { _ = server.Serve(listener); close(served) }()
	client := &http.Transport{Protocols: protocols, DialContext: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		listener.conn <- theirs
		return ours, nil
	}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://afterimage.test/", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = response.Body.Close()
		client.CloseIdleConnections()
		_ = server.Close()
		<-served
	})
	return response.Body, saw
}

func ofProtocols(t *testing.T, test func(t *testing.T, protocols *http.Protocols)) {
	t.Helper()
	for _, name := range []string{"HTTP/1.1", "HTTP/2"} {
		var protocols http.Protocols
		protocols.SetHTTP1(name == "HTTP/1.1")
		protocols.SetUnencryptedHTTP2(name == "HTTP/2")
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, &protocols) })
		})
	}
}

// A stream on which nothing but pings happens for hours goes on, by whichever protocol: HTTP/2 used to end it ten seconds after each
// event.
func TestAQuietStreamLastsForHours(t *testing.T) {
	ofProtocols(t, func(t *testing.T, protocols *http.Protocols) {
		body, _ := stream(t, protocols, []byte(":\n\n"), 20*time.Second)
		lines := bufio.NewScanner(body)
		began := time.Now()
		for time.Since(began) < 10_000*time.Second {
			if !lines.Scan() {
				t.Fatalf("the stream ended after %s: %v", time.Since(began), lines.Err())
			}
		}
	})
}

// A client that takes next to nothing does not keep a stream: it is cut off within the time of a write.
func TestAStreamThatNobodyReadsEnds(t *testing.T) {
	ofProtocols(t, func(t *testing.T, protocols *http.Protocols) {
		began := time.Now()
		body, ended := stream(t, protocols, make([]byte, 1<<20), time.Second)
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			for one := make([]byte, 1); ; {
				if _, err := body.Read(one); err != nil {
					return
				}
				time.Sleep(5 * time.Second)
			}
		}()
		select {
		case at := <-ended:
			t.Logf("the server gave up after %s", at.Sub(began))
		case <-time.After(10_000 * time.Second):
			t.Error("a client that reads a byte every five seconds holds the stream for ever")
		}
		_ = body.Close()
		<-gone
	})
}
