package egress

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
)

func TestPolicy(t *testing.T) {
	policy, err := NewPolicy("127.0.0.1:8123", "10.1.0.0/16", "[fd00::1]:80", "192.168.7.7", " Intranet.test. ", "app.test:9000", "::1")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		host, target string
		allowed      bool
	}{
		{"127.0.0.1", "127.0.0.1:8123", true},
		{"localhost", "127.0.0.1:8123", true}, // the address decides, however it is spelled
		{"127.0.0.1", "[::ffff:127.0.0.1]:8123", true},
		{"127.0.0.1", "127.0.0.1:8124", false},
		{"127.0.0.2", "127.0.0.2:8123", false},
		{"x", "10.1.255.1:22", true}, // an address entry without a port opens all
		{"x", "10.2.0.1:80", false},
		{"x", "[fd00::1]:80", true},
		{"x", "[fd00::1]:81", false},
		{"x", "192.168.7.7:1", true},
		{"x", "[::1]:5", true},
		{"intranet.test", "10.9.9.9:81", true},
		{"INTRANET.test.", "127.0.0.1:81", true},
		{"intranet.test", "169.254.169.254:80", false}, // a name never opens the clouds' metadata
		{"sub.intranet.test", "10.9.9.9:81", false},
		{"app.test", "10.9.9.9:9000", true},
		{"app.test", "10.9.9.9:80", false},
		{"example.com", "93.184.215.14:443", true},
		{"example.com", "93.184.215.14:8080", true},
		{"example.com", "93.184.215.14:25", false},
		{"example.com", "93.184.215.14:6379", false},
		{"example.com", "127.0.0.1:80", false},
	} {
		err := policy.Check(row.host, netip.MustParseAddrPort(row.target))
		if (err == nil) != row.allowed {
			t.Errorf("%s at %s: %v, want allowed %v", row.host, row.target, err, row.allowed)
		}
		var refusal *Refusal
		if err != nil && (!errors.As(err, &refusal) || refusal.Why == "") {
			t.Errorf("%s at %s: error %v is no refusal with a reason", row.host, row.target, err)
		}
	}
}

func TestNilPolicyIsStrict(t *testing.T) {
	var policy *Policy
	if policy.Check("x", netip.MustParseAddrPort("127.0.0.1:80")) == nil ||
		policy.Check("x", netip.MustParseAddrPort("8.8.8.8:22")) == nil {
		t.Error("the nil policy lets something internal through")
	}
	if err := policy.Check("x", netip.MustParseAddrPort("8.8.8.8:443")); err != nil {
		t.Error(err)
	}
	if err := policy.WithPorts(22).Check("x", netip.MustParseAddrPort("8.8.8.8:22")); err != nil {
		t.Error(err)
	}
}

func TestPolicyEntriesThatAreNotUnderstood(t *testing.T) {
	for _, text := range []string{"", "http://intranet.test", "intranet.test:0", "intranet.test:http", "a b", "*.test", "10.0.0.0/33",
		"user@host", "1.2.3.4:99999"} {
		if _, err := NewPolicy(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	if _, err := NewPolicy(strings.Split(strings.Repeat("10.0.0.1,", 2000), ",")...); err == nil {
		t.Error("a list without end is accepted")
	}
}
