package chrome

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
	"afterimage/internal/egress"
	"afterimage/internal/page"
)

// upstreamProxy is a CONNECT proxy on loopback that counts its tunnels by target and lets those in who know the password.
func upstreamProxy(t *testing.T) (address string, tunnels func() map[string]int) {
	t.Helper()
	var mu sync.Mutex
	counts := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Header.Get("Proxy-Authorization") != "Basic YW5uYTpnZWhlaW0=" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		mu.Lock()
		counts[r.Host]++
		mu.Unlock()
		target, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer target.Close()
		client, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer client.Close()
		_, _ = io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = io.Copy(target, buffered)
			_ = target.(*net.TCPConn).CloseWrite()
		}()
		_, _ = io.Copy(client, target)
		_ = client.Close()
		<-done
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		return counts
	}
}

func throughProxy(t *testing.T, address string) *capture.Proxy {
	t.Helper()
	list, err := egress.ReadUpstreams(strings.NewReader("static de " + address))
	if err != nil {
		t.Fatal(err)
	}
	return &capture.Proxy{Type: "static", Country: "de", Upstream: list.Pick("static", "de", "page")}
}

// The page and all that it loads come through the proxy, of this capture only; what the guard refuses is not even asked for.
func TestAPageIsReachedThroughItsProxy(t *testing.T) {
	proxy, tunnels := upstreamProxy(t)
	site.handle(t, "picture", serve("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>`))
	address := site.page(t, `<img src=picture><img src="http://127.0.0.2:8080/secret"><script>console.log(navigator.userAgent)</script>`)
	shot := take(t, capture.Request{URL: address, Proxy: throughProxy(t, "http://anna:geheim@"+proxy)})
	if got := tunnels(); got[site.hostPort()] == 0 || len(got) != 1 {
		t.Errorf("tunnels %v, want some to %s and no other", got, site.hostPort())
	}
	if p := shot.Manifest.Proxy; p == nil || *p != (page.ProxyUse{Type: "static", Country: "de"}) ||
		len(shot.Manifest.FailedRequests) != 1 {
		t.Errorf("manifest: proxy %+v, failed %+v", p, shot.Manifest.FailedRequests)
	}
	before := tunnels()[site.hostPort()]
	if direct := take(t, capture.Request{URL: address}); direct.Manifest.Proxy != nil || tunnels()[site.hostPort()] != before {
		t.Error("the next capture went through the proxy of the one before")
	}
}

func TestAProxyThatDoesNotServeUs(t *testing.T) {
	proxy, _ := upstreamProxy(t)
	address := site.page(t, "<p>never seen")
	for name, upstream := range map[string]string{"wrong password": "http://anna:falsch@" + proxy, "away": "http://anna:geheim@" +
		site.closedPort} {
		request := capture.Request{URL: address, Device: capture.Desktop, Deadline: patient, Proxy: throughProxy(t, upstream)}
		_, err := pool.Capture(t.Context(), request)
		wantReason(t, err, capture.ReasonProxy)
		if err != nil && (strings.Contains(err.Error(), "falsch") || strings.Contains(err.Error(), "geheim")) {
			t.Errorf("%s: the error tells the password: %v", name, err)
		}
	}
}
