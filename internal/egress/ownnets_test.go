package egress

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"
)

// machine is a machine with these interface addresses, as "address/bits".
func machine(t *testing.T, addresses ...string) *ownNetworks {
	t.Helper()
	return &ownNetworks{now: time.Now, list: func() ([]net.Addr, error) { return interfaceAddrs(t, addresses...), nil }}
}

func interfaceAddrs(t *testing.T, addresses ...string) []net.Addr {
	t.Helper()
	var addrs []net.Addr
	for _, text := range addresses {
		ip, network, err := net.ParseCIDR(text)
		if err != nil {
			t.Fatal(err)
		}
		addrs = append(addrs, &net.IPNet{IP: ip, Mask: network.Mask})
	}
	return addrs
}

func TestOwnAddressesAndNeighboursAreRefused(t *testing.T) {
	policy, err := NewPolicy("own.test", "93.184.215.2:443", "[2606:4700:1:2::9]:443", "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	policy.own = machine(t, "127.0.0.1/8", "::1/128", "10.0.0.5/8", "fe80::5/64", "93.184.215.14/28", "151.101.1.1/32", "9.9.9.9/0",
		"2606:4700:1:2::5/64", "2a00:1450:1:1::5/128", "2a01:4f8:7::1/48", "2003:5::1/0")
	for _, row := range []struct {
		host, target string
		allowed      bool
	}{
		{"x", "93.184.215.14:443", false}, // our own
		{"x", "[::ffff:93.184.215.14]:443", false},
		{"own.test", "93.184.215.14:443", false}, // a name does not open it
		{"x", "93.184.215.1:443", false},         // a neighbour
		{"x", "93.184.215.2:443", true},          // opened by its address
		{"x", "93.184.215.16:443", true},         // beside the network
		{"x", "151.101.1.1:443", false},
		{"x", "151.101.1.2:443", true},
		{"x", "9.9.9.9:443", false},
		{"x", "9.9.9.10:443", true}, // a mask of /0 tells nothing about neighbours
		{"x", "[2606:4700:1:2::5]:443", false},
		{"x", "[2606:4700:1:2:ffff::1]:443", false},
		{"x", "[2606:4700:1:2::9]:443", true}, // an address entry opens it
		{"x", "[2606:4700:1:2::9]:80", false},
		{"x", "[2606:4700:1:3::5]:443", true},
		{"x", "[2a00:1450:1:1::9]:443", false},
		{"x", "[2a00:1450:1:2::9]:443", true},
		{"x", "[2a01:4f8:7:ffff::9]:443", false},
		{"x", "[2003:5::9]:443", false},
		{"x", "[2003:6::9]:443", true},
		{"x", "127.0.0.1:443", true},
		{"x", "127.0.0.2:443", false},
	} {
		err := policy.Check(row.host, netip.MustParseAddrPort(row.target))
		if (err == nil) != row.allowed {
			t.Errorf("%s at %s: %v, want allowed %v", row.host, row.target, err, row.allowed)
		}
	}
}

func TestOwnAddressesAreReadAgain(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	reads, current := 0, "93.184.215.14/32"
	var failure error
	own := &ownNetworks{now: func() time.Time { return now }, list: func() ([]net.Addr, error) {
		reads++
		return interfaceAddrs(t, current), failure
	}}
	policy := (*Policy)(nil).WithPorts(443)
	policy.own = own
	allowed := func(addr string) bool { return policy.Check("x", netip.MustParseAddrPort(addr+":443")) == nil }

	failure = errors.New("no leave to ask")
	if allowed("8.8.8.8") {
		t.Error("without a list an address counts as public")
	}
	now, failure = now.Add(time.Minute), nil
	if !allowed("8.8.8.8") || allowed("93.184.215.14") || reads != 2 {
		t.Errorf("the first list is not used, %d reads", reads)
	}
	current = "93.184.215.15/32"
	if now = now.Add(59 * time.Second); !allowed("93.184.215.15") || reads != 2 {
		t.Errorf("read again within a minute: %d reads", reads)
	}
	if now = now.Add(time.Second); allowed("93.184.215.15") || !allowed("93.184.215.14") || reads != 3 {
		t.Errorf("not read again after a minute: %d reads", reads)
	}
	now, failure = now.Add(time.Minute), errors.New("no leave to ask")
	if allowed("93.184.215.15") || !allowed("8.8.8.8") || reads != 4 {
		t.Errorf("a failure puts the last list out of force, %d reads", reads)
	}
}

func TestEveryPolicyKnowsThisMachine(t *testing.T) {
	policy, err := NewPolicy()
	if err != nil {
		t.Fatal(err)
	}
	if policy.own != thisMachine || policy.WithPorts(1).own != thisMachine || (*Policy)(nil).nearby() != thisMachine ||
		(&Policy{}).nearby() != thisMachine {
		t.Error("a policy does not look at this machine's addresses")
	}
}
