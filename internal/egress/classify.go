package egress

import (
	"fmt"
	"net/netip"
)

// Kind is the purpose of an address, as far as egress is concerned. The empty Kind is public unicast.
type Kind string

// Public is the kind of public internet addresses.
const Public Kind = ""

// block is one range of the registries below.
type block struct {
	prefix netip.Prefix
	kind   Kind
}

// ipv4Blocks is the IANA IPv4 Special-Purpose Address Registry plus multicast.
// Source: https://www.iana.org/assignments/iana-ipv4-special-registry
var ipv4Blocks = []block{
	{netip.MustParsePrefix("0.0.0.0/8"), "this network"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private"},
	{netip.MustParsePrefix("100.64.0.0/10"), "shared address space"},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local (cloud metadata)"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private"},
	{netip.MustParsePrefix("192.0.0.0/24"), "IETF protocol assignments"},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation"},
	{netip.MustParsePrefix("192.31.196.0/24"), "AS112"},
	{netip.MustParsePrefix("192.52.193.0/24"), "AMT"},
	{netip.MustParsePrefix("192.88.99.0/24"), "6to4 relay"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private"},
	{netip.MustParsePrefix("192.175.48.0/24"), "AS112"},
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarking"},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},
}

// metadataHosts are the addresses outside link-local at which clouds answer every machine of theirs, some of them with its
// credentials. One is public: Azure's WireServer. The others only get a name that says more than their range's.
// Sources: the network documentation of Azure, Alibaba Cloud, Oracle Cloud, AWS (IMDS over IPv6) and Google Cloud.
var metadataHosts = []block{
	{netip.MustParsePrefix("168.63.129.16/32"), "cloud metadata"},
	{netip.MustParsePrefix("100.100.100.200/32"), "shared address space (cloud metadata)"},
	{netip.MustParsePrefix("192.0.0.192/32"), "IETF protocol assignments (cloud metadata)"},
	{netip.MustParsePrefix("fd00:ec2::254/128"), "unique local (cloud metadata)"},
	{netip.MustParsePrefix("fd20:ce::254/128"), "unique local (cloud metadata)"},
}

// ipv6GlobalUnicast is the only range from which IANA assigns public IPv6 addresses.
var ipv6GlobalUnicast = netip.MustParsePrefix("2000::/3")

// ipv6Blocks names the special ranges; what is in none of them and outside 2000::/3 is "not global unicast".
// Source: https://www.iana.org/assignments/iana-ipv6-special-registry
//
// The forms that carry an IPv4 address (mapped, NAT64, 6to4, Teredo …) are refused whole: which IPv4 host is reached
// through them depends on gateways that we cannot see. 2001::/23 stands after Teredo because it contains it.
var ipv6Blocks = []block{
	{netip.MustParsePrefix("::/128"), "unspecified"},
	{netip.MustParsePrefix("::1/128"), "loopback"},
	{netip.MustParsePrefix("::ffff:0:0/96"), "IPv4-mapped"},
	{netip.MustParsePrefix("::ffff:0:0:0/96"), "IPv4-translated"},
	{netip.MustParsePrefix("::/96"), "IPv4-compatible"},
	{netip.MustParsePrefix("64:ff9b::/96"), "NAT64"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "local-use NAT64"},
	{netip.MustParsePrefix("100::/64"), "discard-only"},
	{netip.MustParsePrefix("100:0:0:1::/64"), "dummy prefix"},
	{netip.MustParsePrefix("2001::/32"), "Teredo"},
	{netip.MustParsePrefix("2001::/23"), "IETF protocol assignments"},
	{netip.MustParsePrefix("2001:db8::/32"), "documentation"},
	{netip.MustParsePrefix("2002::/16"), "6to4"},
	{netip.MustParsePrefix("2620:4f:8000::/48"), "AS112"},
	{netip.MustParsePrefix("3fff::/20"), "documentation"},
	{netip.MustParsePrefix("5f00::/16"), "segment routing"},
	{netip.MustParsePrefix("fc00::/7"), "unique local"},
	{netip.MustParsePrefix("fe80::/10"), "link-local"},
	{netip.MustParsePrefix("fec0::/10"), "site-local"},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
}

// Classify returns the kind of an address, without any network access. A zone is ignored; the zero Addr is
// "invalid".
func Classify(addr netip.Addr) Kind {
	if !addr.IsValid() {
		return "invalid"
	}
	addr = addr.WithZone("")
	if kind := lookUp(metadataHosts, addr); kind != Public {
		return kind
	}
	if addr.Is4() {
		return lookUp(ipv4Blocks, addr)
	}
	if kind := lookUp(ipv6Blocks, addr); kind != Public {
		if inner, ok := embeddedIPv4(addr); ok {
			if innerKind := Classify(inner); innerKind != Public {
				return Kind(fmt.Sprintf("%s of %s", kind, innerKind))
			}
		}
		return kind
	}
	if !ipv6GlobalUnicast.Contains(addr) {
		return "not global unicast"
	}
	return Public
}

func lookUp(blocks []block, addr netip.Addr) Kind {
	for _, b := range blocks {
		if b.prefix.Contains(addr) {
			return b.kind
		}
	}
	return Public
}

// servesMetadata reports whether a cloud may serve its credentials at the address, also when it is wrapped in IPv6.
func servesMetadata(addr netip.Addr) bool {
	if inner, ok := embeddedIPv4(addr); ok {
		return servesMetadata(inner)
	}
	return addr.IsLinkLocalUnicast() || lookUp(metadataHosts, addr) != Public
}

// embeddedIPv4 extracts the IPv4 address that a transition form carries.
// Teredo (RFC 4380) stores the client's address inverted in its last four bytes.
func embeddedIPv4(addr netip.Addr) (netip.Addr, bool) {
	if addr.Is4() {
		return netip.Addr{}, false
	}
	b := addr.As16()
	switch {
	case addr.Is4In6(), ipv6Blocks[3].prefix.Contains(addr), ipv6Blocks[5].prefix.Contains(addr):
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case b[0] == 0x20 && b[1] == 0x02:
		return netip.AddrFrom4([4]byte(b[2:6])), true
	case b[0] == 0x20 && b[1] == 0x01 && b[2] == 0 && b[3] == 0:
		return netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}), true
	}
	return netip.Addr{}, false
}
