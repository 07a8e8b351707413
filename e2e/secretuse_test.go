package e2e

import (
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Credentials of upstream proxies. The first is right; the second is refused, so that it passes through errors too.
const (
	proxyPassword   = "pr0xy-pass-Word"
	refusedPassword = "pr0xy-wrong-Word"
)

// proxiesFile writes a file of upstream proxies, outside of the data folder.
func proxiesFile(t *testing.T) string {
	t.Helper()
	proxy := httptest.NewServer(http.HandlerFunc(connectProxy))
	t.Cleanup(proxy.Close)
	address := strings.TrimPrefix(proxy.URL, "http://")
	name := filepath.Join(t.TempDir(), "proxies")
	lines := "static us http://guest:" + proxyPassword + "@" + address + "\nstatic de http://guest:" + refusedPassword +
		"@" + address + "\n"
	if err := os.WriteFile(name, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// connectProxy opens tunnels for those who know the password.
func connectProxy(w http.ResponseWriter, r *http.Request) {
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("guest:"+proxyPassword))
	if r.Method != http.MethodConnect || r.Header.Get("Proxy-Authorization") != want {
		http.Error(w, "who are you, "+r.Header.Get("Proxy-Authorization")+"?", http.StatusProxyAuthRequired) // some say it aloud
		return
	}
	target, err := net.Dial("tcp", r.Host)
	if err != nil {
		http.Error(w, "no", http.StatusBadGateway)
		return
	}
	defer func() { _ = target.Close() }()
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(target, conn); _ = target.Close() })
	both.Go(func() { _, _ = io.Copy(conn, target); _ = conn.Close() })
	both.Wait()
}

// captureThroughProxies captures a page by a proxy that takes us and by one that does not.
func (s *service) captureThroughProxies(host string) {
	s.t.Helper()
	for country, want := range map[string]string{"us": "done", "de": "failed"} {
		group := s.group(map[string]any{"proxy_type": "static", "proxy_country": country}, "http://"+host+"/good")
		for _, e := range s.await(s.take(group, "pre")) {
			if e.Status != want {
				s.t.Errorf("by the proxy in %s the page is %s: %s", country, e.Status, deref(e.ErrorMsg))
			}
		}
	}
}

// tellReceivers has deliveries made, taken and refused, before and after the secret was replaced. It returns the new one.
func (s *service) tellReceivers(host string) (secret string) {
	s.t.Helper()
	for _, path := range []string{"/taken", "/refused"} {
		s.must200(http.MethodPost, "/webhooks", map[string]any{"url": "http://" + host + path, "event": "batch_finished"})
	}
	group := s.group(nil, "http://"+host+"/page")
	s.await(s.take(group, "pre"))
	waitFor(s.t, "deliveries", func() bool { return s.countDeliveries("DELIVERED") == 1 })
	account := query[struct {
		RotateWebhookSecret struct {
			Account struct{ WebhookSecret string }
		}
	}](s, "mutation { rotateWebhookSecret(graceHours: 24) { account { webhookSecret } } }", nil).RotateWebhookSecret.Account
	s.await(s.take(group, "pre"))
	waitFor(s.t, "deliveries under two secrets", func() bool {
		return s.countDeliveries("DELIVERED") == 2 && s.countDeliveries("PENDING", "FAILED") == 2
	})
	return account.WebhookSecret
}

// receivers take requests at /taken and refuse those at /refused, as if their signatures were wrong.
func receivers() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<!doctype html><title>page</title>")
	})
	mux.HandleFunc("/taken", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/refused", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "I do not believe "+r.Header.Get("Webhook-Signature"), http.StatusForbidden)
	})
	return mux
}
