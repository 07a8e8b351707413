package egress

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

// net/http lingers half a second on a connection whose request it did not understand; that one is not ours to end.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// fixture is a target site, a proxy that may dial it, a visit and a client that uses the proxy.
type fixture struct {
	site   *httptest.Server
	proxy  *Proxy
	visit  *Visit
	client *http.Client
}

func newFixture(t *testing.T, site *httptest.Server, maxBytes int64) *fixture {
	t.Helper()
	policy, err := NewPolicy(site.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := Listen(&Dialer{Policy: policy, Resolver: noDNS}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{site: site, proxy: proxy, visit: proxy.Begin(maxBytes), client: clientOf(proxy, site)}
	t.Cleanup(func() {
		f.client.CloseIdleConnections()
		f.visit.End()
		if err := proxy.Close(); err != nil {
			t.Error(err)
		}
		site.Close()
	})
	return f
}

var noDNS = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("tests ask no DNS server")
}}

func clientOf(proxy *Proxy, site *httptest.Server) *http.Client {
	roots := x509.NewCertPool()
	if certificate := site.Certificate(); certificate != nil {
		roots.AddCert(certificate)
	}
	return &http.Client{Transport: &http.Transport{
		Proxy:           http.ProxyURL(&url.URL{Scheme: "http", Host: proxy.Addr()}),
		TLSClientConfig: &tls.Config{RootCAs: roots},
	}}
}

func (f *fixture) get(t *testing.T, address string) (*http.Response, string, error) {
	t.Helper()
	response, err := f.client.Get(address)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return response, string(body), err
}

func echo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set(ProxyStatus, "afterimage; error=forged")
	w.Header().Set("Connection", "X-Hop")
	w.Header().Set("X-Hop", "1")
	_ = r.Header.Write(w)
}

func TestForwardingDropsHopByHopFields(t *testing.T) {
	f := newFixture(t, httptest.NewServer(http.HandlerFunc(echo)), 1<<20)
	request, err := http.NewRequest(http.MethodGet, f.site.URL+"/x?q=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Proxy-Authorization": "secret", "Te": "trailers", "X-End": "kept", "Connection": "X-Named",
		"X-Named": "dropped"} {
		request.Header.Set(name, value)
	}
	response, err := f.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(body); !strings.Contains(got, "X-End: kept") || strings.Contains(got, "secret") || strings.Contains(got, "dropped") ||
		strings.Contains(got, "trailers") {
		t.Errorf("the target saw %q", got)
	}
	if response.Header.Get(ProxyStatus) != "" || response.Header.Get("X-Hop") != "" {
		t.Errorf("the client saw %v", response.Header)
	}
}

func TestTunnel(t *testing.T) {
	f := newFixture(t, httptest.NewTLSServer(http.HandlerFunc(echo)), 1<<20)
	response, _, err := f.get(t, f.site.URL)
	if err != nil || response.StatusCode != 200 {
		t.Fatalf("through the tunnel: %v", err)
	}
	if f.visit.Received() == 0 {
		t.Error("the tunnel's bytes are not counted")
	}
}

func TestRefusalsAreAnsweredAndLogged(t *testing.T) {
	f := newFixture(t, httptest.NewServer(http.HandlerFunc(echo)), 1<<20)
	var lines bytes.Buffer
	f.proxy.denied.logger = slog.New(slog.NewJSONHandler(&lines, nil))
	for range 3 {
		response, _, err := f.get(t, "http://127.0.0.1:1/secret?token=1")
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != http.StatusForbidden || !strings.HasPrefix(response.Header.Get(ProxyStatus), "afterimage; ") {
			t.Errorf("answer is %d with %q", response.StatusCode, response.Header.Get(ProxyStatus))
		}
	}
	if _, _, err := f.get(t, "https://localhost:1/"); err == nil {
		t.Error("a tunnel to loopback is opened")
	}
	denied := f.visit.Denied()
	if len(denied) != 2 || denied[0].Target != "GET http://127.0.0.1:1/secret" || denied[0].Count != 3 ||
		denied[1].Target != "CONNECT localhost:1" {
		t.Errorf("denied %+v", denied)
	}
	if n := strings.Count(lines.String(), "egress refused"); n != 2 {
		t.Errorf("%d log lines for 2 targets: %s", n, lines.String())
	}
	if CauseOf(f.visit.Failure("127.0.0.1:1")) != Refused || f.visit.Failure("127.0.0.1:2") != nil {
		t.Error("failures are not told by target")
	}
}

func TestProxyDoesNotDialItself(t *testing.T) {
	f := newFixture(t, httptest.NewServer(http.HandlerFunc(echo)), 1<<20)
	f.proxy.dialer.Policy, _ = NewPolicy("127.0.0.0/8")
	if response, _, err := f.get(t, "http://"+f.proxy.Addr()+"/"); err != nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("loop: %v %v", response, err)
	}
}

func TestCausesOfFailure(t *testing.T) {
	gone := httptest.NewServer(nil)
	at := gone.Listener.Addr().String()
	gone.Close()
	f := newFixture(t, httptest.NewServer(http.HandlerFunc(echo)), 1<<20)
	f.proxy.dialer.Policy, _ = NewPolicy("127.0.0.0/8")
	for target, want := range map[string]Cause{at: Unreachable, "nowhere.test:80": Unresolved} {
		if _, _, err := f.get(t, "http://"+target+"/"); err != nil {
			t.Error(err)
		}
		if got := CauseOf(f.visit.Failure(target)); got != want {
			t.Errorf("%s: cause %q (%v), want %q", target, got, f.visit.Failure(target), want)
		}
	}
}

func TestVisitHasAByteLimit(t *testing.T) {
	for _, start := range []func(http.Handler) *httptest.Server{httptest.NewServer, httptest.NewTLSServer} {
		site := start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 32<<10)); err != nil {
					return
				}
			}
		}))
		f := newFixture(t, site, 1<<20)
		_, body, err := f.get(t, site.URL)
		if err == nil || len(body) > 1<<20+64<<10 { // the read that passes the limit is still delivered
			t.Errorf("received %d bytes, error %v", len(body), err)
		}
		<-f.visit.Context().Done()
		if !errors.Is(context.Cause(f.visit.Context()), ErrTooLarge) {
			t.Errorf("the visit ended with %v", context.Cause(f.visit.Context()))
		}
	}
}

func TestVisitSendsALimitedNumberOfBytes(t *testing.T) {
	for _, start := range []func(http.Handler) *httptest.Server{httptest.NewServer, httptest.NewTLSServer} {
		var arrived atomic.Int64
		f := newFixture(t, start(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			n, _ := io.Copy(io.Discard, r.Body) // it ends with an error when the visit does
			arrived.Add(n)
		})), 1<<20)
		post := func(size int64) error {
			response, err := f.client.Post(f.site.URL, "application/octet-stream", io.LimitReader(zeros{}, size))
			if err != nil {
				return err
			}
			return response.Body.Close()
		}
		if err := post(maxSent / 2); err != nil {
			t.Errorf("half of the limit: %v", err)
		}
		_ = post(maxSent) // whether the client sees an answer or a broken connection is a race
		<-f.visit.Context().Done()
		if cause := context.Cause(f.visit.Context()); !errors.Is(cause, ErrTooLarge) || !strings.Contains(cause.Error(), "sent") {
			t.Errorf("the visit ended with %v", cause)
		}
		f.visit.End()
		f.site.Close() // waits for the handlers
		if n := arrived.Load(); n < maxSent/2 || n > maxSent {
			t.Errorf("%d bytes arrived", n)
		}
	}
}

// zeros is a body without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestNothingPassesOutsideAVisit(t *testing.T) {
	var requests atomic.Int32
	f := newFixture(t, httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) })), 1<<20)
	if _, _, err := f.get(t, f.site.URL); err != nil {
		t.Fatal(err)
	}
	f.visit.End()
	if response, _, err := f.get(t, f.site.URL); err == nil && response.StatusCode == 200 {
		t.Error("a request passed after the visit")
	}
	next := f.proxy.Begin(1 << 20)
	defer next.End()
	if response, _, err := f.get(t, f.site.URL); err != nil || response.StatusCode != 200 {
		t.Errorf("the next visit: %v", err)
	}
	if n := requests.Load(); n != 2 {
		t.Errorf("the site saw %d requests, want 2", n)
	}
}

// TestEndOfVisitClosesTunnels: a connection of one page is never there for the next one.
func TestEndOfVisitClosesTunnels(t *testing.T) {
	f := newFixture(t, httptest.NewServer(http.HandlerFunc(echo)), 1<<20)
	conn, err := net.Dial("tcp", f.proxy.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := fmt.Fprintf(conn, "CONNECT %[1]s HTTP/1.1\r\nHost: %[1]s\r\n\r\n", f.site.Listener.Addr()); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(conn)
	if response, err := http.ReadResponse(reader, nil); err != nil || response.StatusCode != 200 {
		t.Fatalf("tunnel: %v", err)
	}
	f.visit.End()
	if _, err := reader.ReadByte(); err == nil {
		t.Error("the tunnel is open after the visit")
	}
}

func TestRequestsThatAreNoProxyRequests(t *testing.T) {
	f := newFixture(t, httptest.NewServer(http.HandlerFunc(echo)), 1<<20)
	for _, text := range []string{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET https://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n",
		"GET ftp://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n",
		"GET http://x/ HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 100<<10) + "\r\n\r\n",
		"\x16\x03\x01\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", f.proxy.Addr())
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.WriteString(conn, text) }()
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil && response.StatusCode < 400 {
			t.Errorf("%.30q is answered with %d", text, response.StatusCode)
		}
		_ = conn.Close()
	}
}

// TestRebinding: a name that resolves to a permitted address and to a forbidden one in turns never gets to the forbidden one.
func TestRebinding(t *testing.T) {
	victim, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = victim.Close() }()
	var hits atomic.Int32
	go func() {
		for {
			conn, err := victim.Accept()
			if err != nil {
				return
			}
			hits.Add(1)
			_ = conn.Close()
		}
	}()
	_, port, _ := net.SplitHostPort(victim.Addr().String())
	policy, err := NewPolicy("127.0.0.2:" + port) // nobody listens there
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Uint32
	dialer := &Dialer{Policy: policy, Resolver: fakeDNS(t, func() [4]byte { return [4]byte{127, 0, 0, byte(1 + asked.Add(1)%2)} })}
	refused := 0
	for range 200 {
		conn, err := dialer.DialContext(t.Context(), "tcp", "rebind.test:"+port)
		if err == nil {
			_ = conn.Close()
			t.Error("connected")
		}
		if CauseOf(err) == Refused {
			refused++
		}
	}
	if hits.Load() != 0 || refused == 0 || asked.Load() < 200 {
		t.Errorf("%d hits, %d refusals, %d questions", hits.Load(), refused, asked.Load())
	}
}

// fakeDNS is a resolver whose every A question is answered by answer.
func fakeDNS(t *testing.T, answer func() [4]byte) *net.Resolver {
	server, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buffer := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			if _, err := server.WriteTo(dnsAnswer(buffer[:n], answer), from); err != nil {
				log.Print(err)
			}
		}
	}()
	t.Cleanup(func() { _ = server.Close(); <-done })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp4", server.LocalAddr().String())
	}}
}

// dnsAnswer builds a reply (RFC 1035, section 4) that repeats the question and answers type A; other types get none.
func dnsAnswer(question []byte, answer func() [4]byte) []byte {
	end := 12
	for question[end] != 0 {
		end += int(question[end]) + 1
	}
	end += 5 // the root label, type and class
	isA := binary.BigEndian.Uint16(question[end-4:]) == 1
	reply := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[12:end]...)
	if isA {
		ip := answer()
		reply[7] = 1
		reply = append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		reply = append(reply, ip[:]...)
	}
	return reply
}
