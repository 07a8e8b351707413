package edge

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Proxies are the trusted proxies in front of the service. Forwarding headers from other addresses are ignored.
type Proxies []netip.Prefix

// ParseProxies parses addresses (192.0.2.7) and networks (192.0.2.0/24).
func ParseProxies(list []string) (Proxies, error) {
	var trusted Proxies
	for _, text := range list {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			address, addressErr := netip.ParseAddr(text)
			if addressErr != nil {
				return nil, fmt.Errorf("%q is neither an address like 192.0.2.7 nor a network like 192.0.2.0/24", text)
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		trusted = append(trusted, prefix.Masked())
	}
	return trusted, nil
}

func (p Proxies) trusts(address netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(address.Unmap()) {
			return true
		}
	}
	return false
}

// hop is what a proxy tells about the one that it had the request from.
type hop struct {
	client       netip.Addr
	scheme, host string
}

// Handler passes the request on as the client made it: the scheme in URL.Scheme, the host in Host and the client's
// address in RemoteAddr. Without a trusted proxy these are those of the connection.
func (p Proxies) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := r.WithContext(r.Context())
		address := *r.URL
		seen.URL = &address
		seen.URL.Scheme = "http"
		if r.TLS != nil {
			seen.URL.Scheme = "https"
		}
		if from, ok := remote(r); ok && p.trusts(from) {
			p.believe(seen)
		}
		next.ServeHTTP(w, seen)
	})
}

// believe takes over what the proxies tell, from the nearest one to the first that is not trusted.
func (p Proxies) believe(r *http.Request) {
	hops := hopsOf(r.Header)
	for i := len(hops) - 1; i >= 0; i-- {
		told := hops[i]
		if told.scheme != "" {
			r.URL.Scheme = told.scheme
		}
		if told.host != "" {
			r.Host = told.host
		}
		if told.client.IsValid() {
			r.RemoteAddr = netip.AddrPortFrom(told.client, 0).String()
		}
		if !told.client.IsValid() || !p.trusts(told.client) {
			return
		}
	}
}

func remote(r *http.Request) (netip.Addr, bool) {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, false
	}
	address, err := netip.ParseAddr(host)
	return address.WithZone(""), err == nil
}

// hopsOf reads the headers of proxies, the nearest last.
func hopsOf(header http.Header) []hop {
	if standard := header.Values("Forwarded"); len(standard) > 0 {
		return standardHops(strings.Join(standard, ","))
	}
	clients := listed(header, "X-Forwarded-For")
	hops := make([]hop, max(len(clients), 1))
	for i, text := range clients {
		hops[i].client = nodeAddress(text)
	}
	// Of scheme and host most proxies tell one value, that of the client.
	spread(listed(header, "X-Forwarded-Proto"), hops, func(h *hop, text string) { h.scheme = validScheme(text) })
	spread(listed(header, "X-Forwarded-Host"), hops, func(h *hop, text string) { h.host = validHost(text) })
	return hops
}

// spread gives each hop its value, from the nearest on; the first value counts for hops farther away than there are values.
func spread(values []string, hops []hop, set func(*hop, string)) {
	for i := range hops {
		place := len(values) - (len(hops) - i)
		if len(values) > 0 {
			set(&hops[i], values[max(place, 0)])
		}
	}
}

func listed(header http.Header, name string) []string {
	var all []string
	for _, value := range header.Values(name) {
		for part := range strings.SplitSeq(value, ",") {
			all = append(all, strings.TrimSpace(part))
		}
	}
	return all
}

// standardHops reads the elements of Forwarded: for=192.0.2.7;proto=https;host=example.com.
func standardHops(value string) []hop {
	var hops []hop
	for element := range strings.SplitSeq(value, ",") {
		var h hop
		for pair := range strings.SplitSeq(element, ";") {
			name, text, _ := strings.Cut(strings.TrimSpace(pair), "=")
			text = strings.Trim(text, `"`)
			switch strings.ToLower(name) {
			case "for":
				h.client = nodeAddress(text)
			case "proto":
				h.scheme = validScheme(text)
			case "host":
				h.host = validHost(text)
			}
		}
		hops = append(hops, h)
	}
	return hops
}

// nodeAddress reads an address with or without a port; IPv6 may stand in brackets. It is invalid for hidden ones.
func nodeAddress(text string) netip.Addr {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().WithZone("")
	}
	address, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return address.WithZone("")
}

func validScheme(text string) string {
	switch scheme := strings.ToLower(text); scheme {
	case "http", "https":
		return scheme
	}
	return ""
}

// validHost is a host with or without a port; empty for anything else, which must not get into links.
func validHost(text string) string {
	const inHosts = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]"
	if len(text) > 255 || strings.ContainsFunc(text, func(c rune) bool { return !strings.ContainsRune(inHosts, c) }) {
		return ""
	}
	return text
}
