package egress

import "testing"

func TestHostsAreDecidedWithoutResolvingThem(t *testing.T) {
	policy, err := NewPolicy("127.0.0.1:8123", "intranet.test:9000", "wiki:80")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		host string
		port uint16
		ok   bool
	}{
		{"example.com", 443, true}, {"intranet.test", 9000, true}, {"example.com", 25, true}, // decided when dialled
		{"93.184.215.14", 443, true}, {"93.184.215.14", 25, false},
		{"127.0.0.1", 80, false}, {"127.0.0.1", 8123, true}, {"localhost", 80, false}, {"LOCALHOST.", 80, false},
		{"a.localhost", 80, false}, {"localhost", 8123, true},
		{"10.0.0.1", 443, false}, {"169.254.169.254", 80, false}, {"[::1]", 443, false}, {"::ffff:10.0.0.1", 443, false},
		{"2130706433", 80, false}, {"127.1", 80, false}, {"0x7f000001", 80, false}, {"0177.0.0.1", 80, false}, {"1.2.3.0x", 80, false},
		{"example.0x7g", 80, true}, {"", 80, false},
		{"nowhere", 443, false}, {"wiki", 80, true}, {"WIKI.", 80, true}, {"wiki", 443, false},
	} {
		if err := policy.CheckHost(c.host, c.port); (err == nil) != c.ok {
			t.Errorf("%s:%d: %v", c.host, c.port, err)
		}
	}
	network, err := NewPolicy("10.1.0.0/16")
	if err != nil || network.CheckHost("nowhere", 80) != nil {
		t.Errorf("a list with a network refuses names of the local one: %v", err)
	}
	var strict *Policy
	if strict.CheckHost("127.0.0.1", 8123) == nil || strict.CheckHost("example.com", 443) != nil {
		t.Error("the strict policy decides otherwise")
	}
}
