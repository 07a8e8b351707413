// Package private serves what is for operators only: health, figures, and tools that look into the process. It knows no
// users. So the tools answer only callers on this machine, and never a page in their browser.
package private

import (
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"strings"

	"afterimage/internal/health"
)

// Config says what there is to serve. Figures may be nil.
type Config struct {
	Health  *health.Health
	Figures http.Handler
	Tools   map[string]http.Handler // for callers on this machine only, by the path that they have with what is below it
}

// Handler is the map of the private addresses.
func Handler(c Config) http.Handler {
	mux := http.NewServeMux()
	c.Health.Register(mux)
	if c.Figures != nil {
		mux.Handle("GET /metrics", c.Figures)
	}
	// Not pprof.Cmdline: there may be a key on the command line.
	tools := http.NewServeMux()
	tools.HandleFunc("GET /debug/pprof/", pprof.Index)
	tools.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	tools.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	tools.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	tools.HandleFunc("GET /debug/pprof/cmdline", http.NotFound)
	mux.Handle("/debug/pprof/", here(tools))
	for path, tool := range c.Tools {
		mux.Handle(path, here(tool))
		mux.Handle(path+"/", here(tool))
	}
	return mux
}

// here lets requests through that come from this machine and ask for it by a name that is always its own: a page elsewhere
// can make a browser on this machine connect to it, but only under the page's name.
func here(tools http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopback(r.RemoteAddr) || !isOwnName(r.Host) {
			http.Error(w, "Only callers on this machine are allowed: use http://localhost, for example through an SSH tunnel or "+
				"kubectl port-forward.", http.StatusForbidden)
			return
		}
		tools.ServeHTTP(w, r)
	})
}

func isLoopback(address string) bool {
	from, err := netip.ParseAddrPort(address)
	return err == nil && from.Addr().Unmap().IsLoopback()
}

func isOwnName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}
