package compare

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
)

// maxAddress is the length of an address in bytes.
const maxAddress = 2048

// Site is one side of a comparison: a host, and the path below which its pages are.
type Site struct {
	origin string // scheme://host[:port]
	base   string // path, query and fragment as given; "" for none
	host   string // host[:port] as given, in lower case
	port   string // explicit
}

// usualPorts are those of schemes.
var usualPorts = map[string]string{"http": "80", "https": "443"}

// ParseSite reads the address of a site. https is the default scheme.
func ParseSite(text string) (Site, error) {
	if len(text) > maxAddress {
		return Site{}, fmt.Errorf("the address has %d bytes; at most %d are supported", len(text), maxAddress)
	}
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return Site{}, fmt.Errorf("%q is not an address such as https://www.example.com", text)
	case u.Scheme != "http" && u.Scheme != "https":
		return Site{}, fmt.Errorf("the scheme of %q is neither http nor https", text)
	case u.User != nil:
		return Site{}, errors.New("an address must not contain a password: use --basic-auth")
	case u.Hostname() == "" || strings.ContainsAny(u.Host, " %"):
		return Site{}, fmt.Errorf("%q has no host; give an address such as https://www.example.com", text)
	}
	s := Site{origin: u.Scheme + "://" + strings.ToLower(u.Host), host: strings.ToLower(u.Host), port: u.Port()}
	s.base = strings.TrimPrefix(u.String(), u.Scheme+"://"+u.Host)
	if s.port == "" {
		s.port = usualPorts[u.Scheme]
	}
	return s, nil
}

// String is the address of the site.
func (s Site) String() string { return s.origin + s.base }

// HostPort is the site's host with its port, as an egress policy names it.
func (s Site) HostPort() string {
	return net.JoinHostPort(s.hostname(), s.port)
}

func (s Site) hostname() string {
	u := url.URL{Host: s.host}
	return u.Hostname()
}

// Domain is the host with the path below which the pages are.
func (s Site) Domain() string { return s.host + s.folder() }

// folder is the path below which the pages are, without a slash at its end.
func (s Site) folder() string {
	if end := strings.IndexAny(s.base, "?#"); end >= 0 {
		return strings.TrimRight(s.base[:end], "/")
	}
	return strings.TrimRight(s.base, "/")
}

// fileName are the ends of addresses that are those of a page for sure: the last part of others may be a folder.
var fileName = regexp.MustCompile(`(?i)\.(x?html?|php|aspx?|jsp)$`)

// Split parts the address of a single page into the folder and the path of the page in it. What has a query, a fragment or a file
// name is a page; other addresses are folders, whose page is "/".
func (s Site) Split() (folder Site, path string) {
	at := len(s.base)
	if end := strings.IndexAny(s.base, "?#"); end >= 0 {
		at = end
	}
	if at == len(s.base) && !fileName.MatchString(s.base) {
		return s, "/"
	}
	slash := strings.LastIndexByte(s.base[:at], '/')
	folder, path = s, "/"+s.base[slash+1:]
	folder.base = s.base[:max(slash, 0)]
	return folder, path
}

// Address is that of a page. The empty path is the address of the site as it was given.
func (s Site) Address(path string) string {
	if path == "" {
		return s.String()
	}
	return s.origin + s.folder() + path
}

// Path is the path of an address below the site, with query and fragment, and whether it lies there.
func (s Site) Path(address string) (string, bool) {
	below, found := s.below(address)
	if below == "" || below[0] != '/' {
		below = "/" + below
	}
	return below, found
}

// below is what follows the site's folder in an address; "" or something that begins with /, ? or #.
func (s Site) below(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || !strings.EqualFold(u.Scheme+"://"+u.Host, s.origin) {
		return "", false
	}
	u.Scheme, u.Host = "", ""
	below, found := strings.CutPrefix(u.String(), s.folder())
	return below, found && (below == "" || strings.ContainsAny(below[:1], "/?#"))
}

// PathOfAny is like Path for an address whose scheme and www do not count: sitemaps are not particular about them.
func (s Site) PathOfAny(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	if bare := strings.TrimPrefix; bare(strings.ToLower(u.Host), "www.") != bare(s.host, "www.") {
		return "", false
	}
	own, err := url.Parse(s.origin)
	if err != nil {
		return "", false
	}
	u.Scheme, u.Host = own.Scheme, own.Host
	return s.Path(u.String())
}
