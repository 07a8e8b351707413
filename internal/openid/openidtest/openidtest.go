// Package openidtest starts an OpenID Connect provider that others wrote: the npm package oidc-provider, see
// internal/openid/conformance.
package openidtest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// ClientID and ClientSecret are those of the service at the provider. Other is the id of another client.
const (
	ClientID     = "afterimage"
	ClientSecret = "secret of afterimage"
	OtherClient  = "another"
	OtherSecret  = "secret of another"
)

// Provider is a running provider with two issuers that share their keys.
type Provider struct {
	Issuer, OtherIssuer string

	redirect string
	fronts   []*httptest.Server

	mu     sync.Mutex
	port   string
	down   bool
	change func(path string, answer []byte) []byte
}

// Start starts a provider that sends browsers back to one address. It ends with the test.
func Start(t testing.TB, redirect string) *Provider {
	t.Helper()
	p := &Provider{redirect: redirect}
	for range 2 {
		front := httptest.NewServer(p.front())
		t.Cleanup(front.Close)
		p.fronts = append(p.fronts, front)
	}
	p.Issuer, p.OtherIssuer = p.fronts[0].URL, p.fronts[1].URL
	p.start(t)
	return p
}

// conformance is the folder of the package, from wherever in the repository a test runs.
func conformance() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return filepath.Join(at, "internal", "openid", "conformance"), nil
		}
		if at == filepath.Dir(at) {
			return "", errors.New("the tests run outside of the repository")
		}
		at = filepath.Dir(at)
	}
}

// start runs conformance/provider.mjs, which ends when its standard input does.
func (p *Provider) start(t testing.TB) {
	t.Helper()
	folder, err := conformance()
	must(t, err)
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "oidc-provider")); err != nil {
		t.Fatalf("the packages of internal/openid/conformance are not installed: make test does that: %v", err)
	}
	node := exec.Command("node", "provider.mjs", p.redirect, p.Issuer, p.OtherIssuer) //nolint:noctx // ends with its standard input
	node.Dir = folder
	var said bytes.Buffer
	node.Stderr = &said
	stdin, err := node.StdinPipe()
	must(t, err)
	stdout, err := node.StdoutPipe()
	must(t, err)
	must(t, node.Start())
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = node.Wait()
	})
	port, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the provider did not start: %v\n%.4000s", err, said.String())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.port = strings.TrimSpace(port)
}

// front leads to the provider, unless it is down, and may change what it answers.
func (p *Provider) front() http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			p.mu.Lock()
			defer p.mu.Unlock()
			r.Out.URL.Scheme, r.Out.URL.Host = "http", "127.0.0.1:"+p.port
			r.Out.Host = r.In.Host
		},
		ModifyResponse: func(answer *http.Response) error {
			p.mu.Lock()
			change := p.change
			p.mu.Unlock()
			if change == nil {
				return nil
			}
			body, err := io.ReadAll(answer.Body)
			if err != nil {
				return err
			}
			body = change(answer.Request.URL.Path, body)
			answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			answer.Header.Set("Content-Length", fmt.Sprint(len(body)))
			return nil
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		down := p.down
		p.mu.Unlock()
		if down {
			panic(http.ErrAbortHandler) // closes the connection
		}
		proxy.ServeHTTP(w, r)
	})
}

// SetDown makes the provider close every connection, or work again.
func (p *Provider) SetDown(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
}

// Change passes all later answers through change; nil leaves them as they are.
func (p *Provider) Change(change func(path string, answer []byte) []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.change = change
}

// Rotate replaces the provider's keys.
func (p *Provider) Rotate(t testing.TB) {
	t.Helper()
	answer, err := http.Post(p.Issuer+"/rotate", "", nil) //nolint:noctx // a test's
	must(t, err)
	must(t, answer.Body.Close())
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the keys were not replaced: %s", answer.Status)
	}
}

// SignIn goes to an address of the provider with a new browser, signs in there by a name, and returns what the provider sends
// the browser back with. Without a name, the person gives up.
func (p *Provider) SignIn(t testing.TB, address, name string) url.Values {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	browser := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(r.URL.String(), p.redirect) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	form, err := browser.Get(address) //nolint:noctx // a test's
	must(t, err)
	must(t, form.Body.Close())
	answer := form
	if form.StatusCode == http.StatusOK {
		answer, err = browser.PostForm(form.Request.URL.String(), url.Values{"login": {name}}) //nolint:noctx // a test's
		must(t, err)
		must(t, answer.Body.Close())
	}
	back, err := answer.Location()
	if err != nil || !strings.HasPrefix(back.String(), p.redirect) {
		t.Fatalf("the provider answers %s and sends nobody back: %v", answer.Status, err)
	}
	return back.Query()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
