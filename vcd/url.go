package vcd

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"afterimage/internal/page"
)

// MaxAddressLength is the maximum length of a page address, about what browsers and proxies support.
const MaxAddressLength = 2048

// URL is a page address. It exists independently of groups and can be in several of them.
type URL struct {
	ID, Account   ID
	Address       string // host[:port], path, query and route, without scheme
	Scheme        string // "https", "http", or empty while unknown: https is tried first
	SchemeGiven   bool   // by a client; else a capture determined it
	HTMLTitle     string
	LastCrawledAt *time.Time
	Type          *string // assigned by a site's sync, for example "page"
	Category      *string
	StatusCode    *int // of the last capture
	ErrorCount    int  // consecutive failed captures
	CreatedAt     time.Time
	UpdatedAt     time.Time
	GroupIDs      []ID     // filled in by reads
	WebsiteID     *ID      // website that synced it, else that of one of its groups; filled in by reads
	Tags          []string // by name; filled in by reads
}

// Domain is the host without its port; empty for uploaded pages.
func (u *URL) Domain() string {
	if u.Uploaded() {
		return ""
	}
	host := u.Address
	if end := strings.IndexAny(host, "/?"); end >= 0 {
		host = host[:end]
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// URLFilter filters a list of URLs; nil fields match everything.
type URLFilter struct {
	GroupIDs   *[]ID
	WebsiteIDs *[]ID     // synced by them, or in their groups
	Search     *string   // part of the address or of the title
	Tags       *[]string // with one of these
	Sort       Sort      // by URLAddress, URLTitle or URLLastCrawled
}

// What URLs are sorted by.
const (
	URLAddress     = "address"
	URLTitle       = "title"
	URLLastCrawled = "last_crawled_at" // those never captured are the earliest
)

// Href is the address with its scheme; https while it is unknown. That of an uploaded page leads nowhere.
func (u *URL) Href() string {
	if u.Uploaded() {
		return u.Address
	}
	return cmp.Or(u.Scheme, "https") + "://" + u.Address
}

// Crawl is the outcome of a capture for its URL. When OK, the findings are stored and the error count is reset; else the
// error count is incremented.
type Crawl struct {
	URLID      ID
	Address    string // with OK: the captured address; ignored if the URL has another address by now
	At         time.Time
	OK         bool
	Scheme     string // the scheme that worked; ignored if a client gave the URL's scheme
	HTMLTitle  string
	StatusCode int
}

// ParseAddress splits a URL as sent by a client into scheme (may be empty) and normalised address: lower-case ASCII host, no
// default port, no lone slash, no fragment but a route of an application (https://example.com/#/about), which is another page.
func ParseAddress(v *Validation, path, raw string) (scheme, address string) {
	const invalid = "The {field} field must be a valid URL."
	raw = strings.TrimSpace(raw)
	if raw == "" {
		v.Add(path, "required", "The {field} field is required.")
		return "", ""
	}
	before := len(v.Problems())
	v.Text(path, raw, MaxAddressLength)
	if len(v.Problems()) > before {
		return "", ""
	}
	raw = strings.TrimPrefix(raw, "//")
	explicit := strings.Contains(raw, "://")
	if !explicit {
		raw = "https://" + raw
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.User != nil || u.Opaque != "" || (u.Scheme != "http" && u.Scheme != "https") {
		v.Add(path, "url", invalid)
		return "", ""
	}
	host, ok := NormalHost(u)
	if !ok {
		v.Add(path, "url", invalid)
		return "", ""
	}
	address = host
	if p := u.EscapedPath(); p != "/" {
		address += p
	}
	if u.RawQuery != "" {
		address += "?" + escapeHidden(u.RawQuery)
	}
	if page.IsRoute(u.Fragment) {
		if address == host {
			address += "/" // so that a host ends where a path or query begins
		}
		address += "#" + u.EscapedFragment()
	}
	if !explicit {
		return "", address
	}
	return u.Scheme, address
}

// escapeHidden escapes what nobody would see in an address, as browsers do when they open it.
func escapeHidden(query string) string {
	if !strings.ContainsFunc(query, Hidden) {
		return query
	}
	var b strings.Builder
	for _, r := range query {
		if Hidden(r) {
			b.WriteString(url.QueryEscape(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// NotPublic is the message for an address whose host or port can never be reached; its rule is "public".
const NotPublic = "The {field} field must have a public host, such as www.example.com, and a common web port."

// PortOf is the port that a URL is opened at: the one it names, else its scheme's. It is not ok for 0 and above 65,535.
func PortOf(u *url.URL) (port uint16, ok bool) {
	switch {
	case u.Port() != "":
		number, err := strconv.ParseUint(u.Port(), 10, 16)
		return uint16(number), err == nil && number > 0
	case u.Scheme == "http":
		return 80, true
	}
	return 443, true
}

// hostNames maps names as browsers do: unlike in registered domains, underscores and hyphens may appear anywhere.
var hostNames = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(false), idna.CheckHyphens(false))

// hostCharacters are the characters allowed in an ASCII host name.
const hostCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-_."

// NormalHost is the host in lower-case ASCII, with the port unless it is the scheme's own.
func NormalHost(u *url.URL) (string, bool) {
	name, port := u.Hostname(), u.Port()
	if net.ParseIP(name) == nil {
		ascii, err := hostNames.ToASCII(strings.TrimSuffix(name, "."))
		if err != nil || ascii == "" || strings.Trim(ascii, hostCharacters) != "" {
			return "", false
		}
		name = ascii
	} else if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return name, true
	}
	return name + ":" + port, true
}

// Limits of tags.
const (
	MaxTags      = 200 // of an account
	MaxTagsOfURL = 20
	MaxTagLength = 50 // in characters
)

// Tag is a label that an account gives its URLs. Upper and lower case make no difference between tags.
type Tag struct {
	Name string
	URLs int // that have it
}

// CheckTags checks the names of tags and returns them without surplus spaces. At most limit are allowed.
func CheckTags(v *Validation, path string, names []string, limit int) []string {
	v.Check(len(names) <= limit, path, "max", fmt.Sprintf("The {field} field must not have more than %d items.", limit))
	if len(names) > limit {
		return nil
	}
	if names == nil {
		return nil
	}
	tags := make([]string, len(names))
	for i, name := range names {
		tags[i] = CheckTag(v, Indexed(path, i), name)
	}
	return tags
}

// CheckTag checks the name of a tag and returns it without surplus spaces.
func CheckTag(v *Validation, path, name string) string {
	name = strings.Join(strings.Fields(name), " ")
	before := len(v.Problems())
	v.Required(path, name, MaxTagLength)
	if len(v.Problems()) == before {
		v.Check(!strings.ContainsFunc(name, notInTags), path, "tag",
			"The {field} field must not contain commas or invisible characters.")
	}
	return name
}

// notInTags holds for commas, which separate tags, and for characters that change how others are shown.
func notInTags(r rune) bool {
	return r == ',' || Hidden(r)
}
