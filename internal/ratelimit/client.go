package ratelimit

import (
	"net/http"
	"net/netip"
)

// ipv6Network is how many bits name the network of a client, in which it has as many addresses as it likes.
const ipv6Network = 64

// ClientOf is the address or, in IPv6, the network that the requests of a client without credentials are counted under.
func ClientOf(r *http.Request) string {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	address := from.Addr().Unmap()
	if address.Is6() {
		network, _ := address.WithZone("").Prefix(ipv6Network) // 64 bits are always a prefix
		return network.String()
	}
	return address.String()
}
