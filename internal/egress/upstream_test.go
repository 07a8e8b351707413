package egress

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// connectProxy is an upstream proxy on loopback that remembers what it was asked for. Its answer is 200, and a tunnel, unless
// told otherwise.
type connectProxy struct {
	listener net.Listener
	answer   string
	served   sync.WaitGroup

	mu    sync.Mutex
	asked []string // "host:port" and the credentials
	open  []net.Conn
}

func newConnectProxy(t *testing.T, answer string) *connectProxy {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &connectProxy{listener: listener, answer: answer}
	p.served.Go(p.serve)
	t.Cleanup(func() {
		_ = listener.Close()
		p.mu.Lock()
		for _, conn := range p.open {
			_ = conn.Close()
		}
		p.mu.Unlock()
		p.served.Wait()
	})
	return p
}

func (p *connectProxy) serve() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.served.Go(func() { p.tunnel(conn) })
	}
}

func (p *connectProxy) tunnel(client net.Conn) {
	p.mu.Lock()
	p.open = append(p.open, client)
	p.mu.Unlock()
	defer client.Close()
	reader := bufio.NewReader(client)
	request, err := http.ReadRequest(reader)
	if err != nil {
		return
	}
	credentials, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(request.Header.Get("Proxy-Authorization"), "Basic "))
	p.mu.Lock()
	p.asked = append(p.asked, request.Host+" "+string(credentials))
	p.mu.Unlock()
	if p.answer != "" {
		_, _ = io.WriteString(client, p.answer)
		return
	}
	target, err := net.Dial("tcp", request.Host)
	if err != nil {
		_, _ = io.WriteString(client, "HTTP/1.1 502 Bad Gateway\r\n\r\n")
		return
	}
	defer target.Close()
	_, _ = io.WriteString(client, "HTTP/1.1 200 OK\r\nX-Session: 1\r\n\r\n")
	relay(client, reader, target)
}

func (p *connectProxy) questions() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

func (p *connectProxy) upstream(t *testing.T) *Upstream {
	t.Helper()
	list, err := ReadUpstreams(strings.NewReader("static us http://anna:geheim@" + p.listener.Addr().String()))
	if err != nil {
		t.Fatal(err)
	}
	return list.Pick("static", "US", "https://example.com")
}

func through(t *testing.T, f *fixture, up *Upstream) {
	t.Helper()
	f.visit = f.proxy.BeginThrough(up, 1<<20)
}

func TestTargetsAreReachedThroughTheUpstream(t *testing.T) {
	for name, start := range map[string]func(http.Handler) *httptest.Server{"http": httptest.NewServer, "https": httptest.NewTLSServer} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, start(http.HandlerFunc(echo)), 1<<20)
			upstream := newConnectProxy(t, "")
			through(t, f, upstream.upstream(t))
			response, body, err := f.get(t, f.site.URL)
			if err != nil || response.StatusCode != 200 {
				t.Fatalf("%v, %v", response, err)
			}
			if strings.Contains(body, "Proxy") || strings.Contains(body, "geheim") {
				t.Errorf("the target saw %s", body)
			}
			if want := f.site.Listener.Addr().String() + " anna:geheim"; !slices.Equal(upstream.questions(), []string{want}) {
				t.Errorf("the upstream was asked %q, want %q", upstream.questions(), want)
			}
			if f.visit.Received() == 0 {
				t.Error("the bytes are not counted")
			}
		})
	}
}

// What the guard refuses, the upstream is never asked for: neither an address nor a name that leads to one.
func TestTheUpstreamIsNotAskedForWhatIsRefused(t *testing.T) {
	f := newFixture(t, httptest.NewServer(http.HandlerFunc(echo)), 1<<20)
	upstream := newConnectProxy(t, "")
	through(t, f, upstream.upstream(t))
	for _, address := range []string{"http://127.0.0.2/", "http://169.254.169.254/latest", "http://[::ffff:10.0.0.1]/",
		"http://localhost:81/", "http://nowhere.test/"} {
		response, _, err := f.get(t, address)
		if err != nil || response.StatusCode != http.StatusForbidden && address != "http://nowhere.test/" {
			t.Errorf("%s: %v, %v", address, response, err)
		}
	}
	if asked := upstream.questions(); len(asked) != 0 {
		t.Errorf("the upstream was asked for %q", asked)
	}
	if len(f.visit.Denied()) != 4 {
		t.Errorf("denied: %+v", f.visit.Denied())
	}
}

func TestAnUpstreamThatFailsIsToldApartFromTheTarget(t *testing.T) {
	for name, test := range map[string]struct {
		answer string
		cause  Cause
	}{
		"wrong password": {"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n", ProxyFailed},
		"forbidden":      {"HTTP/1.1 403 Forbidden\r\n\r\n", ProxyFailed},
		"too many":       {"HTTP/1.1 429 Too Many Requests\r\n\r\n", ProxyFailed},
		"target is down": {"HTTP/1.1 502 Bad Gateway\r\n\r\n", Unreachable},
		"target is slow": {"HTTP/1.1 504 Gateway Timeout\r\n\r\n", TimedOut},
		"no HTTP":        {"SSH-2.0-server\r\n", ProxyFailed},
		"no answer":      {"\r", ProxyFailed},
		"endless header": {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", maxHeaderBytes), ProxyFailed},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, httptest.NewServer(http.HandlerFunc(echo)), 1<<20)
			through(t, f, newConnectProxy(t, test.answer).upstream(t))
			response, _, err := f.get(t, f.site.URL)
			if err != nil || response.StatusCode < 500 {
				t.Fatalf("%v, %v", response, err)
			}
			failure := f.visit.Failure(f.site.Listener.Addr().String())
			if CauseOf(failure) != test.cause || strings.Contains(failure.Error(), "geheim") {
				t.Errorf("%v is %s, want %s", failure, CauseOf(failure), test.cause)
			}
		})
	}
}

func TestAnUpstreamThatIsAway(t *testing.T) {
	f := newFixture(t, httptest.NewServer(http.HandlerFunc(echo)), 1<<20)
	upstream := newConnectProxy(t, "")
	through(t, f, upstream.upstream(t))
	if err := upstream.listener.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.get(t, f.site.URL); err != nil {
		t.Fatal(err)
	}
	var failed *UpstreamError
	if failure := f.visit.Failure(f.site.Listener.Addr().String()); !errors.As(failure, &failed) {
		t.Errorf("the failure is %v", failure)
	}
}

func TestTheListOfUpstreams(t *testing.T) {
	list, err := ReadUpstreams(strings.NewReader("\n# a comment\nstatic  US http://u:p@proxy.test:3128\nstatic us " +
		"https://proxy.test\nresidential de http://[::1]:8080/\n"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range 100 {
		page := fmt.Sprint(i)
		up := list.Pick("static", "us", page)
		seen[up.String()] = true
		if again := list.Pick("static", "Us", page); again != up {
			t.Error("a page changes its proxy")
		}
	}
	if !seen["proxy.test:3128"] || !seen["proxy.test:443"] || len(seen) != 2 {
		t.Errorf("picked %v", seen)
	}
	if up := list.Pick("residential", "de", ""); up == nil || up.String() != "[::1]:8080" || up.secure {
		t.Errorf("picked %v", up)
	}
	if list.Pick("static", "de", "") != nil || (*Upstreams)(nil).Pick("static", "us", "") != nil {
		t.Error("picked one that is not listed")
	}
	for _, bad := range []string{
		"static us", "static us http://u:geheim@p.test extra", "mobile us http://u:geheim@p.test", "static usa http://u:geheim@p.test",
		"static 1! http://u:geheim@p.test",
		"static us socks5://u:geheim@p.test", "static us http://u:geheim@:80", "static us http://u:geheim@p.test/path",
		"static us http://u:geheim@p.test:%zz",
		strings.Repeat("x", maxUpstreamLine+1), strings.Repeat("static us http://u:geheim@p.test\n", maxUpstreams+1),
	} {
		if _, err := ReadUpstreams(strings.NewReader(bad)); err == nil || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%.60q: %v", bad, err)
		}
	}
}
