package egress

import (
	"net/netip"
	"strings"
)

// CheckHost decides on a host and port without resolving names. Addresses are decided as when dialled, names that
// always mean this machine like its loopback address; strings that some resolvers parse as an address in another notation
// are refused, and so are names of a single label, which only a local network knows, unless an entry has the name or the
// list opens a network. Any other name passes, to be decided when it is dialled. It returns nil or a *Refusal.
func (p *Policy) CheckHost(host string, port uint16) error {
	host = canonicalHost(strings.Trim(host, "[]"))
	if addr, err := netip.ParseAddr(host); err == nil {
		return p.Check(host, netip.AddrPortFrom(addr, port))
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") { // RFC 6761
		return p.Check(host, netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port))
	}
	if looksNumeric(host) {
		return &Refusal{Host: host, Why: "host is a number rather than a name or an address"}
	}
	if !strings.Contains(host, ".") && !p.allowsName(host, port) && !p.opensNetwork() {
		return &Refusal{Host: host, Why: "host is a single label, which the public name system does not serve"}
	}
	return nil
}

// looksNumeric reports whether a host ends like an IPv4 address in one of its older notations, as 127.1 or 0x7f000001. No
// name of the domain system does: https://url.spec.whatwg.org/#ends-in-a-number-checker.
func looksNumeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if digits, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}
