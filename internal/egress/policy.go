package egress

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// DefaultPorts are common web ports. Every other port needs an entry in the allow list, so that a page cannot use us
// to reach mail servers or databases, or to scan ports.
var DefaultPorts = []uint16{80, 443, 8000, 8008, 8080, 8443, 8888}

// maxAllowEntries bounds the operator's list: it is read on every dial.
const maxAllowEntries = 1000

// Policy decides which addresses may be dialled. The nil Policy is the strict one: public addresses on DefaultPorts
// only. Public addresses of this machine, or in networks that it reaches without a router, do not count as public. A
// Policy is immutable and safe for concurrent use.
type Policy struct {
	entries []entry
	ports   []uint16
	own     *ownNetworks // nil = this machine's
}

// entry is one line of the operator's list: a network or a name, with or without a port (0 = any).
type entry struct {
	network netip.Prefix
	host    string
	port    uint16
}

// NewPolicy makes a policy from the operator's list of internal targets. Each entry is one of
//
//	10.1.2.3           an address, on any port
//	127.0.0.1:8123     an address and port; IPv6 as [::1]:8123
//	10.1.0.0/16        a network
//	intranet.test      a name, wherever it resolves to, with the exceptions below
//	intranet.test:8080 the same on one port
//
// A name opens neither the addresses at which clouds serve their credentials (all of link-local and some others) nor public
// ones of this machine and its neighbours: those take an address entry.
func NewPolicy(allow ...string) (*Policy, error) {
	if len(allow) > maxAllowEntries {
		return nil, fmt.Errorf("egress allow list has %d entries; at most %d are supported", len(allow), maxAllowEntries)
	}
	policy := &Policy{ports: DefaultPorts, own: thisMachine}
	for _, text := range allow {
		e, err := parseEntry(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		policy.entries = append(policy.entries, e)
	}
	return policy, nil
}

// WithPorts returns a copy of the policy that allows public addresses on these ports instead of DefaultPorts.
func (p *Policy) WithPorts(ports ...uint16) *Policy {
	changed := &Policy{ports: slices.Clone(ports), own: p.nearby()}
	if p != nil {
		changed.entries = p.entries
	}
	return changed
}

func parseEntry(text string) (entry, error) {
	if prefix, err := netip.ParsePrefix(text); err == nil {
		return entry{network: prefix.Masked()}, nil
	}
	if addr, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
		return entry{network: single(addr)}, nil
	}
	host, port := text, uint16(0)
	if h, p, err := net.SplitHostPort(text); err == nil {
		number, err := strconv.ParseUint(p, 10, 16)
		if err != nil || number == 0 {
			return entry{}, fmt.Errorf("egress allow entry %q: port must be a number from 1 to 65535", text)
		}
		host, port = h, uint16(number)
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return entry{network: single(addr), port: port}, nil
	}
	host = canonicalHost(host)
	if host == "" || strings.ContainsAny(host, "/:*@ []") {
		return entry{}, fmt.Errorf("egress allow entry %q: use an address, address:port, network/bits, name or name:port", text)
	}
	return entry{host: host, port: port}, nil
}

func single(addr netip.Addr) netip.Prefix {
	addr = addr.Unmap().WithZone("")
	return netip.PrefixFrom(addr, addr.BitLen())
}

// canonicalHost lower-cases a name and drops the final dot: "Example.COM." and "example.com" are one host.
func canonicalHost(host string) string {
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// Check decides on one resolved address. host is the requested name, or the address itself. It returns nil or a
// *Refusal.
func (p *Policy) Check(host string, target netip.AddrPort) error {
	addr := target.Addr().Unmap().WithZone("")
	refuse := func(why string) error { return &Refusal{Host: host, Target: target, Why: why} }
	if p.allowsAddress(addr, target.Port()) {
		return nil
	}
	kind := Classify(addr)
	if kind == Public {
		if why := p.nearby().forbids(addr); why != "" {
			return refuse(why)
		}
	}
	if !servesMetadata(addr) && p.allowsName(canonicalHost(host), target.Port()) {
		return nil
	}
	if kind != Public {
		return refuse("address is " + string(kind))
	}
	if !slices.Contains(p.publicPorts(), target.Port()) {
		return refuse("port is not one that pages are served from")
	}
	return nil
}

func (p *Policy) publicPorts() []uint16 {
	if p == nil {
		return DefaultPorts
	}
	return p.ports
}

func (p *Policy) nearby() *ownNetworks {
	if p == nil || p.own == nil {
		return thisMachine
	}
	return p.own
}

func (p *Policy) allowsAddress(addr netip.Addr, port uint16) bool {
	return p.has(func(e entry) bool { return e.host == "" && e.network.Contains(addr) }, port)
}

func (p *Policy) allowsName(host string, port uint16) bool {
	return p.has(func(e entry) bool { return e.host != "" && e.host == host }, port)
}

// opensNetwork reports whether the list opens more than single addresses: names of the local network may lead there.
func (p *Policy) opensNetwork() bool {
	return p != nil && slices.ContainsFunc(p.entries, func(e entry) bool { return e.network.IsValid() && !e.network.IsSingleIP() })
}

// has reports whether an entry for the port matches.
func (p *Policy) has(matches func(entry) bool, port uint16) bool {
	return p != nil && slices.ContainsFunc(p.entries, func(e entry) bool { return (e.port == 0 || e.port == port) && matches(e) })
}

// Refusal says why a target may not be dialled. The text is for logs and operators, not for clients.
type Refusal struct {
	Host   string
	Target netip.AddrPort
	Why    string
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("egress to %s (%s) refused: %s", r.Host, r.Target, r.Why)
}
