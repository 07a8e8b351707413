package egress

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// DefaultPorts are the ports that pages are served from in practice. Every other port needs an entry in the allow list, so
// that a page cannot use us to talk to mail servers, databases or to scan ports.
var DefaultPorts = []uint16{80, 443, 8000, 8008, 8080, 8443, 8888}

// maxAllowEntries bounds the operator's list: it is read on every dial.
const maxAllowEntries = 1000

// Policy tells who may be dialled. The nil Policy is the strict one: public addresses on [DefaultPorts] only.
// A Policy is immutable and safe for concurrent use.
type Policy struct {
	entries []entry
	ports   []uint16
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
//	intranet.test      a name, wherever it resolves to, clouds' metadata excepted
//	intranet.test:8080 the same on one port
//
// A name does not open link-local addresses and the others at which clouds serve their credentials: those take an address
// entry.
func NewPolicy(allow ...string) (*Policy, error) {
	if len(allow) > maxAllowEntries {
		return nil, fmt.Errorf("egress allow list has %d entries; at most %d are supported", len(allow), maxAllowEntries)
	}
	policy := &Policy{ports: DefaultPorts}
	for _, text := range allow {
		e, err := parseEntry(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		policy.entries = append(policy.entries, e)
	}
	return policy, nil
}

// WithPorts returns a copy of the policy that lets public addresses be dialled on these ports instead of [DefaultPorts].
func (p *Policy) WithPorts(ports ...uint16) *Policy {
	changed := &Policy{ports: slices.Clone(ports)}
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

// Check decides on one resolved address. host is the name that was asked for (or the address itself); the answer is nil or a *[Refusal].
func (p *Policy) Check(host string, target netip.AddrPort) error {
	addr := target.Addr().Unmap().WithZone("")
	kind := Classify(addr)
	if p.allows(canonicalHost(host), addr, target.Port()) {
		return nil
	}
	if kind != Public {
		return &Refusal{Host: host, Target: target, Why: "address is " + string(kind)}
	}
	if !slices.Contains(p.publicPorts(), target.Port()) {
		return &Refusal{Host: host, Target: target, Why: "port is not one that pages are served from"}
	}
	return nil
}

func (p *Policy) publicPorts() []uint16 {
	if p == nil {
		return DefaultPorts
	}
	return p.ports
}

func (p *Policy) allows(host string, addr netip.Addr, port uint16) bool {
	if p == nil {
		return false
	}
	metadata := servesMetadata(addr)
	for _, e := range p.entries {
		if e.port != 0 && e.port != port {
			continue
		}
		if e.host != "" && e.host == host && !metadata {
			return true
		}
		if e.host == "" && e.network.Contains(addr) {
			return true
		}
	}
	return false
}

// Refusal says that a target may not be dialled and why. The text is for logs and operators, not for clients.
type Refusal struct {
	Host   string
	Target netip.AddrPort
	Why    string
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("egress to %s (%s) refused: %s", r.Host, r.Target, r.Why)
}
