package location

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
)

// names is a resolver that knows a few names.
type names map[string]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	switch address, known := n[host]; {
	case host == "slow.test":
		return nil, &net.DNSError{Err: "timeout", Name: host, IsTimeout: true}
	case !known:
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	default:
		return []netip.Addr{netip.MustParseAddr(address)}, nil
	}
}

// database writes a file in MaxMind's format: a tree over the bits of IPv4 addresses, with records of 24 bits.
func database(t *testing.T, countries map[string][2]string) string {
	t.Helper()
	const empty = -1
	type node [2]int // below empty: the data of -value-2
	tree := []node{{empty, empty}}
	var data bytes.Buffer
	for network, country := range countries {
		offset := data.Len()
		data.Write(object("continent", object("code", text(country[0])), "country", object("iso_code", text(country[1]))))
		prefix := netip.MustParsePrefix(network)
		bits, at := binary.BigEndian.Uint32(prefix.Addr().AsSlice()), 0
		for depth := range prefix.Bits() {
			side := int(bits >> (31 - depth) & 1)
			if depth == prefix.Bits()-1 {
				tree[at][side] = -offset - 2
				break
			}
			if tree[at][side] == empty {
				tree = append(tree, node{empty, empty})
				tree[at][side] = len(tree) - 1
			}
			at = tree[at][side]
		}
	}
	var file bytes.Buffer
	for _, n := range tree {
		for _, to := range n {
			switch {
			case to == empty:
				to = len(tree)
			case to < empty:
				to = len(tree) + 16 - to - 2
			}
			file.Write([]byte{byte(to >> 16), byte(to >> 8), byte(to)})
		}
	}
	file.Write(make([]byte, 16))
	file.Write(data.Bytes())
	file.WriteString("\xab\xcd\xefMaxMind.com")
	file.Write(object("node_count", number(len(tree)), "record_size", number(24), "ip_version", number(4),
		"binary_format_major_version", number(2), "binary_format_minor_version", number(0), "database_type", text("Test"),
		"build_epoch", number(1), "languages", []byte{0, 11 - 7}, "description", object()))
	path := filepath.Join(t.TempDir(), "countries.mmdb")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func text(s string) []byte { return append([]byte{2<<5 | byte(len(s))}, s...) }

func number(n int) []byte {
	return []byte{6<<5 | 4, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
}

func object(pairs ...any) []byte {
	out := []byte{7<<5 | byte(len(pairs)/2)}
	for _, p := range pairs {
		switch p := p.(type) {
		case string:
			out = append(out, text(p)...)
		case []byte:
			out = append(out, p...)
		}
	}
	return out
}

func TestTheNearestRegion(t *testing.T) {
	path := database(t, map[string][2]string{
		"192.0.2.0/25": {"EU", "DE"}, "192.0.2.128/25": {"NA", "US"}, "198.51.100.0/25": {"AS", "JP"}, "198.51.100.128/25": {"AS", "IN"},
		"203.0.113.0/24": {"OC", "AU"},
	})
	countries, err := Open(path, names{
		"germany.test": "192.0.2.1", "usa.test": "192.0.2.200", "japan.test": "198.51.100.1", "india.test": "198.51.100.200",
		"australia.test": "203.0.113.9",
		"mapped.test":    "::ffff:192.0.2.200", "six.test": "2001:db8::1", "unlisted.test": "127.0.0.1",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := countries.Close(); err != nil {
			t.Error(err)
		}
	}()
	for domain, want := range map[string]Region{
		"germany.test": EU, "usa.test": US, "japan.test": US, "india.test": EU, "australia.test": US, "mapped.test": US,
		"six.test": Unknown, "unlisted.test": Unknown, "nowhere.test": Unknown,
	} {
		if got, err := countries.Nearest(t.Context(), domain); err != nil || got != want {
			t.Errorf("%s is near %q (%v), want %q", domain, got, err, want)
		}
	}
	var dns *net.DNSError
	if _, err := countries.Nearest(t.Context(), "slow.test"); !errors.As(err, &dns) {
		t.Errorf("a resolver that is slow: %v", err)
	}
}

func TestNoDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.mmdb")
	if _, err := Open(path, nil); err == nil {
		t.Error("a missing file was opened")
	}
	if err := os.WriteFile(path, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, nil); err == nil {
		t.Error("a text was opened")
	}
}
