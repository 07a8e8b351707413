package graph

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// origins decides which pages may use the interface from a browser: the server's own, and those configured.
type origins struct {
	base    string   // the scheme and host by which clients reach the server
	foreign []string // the configured ones
}

func newOrigins(c Config) origins {
	o := origins{base: originOf(c.BaseURL)}
	for _, origin := range c.Origins {
		o.foreign = append(o.foreign, originOf(origin))
	}
	return o
}

// originOf is the scheme and host of an address, in lower case.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// allows reports whether the page that made a request may do so. Requests without an Origin are not made by a page of
// another origin: browsers name it on every WebSocket, and on every request that is not a plain GET.
func (o origins) allows(r *http.Request) bool {
	origin := strings.ToLower(r.Header.Get("Origin"))
	if origin == "" {
		return true
	}
	return origin == o.base || o.isForeign(origin) || o.isSame(origin, r)
}

// own reports whether a page of this server made a request. Pages of the configured origins may bring a token, but not the
// cookie of a session.
func (o origins) own(r *http.Request) bool {
	origin := strings.ToLower(r.Header.Get("Origin"))
	return origin == o.base || o.isSame(origin, r)
}

// isSame reports whether origin is the server as the request named it. Behind a proxy that ends TLS the server does not
// see the scheme by which it was asked. Where clients come by TLS, a page without it may be anybody's on the way.
func (o origins) isSame(origin string, r *http.Request) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
		return false
	}
	return u.Scheme == "https" || !o.secure(r)
}

// secure reports whether clients come by TLS, to this server or to the proxy before it. A handler around this one may tell
// what the proxy said in the scheme of the request's URL, which is empty otherwise.
func (o origins) secure(r *http.Request) bool {
	return r.TLS != nil || r.URL.Scheme == "https" || strings.HasPrefix(o.base, "https://")
}

func (o origins) isForeign(origin string) bool { return slices.Contains(o.foreign, origin) }

// CrossOrigin allows pages of the configured origins to call another API of the service with these methods and a
// token, but without cookies. That API answers OPTIONS itself.
func (s *Server) CrossOrigin(next http.Handler, methods ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.origins.allowReading(w.Header(), r)
		if r.Method == http.MethodOptions {
			s.origins.answerPreflight(w.Header(), r, methods...)
		}
		next.ServeHTTP(w, r)
	})
}

// allowReading lets pages of the configured origins read the answer. Their requests carry no cookie, only tokens.
func (o origins) allowReading(header http.Header, r *http.Request) {
	header.Add("Vary", "Origin")
	if origin := r.Header.Get("Origin"); o.isForeign(strings.ToLower(origin)) {
		header.Set("Access-Control-Allow-Origin", origin)
		header.Set("Access-Control-Expose-Headers",
			strings.Join([]string{requestIDHeader, rateLimitHeader, rateRemainingHeader, retryAfterHeader}, ", "))
	}
}

// answerPreflight tells a browser what pages of the configured origins may send.
func (o origins) answerPreflight(header http.Header, r *http.Request, methods ...string) {
	if o.isForeign(strings.ToLower(r.Header.Get("Origin"))) {
		header.Set("Access-Control-Allow-Methods", strings.Join(methods, ", "))
		header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, "+clientHeader)
		header.Set("Access-Control-Max-Age", "600")
	}
}
