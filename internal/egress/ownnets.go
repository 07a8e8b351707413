package egress

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"
)

// ownNetworksAge is how long the list of the machine's addresses is believed: they change seldom and reading them is a
// system call.
const ownNetworksAge = time.Minute

// ownNetworks knows this machine's addresses and the networks that it reaches without a router. A public address may be one
// of them: the machine then answers itself, past the firewall in front of it, and neighbours answer a machine next door.
type ownNetworks struct {
	list func() ([]net.Addr, error)
	now  func() time.Time

	mu       sync.Mutex
	read     time.Time // of the last attempt
	err      error     // of the last attempt, while no list was ever read
	networks []netip.Prefix
}

// thisMachine is shared by all policies.
var thisMachine = &ownNetworks{list: net.InterfaceAddrs, now: time.Now}

// forbids tells why a public address is too near to be public, "" when it is not. Without any list everything is too near:
// a check that cannot be made has not been passed. Later failures leave the last list in force.
func (o *ownNetworks) forbids(addr netip.Addr) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := o.now(); o.read.IsZero() || now.Sub(o.read) >= ownNetworksAge {
		o.read = now
		o.refresh()
	}
	if o.err != nil {
		return "it cannot be distinguished from this machine's own addresses: " + o.err.Error()
	}
	for _, network := range o.networks {
		if network.Contains(addr) {
			return fmt.Sprintf("address is this machine's or its neighbour's (%s)", network)
		}
	}
	return ""
}

func (o *ownNetworks) refresh() {
	addrs, err := o.list()
	if err != nil {
		if o.networks == nil {
			o.err = err
		}
		return
	}
	o.err = nil
	o.networks = make([]netip.Prefix, 0, len(addrs))
	for _, a := range addrs {
		if network, ok := networkOf(a); ok {
			o.networks = append(o.networks, network)
		}
	}
}

// networkOf is the network that an interface's public address stands in; the other kinds are refused by [Classify].
//
// An IPv6 link is a /64 (RFC 4291, section 2.5.1) even where DHCPv6 gives a single address. A mask wider than any real
// link (a tunnel that takes all traffic may have /0) says nothing about neighbours, so it covers the address alone, or its /64.
func networkOf(a net.Addr) (netip.Prefix, bool) {
	ipNet, ok := a.(*net.IPNet)
	if !ok {
		return netip.Prefix{}, false
	}
	addr, ok := netip.AddrFromSlice(ipNet.IP)
	if !ok {
		return netip.Prefix{}, false
	}
	addr = addr.Unmap()
	if Classify(addr) != Public {
		return netip.Prefix{}, false
	}
	narrowest, widest := 32, 8
	if addr.Is6() {
		narrowest, widest = 64, 32
	}
	bits, _ := ipNet.Mask.Size()
	if bits < widest || bits > narrowest {
		bits = narrowest
	}
	return netip.PrefixFrom(addr, bits).Masked(), true
}
