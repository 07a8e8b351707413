// Package location finds the capture region nearest to the servers of a domain, using a country database in
// MaxMind's DB format (https://maxmind.github.io/MaxMind-DB/) with the fields of GeoIP2 Country.
package location

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"

	"github.com/oschwald/maxminddb-golang/v2"
)

// Region is a capture region.
type Region string

// The regions. Unknown is the answer for a domain of which no location is known: it has no address, or none that is listed.
const (
	US      Region = "us"
	EU      Region = "eu"
	Unknown Region = ""
)

// nearToUS are the continents and countries from which the western United States are nearer, by cable, than Europe.
var (
	nearToUS      = []string{"NA", "SA", "OC"}
	countriesToUS = []string{"JP", "KR", "TW", "PH", "CN", "HK", "MO"}
)

// Resolver resolves names to addresses; *net.Resolver implements it.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Countries is an open database. It is safe for concurrent use.
type Countries struct {
	database *maxminddb.Reader
	resolver Resolver
}

// Open opens the database. A nil resolver is the system's.
func Open(file string, resolver Resolver) (*Countries, error) {
	database, err := maxminddb.Open(file)
	if err != nil {
		return nil, fmt.Errorf("open the country database: %w", err)
	}
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	return &Countries{database: database, resolver: resolver}, nil
}

// Close closes the database.
func (c *Countries) Close() error { return c.database.Close() }

// Nearest returns the region nearest to a domain. Errors come from the resolver or the database, and a retry may
// help.
func (c *Countries) Nearest(ctx context.Context, domain string) (Region, error) {
	addresses, err := c.resolver.LookupNetIP(ctx, "ip", domain)
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return Unknown, nil
	case err != nil:
		return Unknown, fmt.Errorf("look up the addresses of a domain: %w", err)
	}
	for _, address := range addresses {
		region, err := c.near(address.Unmap())
		if err != nil || region != Unknown {
			return region, err
		}
	}
	return Unknown, nil
}

func (c *Countries) near(address netip.Addr) (Region, error) {
	var found struct {
		Continent struct {
			Code string `maxminddb:"code"`
		} `maxminddb:"continent"`
		Country struct {
			Code string `maxminddb:"iso_code"`
		} `maxminddb:"country"`
	}
	result := c.database.Lookup(address)
	if err := result.Err(); err != nil {
		if address.Is6() { // a database of IPv4 has none of these
			return Unknown, nil
		}
		return Unknown, fmt.Errorf("look up an address: %w", err)
	}
	if err := result.Decode(&found); err != nil {
		return Unknown, fmt.Errorf("look up an address: %w", err)
	}
	switch {
	case found.Continent.Code == "" && found.Country.Code == "":
		return Unknown, nil
	case slices.Contains(nearToUS, found.Continent.Code), slices.Contains(countriesToUS, found.Country.Code):
		return US, nil
	}
	return EU, nil
}
