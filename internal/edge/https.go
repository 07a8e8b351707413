package edge

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
)

// HTTPS keeps clients on TLS.
type HTTPS struct {
	// Public says that clients reach the service by https://, whoever ends the TLS.
	Public bool
	// Machines are the paths of interfaces for programs. There a request that came without TLS has shown its token on the
	// way already: it is refused, for whoever sends it to notice, and not led on.
	Machines []string
}

// oneYear makes browsers come by TLS only, for so many seconds.
const oneYear = "max-age=31536000"

// Handler must be wrapped by Proxies, which determine the scheme used by the client.
func (p HTTPS) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.Public || r.URL.Scheme == "https" {
			w.Header().Set("Strict-Transport-Security", oneYear)
		}
		next.ServeHTTP(w, r)
	})
}

// Insist passes TLS requests through and redirects or refuses all others.
func (p HTTPS) Insist(next http.Handler) http.Handler {
	redirect := p.Redirect("")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Scheme == "https" {
			next.ServeHTTP(w, r)
			return
		}
		redirect.ServeHTTP(w, r)
	})
}

// Redirect answers plain HTTP requests: it redirects browsers to the same URL over TLS, on the given port unless it
// is the default, and refuses API clients.
func (p HTTPS) Redirect(port string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, path := range p.Machines {
			if strings.HasPrefix(r.URL.Path, path) {
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				w.WriteHeader(http.StatusForbidden)
				_, _ = w.Write([]byte(`{"message":"Use https: this request and its token were sent unencrypted. Replace the token."}`))
				return
			}
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "Use HTTPS.", http.StatusForbidden)
			return
		}
		host := r.Host
		if name, _, found := strings.Cut(host, ":"); found && !strings.HasPrefix(host, "[") {
			host = name
		} else if end := strings.Index(host, "]"); end >= 0 {
			host = host[:end+1]
		}
		if validHost(host) == "" {
			http.Error(w, "Use HTTPS.", http.StatusBadRequest)
			return
		}
		if port != "" && port != "443" {
			host += ":" + port
		}
		target := url.URL{Scheme: "https", Host: host, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, target.String(), http.StatusPermanentRedirect)
	})
}

// RequestIDs adds an id to every response, to be quoted in support requests. Ids from clients are ignored, because
// they would end up in the log.
func RequestIDs(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", rand.Text())
		next.ServeHTTP(w, r)
	})
}
