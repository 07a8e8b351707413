package egress

import (
	"net/netip"
	"strings"
	"testing"

	"code.dny.dev/ssrf"
)

// classified are addresses at and beside the edges of every special range. public tells what we expect; the package
// code.dny.dev/ssrf, written independently of us from the same registries, has to agree on each row.
var classified = []struct {
	addr   string
	public bool
	kind   string // part of the kind's name, "" = not checked
}{
	{"0.0.0.0", false, "this network"}, {"0.255.255.255", false, "this network"}, {"1.0.0.0", true, ""},
	{"9.255.255.255", true, ""}, {"10.0.0.0", false, "private"}, {"10.255.255.255", false, "private"}, {"11.0.0.0", true, ""},
	{"100.63.255.255", true, ""}, {"100.64.0.0", false, "shared"}, {"100.100.100.200", false, "shared"},
	{"100.127.255.255", false, "shared"}, {"100.128.0.0", true, ""},
	{"126.255.255.255", true, ""}, {"127.0.0.0", false, "loopback"}, {"127.0.0.1", false, "loopback"},
	{"127.255.255.255", false, "loopback"}, {"128.0.0.0", true, ""},
	{"169.253.255.255", true, ""}, {"169.254.0.0", false, "link-local"}, {"169.254.169.254", false, "metadata"},
	{"169.254.170.2", false, "metadata"}, {"169.254.255.255", false, "link-local"}, {"169.255.0.0", true, ""},
	{"172.15.255.255", true, ""}, {"172.16.0.0", false, "private"}, {"172.17.0.1", false, "private"}, {"172.31.255.255", false, "private"},
	{"172.32.0.0", true, ""},
	{"191.255.255.255", true, ""}, {"192.0.0.0", false, "IETF"}, {"192.0.0.192", false, "IETF"}, {"192.0.0.255", false, "IETF"},
	{"192.0.1.0", true, ""},
	{"192.0.2.0", false, "documentation"}, {"192.0.2.255", false, "documentation"}, {"192.0.3.0", true, ""},
	{"192.31.196.1", false, "AS112"}, {"192.31.197.0", true, ""}, {"192.52.193.1", false, "AMT"}, {"192.52.194.0", true, ""},
	{"192.88.98.255", true, ""}, {"192.88.99.1", false, "6to4"}, {"192.88.100.0", true, ""},
	{"192.167.255.255", true, ""}, {"192.168.0.0", false, "private"}, {"192.168.255.255", false, "private"}, {"192.169.0.0", true, ""},
	{"192.175.48.1", false, "AS112"}, {"192.175.49.0", true, ""},
	{"198.17.255.255", true, ""}, {"198.18.0.0", false, "benchmarking"}, {"198.19.255.255", false, "benchmarking"},
	{"198.20.0.0", true, ""},
	{"198.51.99.255", true, ""}, {"198.51.100.1", false, "documentation"}, {"198.51.101.0", true, ""},
	{"203.0.112.255", true, ""}, {"203.0.113.1", false, "documentation"}, {"203.0.114.0", true, ""},
	{"223.255.255.255", true, ""}, {"224.0.0.0", false, "multicast"}, {"239.255.255.255", false, "multicast"},
	{"240.0.0.0", false, "reserved"}, {"255.255.255.254", false, "reserved"}, {"255.255.255.255", false, "reserved"},
	{"168.63.129.15", true, ""}, {"168.63.129.17", true, ""}, // beside Azure's WireServer, which the oracle takes for public
	{"8.8.8.8", true, ""}, {"93.184.215.14", true, ""},

	{"::", false, "unspecified"}, {"::1", false, "loopback"}, {"::2", false, "compatible"}, {"::7f00:1", false, "compatible"},
	{"::a9fe:a9fe", false, "compatible"},
	{"::ffff:127.0.0.1", false, "mapped of loopback"}, {"::ffff:169.254.169.254", false, "mapped of link-local"},
	{"::ffff:10.0.0.1", false, "mapped of private"}, {"::ffff:8.8.8.8", false, "mapped"},
	{"::ffff:0:127.0.0.1", false, "translated of loopback"}, {"64:ff9b::7f00:1", false, "NAT64 of loopback"},
	{"64:ff9b::a9fe:a9fe", false, "NAT64 of link-local"},
	{"64:ff9b::808:808", false, "NAT64"}, {"64:ff9b:1::1", false, "NAT64"}, {"64:ff9b:2::1", false, "not global"},
	{"100::1", false, "discard"}, {"100:0:0:1::1", false, "dummy"},
	{"1fff:ffff::1", false, "not global"}, {"2000::1", true, ""}, {"2001::1", false, "Teredo"}, {"2001:0:4136:e378:8000:63bf:80ff:fffe",
		false, "Teredo of loopback"},
	{"2001:1::1", false, "IETF"}, {"2001:2::1", false, "IETF"}, {"2001:20::1", false, "IETF"}, {"2001:1ff:ffff::1", false, "IETF"},
	{"2001:200::1", true, ""},
	{"2001:db7:ffff::1", true, ""}, {"2001:db8::1", false, "documentation"}, {"2001:db9::1", true, ""}, {"2001:4860:4860::8888", true, ""},
	{"2002::1", false, "6to4"}, {"2002:7f00:1::", false, "6to4 of loopback"}, {"2002:a9fe:a9fe::", false, "6to4 of link-local"},
	{"2002:808:808::1", false, "6to4"}, {"2003::1", true, ""},
	{"2606:4700::1111", true, ""}, {"2620:4f:7fff::1", true, ""}, {"2620:4f:8000::1", false, "AS112"}, {"2620:4f:8001::1", true, ""},
	{"3ffe::1", true, ""}, {"3fff::1", false, "documentation"}, {"3fff:fff:ffff::1", false, "documentation"}, {"3fff:1000::1", true, ""},
	{"4000::1", false, "not global"}, {"5f00::1", false, "segment"}, {"fc00::1", false, "unique local"},
	{"fd00:ec2::254", false, "unique local"}, {"fdff::1", false, "unique local"},
	{"fe80::1", false, "link-local"}, {"fe80::a9fe:a9fe", false, "link-local"}, {"febf::1", false, "link-local"},
	{"fec0::1", false, "site-local"}, {"ff02::1", false, "multicast"}, {"ff0e::1", false, "multicast"},
}

func TestClassifyAgreesWithTheOracle(t *testing.T) {
	if len(classified) < 80 {
		t.Fatalf("only %d rows", len(classified))
	}
	oracle := ssrf.New(ssrf.WithAnyPort(), ssrf.WithAnyNetwork())
	for _, row := range classified {
		addr := netip.MustParseAddr(row.addr)
		kind := Classify(addr)
		if (kind == Public) != row.public || !strings.Contains(string(kind), row.kind) {
			t.Errorf("%s is %q, want public %v, kind %q", row.addr, kind, row.public, row.kind)
		}
		if oracleAllows := oracle.SafeAddr(addr) == nil; oracleAllows != row.public {
			t.Errorf("%s: the oracle says allowed %v", row.addr, oracleAllows)
		}
	}
}

// FuzzClassify compares with the oracle on addresses that nobody thought of.
func FuzzClassify(f *testing.F) {
	for _, row := range classified {
		addr := netip.MustParseAddr(row.addr)
		f.Add(addr.AsSlice())
	}
	oracle := ssrf.New(ssrf.WithAnyPort(), ssrf.WithAnyNetwork())
	f.Fuzz(func(t *testing.T, raw []byte) {
		addr, ok := netip.AddrFromSlice(raw)
		if !ok || addr == wireServer {
			return
		}
		if ours, theirs := Classify(addr) == Public, oracle.SafeAddr(addr) == nil; ours != theirs {
			t.Errorf("%s: public %v, the oracle says %v", addr, ours, theirs)
		}
	})
}

var wireServer = netip.MustParseAddr("168.63.129.16")

func TestMetadataHosts(t *testing.T) {
	policy, err := NewPolicy("cloud.test", "168.63.129.17")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"168.63.129.16", "169.254.169.254", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254",
		"::ffff:168.63.129.16", "64:ff9b::a83f:8110", "64:ff9b::a9fe:a9fe", "2002:a83f:8110::1"} {
		addr := netip.MustParseAddr(text)
		if kind := Classify(addr); !strings.Contains(string(kind), "metadata") {
			t.Errorf("%s is %q", text, kind)
		}
		if policy.Check("cloud.test", netip.AddrPortFrom(addr, 80)) == nil {
			t.Errorf("a name opens %s", text)
		}
	}
	byAddress, err := NewPolicy("168.63.129.16:80")
	if err != nil {
		t.Fatal(err)
	}
	if err := byAddress.Check("cloud.test", netip.AddrPortFrom(wireServer, 80)); err != nil {
		t.Errorf("an address entry does not open it: %v", err)
	}
}

func TestClassifyOddAddresses(t *testing.T) {
	if kind := Classify(netip.Addr{}); kind != "invalid" {
		t.Errorf("the zero address is %q", kind)
	}
	if kind := Classify(netip.MustParseAddr("fe80::1%eth0")); kind != "link-local" {
		t.Errorf("an address with a zone is %q", kind)
	}
}
