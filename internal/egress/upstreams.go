package egress

import (
	"bufio"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
)

// Limits of the operator's list of upstream proxies.
const (
	maxUpstreams    = 1000
	maxUpstreamLine = 4096 // bytes
)

// upstreamTypes are the kinds of proxies that an operator can list.
var upstreamTypes = []string{"static", "residential"}

// Upstreams are the operator's proxies by type and location. Nil has none. It is immutable and safe for concurrent
// use.
type Upstreams struct {
	byUse map[upstreamUse][]*Upstream
}

type upstreamUse struct{ kind, country string }

// ReadUpstreams reads a list of proxies, one a line: type (static or residential), location (two letters) and address.
//
//	# type      location  address
//	static      us        http://user:password@proxy.example.com:3128
//	residential de        https://user:password@gate.example.com:443
//
// An address is http:// (the credentials travel to the proxy in the open) or https://. Several proxies of one type and
// location share its pages. Errors name the line and never show it: it holds a password.
func ReadUpstreams(r io.Reader) (*Upstreams, error) {
	list := &Upstreams{byUse: make(map[upstreamUse][]*Upstream)}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxUpstreamLine)
	count := 0
	for number := 1; lines.Scan(); number++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if count++; count > maxUpstreams {
			return nil, fmt.Errorf("the proxy list has more than %d lines", maxUpstreams)
		}
		if err := list.add(fields); err != nil {
			return nil, fmt.Errorf("line %d of the proxy list: %w", number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the proxy list: %w", err)
	}
	return list, nil
}

func (l *Upstreams) add(fields []string) error {
	if len(fields) != 3 {
		return errors.New("expected: type location URL")
	}
	use := upstreamUse{strings.ToLower(fields[0]), strings.ToLower(fields[1])}
	if !slices.Contains(upstreamTypes, use.kind) {
		return fmt.Errorf("the type must be %s", strings.Join(upstreamTypes, " or "))
	}
	if len(use.country) != 2 || strings.Trim(use.country, "abcdefghijklmnopqrstuvwxyz") != "" {
		return errors.New("the location must be a two-letter country code")
	}
	upstream, err := parseUpstream(fields[2])
	if err != nil {
		return err
	}
	l.byUse[use] = append(l.byUse[use], upstream)
	return nil
}

func parseUpstream(address string) (*Upstream, error) {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("the URL must be like http://user:password@proxy.example.com:3128")
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	up := &Upstream{address: net.JoinHostPort(u.Hostname(), port), host: u.Hostname(), secure: u.Scheme == "https", user: u.User.Username()}
	up.password, _ = u.User.Password()
	return up, nil
}

// Pick returns the proxy of a type and location for a page, or nil if none is listed. A page keeps its proxy as long
// as the list does not change, because pages may look different from different locations.
func (l *Upstreams) Pick(kind, country, page string) *Upstream {
	if l == nil {
		return nil
	}
	listed := l.byUse[upstreamUse{kind, strings.ToLower(country)}]
	if len(listed) == 0 {
		return nil
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(page)) // never fails
	return listed[hash.Sum32()%uint32(len(listed))]
}
