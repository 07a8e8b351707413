package buckettest

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

// Proxy passes requests on to a server, but for those that meet a fault.
type Proxy struct {
	Endpoint string
	server   *Server
	pass     *httputil.ReverseProxy
	mu       sync.Mutex
	faults   []*fault
	requests []string // method and path, with a question mark where there is a query
}

// Fault does something else with a request than pass it on; pass does that.
type Fault func(w http.ResponseWriter, r *http.Request, pass http.Handler)

// fault is a Fault and when it happens.
type fault struct {
	when  func(*http.Request) bool
	times int // left; negative for always
	do    Fault
}

// NewProxy starts a proxy that ends with the test.
func (s *Server) NewProxy(t testing.TB) *Proxy {
	t.Helper()
	return s.NewProxyAt(t, "127.0.0.1")
}

// NewProxyAt is NewProxy at another address of this machine.
func (s *Server) NewProxyAt(t testing.TB, address string) *Proxy {
	t.Helper()
	target, err := url.Parse(s.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{server: s}
	p.pass = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host }, // the host is signed
		// Google's server says where parts are to be sent.
		ModifyResponse: func(r *http.Response) error {
			if next, ok := strings.CutPrefix(r.Header.Get("Location"), s.Endpoint); ok {
				r.Header.Set("Location", p.Endpoint+next)
			}
			return nil
		},
		// A client that has gone is no matter.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewUnstartedServer(p)
	_ = listening.Listener.Close()
	listening.Listener = listener
	listening.Start()
	t.Cleanup(func() { p.Mend(); listening.CloseClientConnections(); listening.Close() })
	p.Endpoint = listening.URL
	return p
}

// Break lets the next requests of a method (any if empty), to a path that contains part, meet a fault; all of them if times
// is negative.
func (p *Proxy) Break(method, part string, times int, do Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, &fault{times: times, do: do, when: func(r *http.Request) bool {
		return (method == "" || r.Method == method) && strings.Contains(r.URL.Path, part)
	}})
}

// Mend takes all faults away.
func (p *Proxy) Mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
}

// Requests counts the requests so far of a method to paths that contain part.
func (p *Proxy) Requests(method, part string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		if strings.HasPrefix(r, method+" ") && strings.Contains(r, part) {
			n++
		}
	}
	return n
}

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if do := p.met(r); do != nil {
		do(w, r, p.pass)
		return
	}
	p.pass.ServeHTTP(w, r)
}

func (p *Proxy) met(r *http.Request) Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, r.Method+" "+r.URL.Path)
	for _, f := range p.faults {
		if f.times != 0 && f.when(r) {
			f.times--
			return f.do
		}
	}
	return nil
}

// Answer is what servers of S3 and Azure say when they refuse; of Google's, only the status counts.
func Answer(status int, code string) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/xml")
		w.Header().Set("X-Ms-Error-Code", code)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?><Error><Code>`+code+`</Code><Message>As a test.</Message></Error>`)
	}
}

// Reset breaks the connection.
func Reset(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		conn.Close()
	}
}

// Slow lets each request wait.
func Slow(delay time.Duration) Fault {
	return func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		select {
		case <-time.After(delay):
			pass.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	}
}

// Silence answers nothing until the client gives up.
func Silence(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// Dripping answers 200 with the full length and sends a byte of the body 50 times a second, until the client gives up.
func Dripping(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	whole := recorded(r, pass)
	copyHeader(w, whole)
	w.WriteHeader(whole.Code)
	drop := time.NewTicker(20 * time.Millisecond)
	defer drop.Stop()
	for _, b := range whole.Body.Bytes() {
		select {
		case <-drop.C:
			_, _ = w.Write([]byte{b})
			_ = http.NewResponseController(w).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

// LostAnswer does what is asked and breaks the connection.
func LostAnswer(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	pass.ServeHTTP(httptest.NewRecorder(), r)
	Reset(w, r, pass)
}

// Torn answers 200 with the full length and breaks the connection after half of the body.
func Torn(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	whole := recorded(r, pass)
	copyHeader(w, whole)
	w.WriteHeader(whole.Code)
	_, _ = w.Write(whole.Body.Bytes()[:whole.Body.Len()/2])
	panic(http.ErrAbortHandler)
}

// Half answers 200 with half of the body as if it were all.
func Half(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	whole := recorded(r, pass)
	copyHeader(w, whole)
	half := whole.Body.Bytes()[:whole.Body.Len()/2]
	w.Header().Set("Content-Length", strconv.Itoa(len(half)))
	w.WriteHeader(whole.Code)
	_, _ = w.Write(half)
}

// HalfSent passes half of a body on and breaks both connections.
func HalfSent(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	half := r.Clone(r.Context())
	half.Body = io.NopCloser(io.MultiReader(io.LimitReader(r.Body, r.ContentLength/2), iotest.ErrReader(io.ErrUnexpectedEOF)))
	pass.ServeHTTP(w, half)
}

// Flipped passes a body on of which one bit differs.
func Flipped(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if len(body) > 0 {
		body[len(body)/2] ^= 1
	}
	other := r.Clone(r.Context())
	other.Body, other.ContentLength, other.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	pass.ServeHTTP(w, other)
}

// HalfKept lets an S3 server store what is written, answers 200 and loses the second half.
func (p *Proxy) HalfKept(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	stored := recorded(r, pass)
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	file := p.server.File(bucket, key)
	if info, err := os.Stat(file); err == nil {
		_ = os.Truncate(file, info.Size()/2)
	}
	copyHeader(w, stored)
	w.WriteHeader(stored.Code)
	_, _ = w.Write(stored.Body.Bytes())
}

func recorded(r *http.Request, pass http.Handler) *httptest.ResponseRecorder {
	whole := httptest.NewRecorder()
	pass.ServeHTTP(whole, r)
	return whole
}

func copyHeader(w http.ResponseWriter, from *httptest.ResponseRecorder) {
	for name, values := range from.Header() {
		w.Header()[name] = values
	}
}
