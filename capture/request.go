package capture

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"afterimage/internal/assetcache"
	"afterimage/internal/egress"
)

// Limits of a capture.
const (
	DefaultDeadline = 45 * time.Second
	MaxHeight       = 100_000                                  // CSS pixels. A cut is recorded as Truncated
	MaxWidth        = 2_560                                    // CSS pixels; a page may ask for more than its device has
	MaxPixels       = 1_440 * MaxHeight                        // of one picture
	MaxPageBytes    = 96 << 20                                 // received over the network for one page with all its resources
	MaxTallTime     = (MaxHeight - 1) / maxPainted * sliceTime // added to the deadline for the tallest page
	maxURLLength    = 8 << 10                                  // bytes
	maxInjection    = 1 << 20                                  // bytes of all styles and scripts of one request together
	maxSuffixLength = 100                                      // bytes
	maxHeaders      = 50                                       // and as many cookies
	maxHeaderLength = 8 << 10                                  // bytes of a header's or cookie's name and value together
)

// Credentials are for HTTP basic authentication. They are sent to the origin of the requested address only.
type Credentials struct{ User, Password string }

// Header is a header of HTTP requests. Like credentials, it is sent to the origin of the requested address only.
type Header struct{ Name, Value string }

// Check says what is wrong with a header; nil for nothing.
func (h Header) Check() error {
	switch {
	case len(h.Name)+len(h.Value) > maxHeaderLength:
		return fmt.Errorf("it has %d bytes, at most %d are supported", len(h.Name)+len(h.Value), maxHeaderLength)
	case !httpguts.ValidHeaderFieldName(h.Name):
		return fmt.Errorf("%q is not a header name", h.Name)
	case !httpguts.ValidHeaderFieldValue(h.Value):
		return errors.New("its value contains a control character")
	case slices.Contains(reservedHeaders, strings.ToLower(h.Name)):
		return fmt.Errorf("the browser sets %s itself", h.Name)
	}
	return nil
}

// reservedHeaders describe the connection, or belong to cookies, which are given otherwise.
var reservedHeaders = []string{"connection", "content-length", "cookie", "host", "proxy-authorization", "transfer-encoding", "upgrade"}

// Cookie is a cookie of the host of the requested address.
type Cookie struct{ Name, Value string }

// Check says what is wrong with a cookie; nil for nothing.
func (c Cookie) Check() error {
	if len(c.Name)+len(c.Value) > maxHeaderLength {
		return fmt.Errorf("it has %d bytes, at most %d are supported", len(c.Name)+len(c.Value), maxHeaderLength)
	}
	return (&http.Cookie{Name: c.Name, Value: c.Value}).Valid() //nolint:gosec // only its name and value are looked at
}

// Proxy is an upstream proxy through which the page is loaded. Type and Country are for the manifest.
type Proxy struct {
	Type, Country string
	Upstream      *egress.Upstream
}

// Request specifies a capture.
type Request struct {
	URL         string
	Device      Device
	Styles      []string // CSS, applied in order: the group's, then the URL's
	Scripts     []string // JavaScript, run in order: the group's, then the URL's
	Hide        []string // CSS selectors of elements that are hidden and keep their space, also in open shadow trees and frames
	Headers     []Header // sent to the origin of URL only
	Cookies     []Cookie // of the host of URL
	Credentials *Credentials
	Session     *Session      // what the browser kept of an earlier visit; nil for nothing
	HideConsent bool          // accept or hide cookie banners, hide advertisements
	Deadline    time.Duration // for the whole capture, plus 10 s for each 16,000 rows after the first; 0 = DefaultDeadline
	Proxy       *Proxy        // nil = none
	Region      string        // our location, for the manifest only
	// SliceHeight joins the picture from slices of so many rows; 0 paints as much at once as the browser can. The pixels
	// are the same.
	SliceHeight int
	// Probe takes a second picture that tells whether the list of elements and the first one agree, see [Probes].
	Probe bool
	// Date is the date at which the page begins, so that two pages are at the same moment; zero for the present. Like Later it
	// needs page time.
	Date time.Time
	// Later is by how much the date that the page's scripts see is later than today's; 0 for today. It needs page time: in wall
	// time it does nothing.
	Later time.Duration
	// Seed chooses what Math.random() returns to the page; 0 for the same sequence in every capture.
	Seed uint32
	// Shared is what the page may share with others, nil for nothing. A request with an identity (headers, cookies,
	// credentials, a session) shares nothing.
	Shared *assetcache.Scope
	// LeaveRefused leaves a page at once whose document is answered with status 429 or 503: the Shot has no picture then. For looking
	// whether a site answers again.
	LeaveRefused bool
	// UserAgentSuffix is appended to the user agent, as in "… Safari/537.36 Afterimage/1.0"; "" appends nothing.
	UserAgentSuffix string
}

// Upstream returns the proxy through which the page is loaded, nil for none.
func (r *Request) Upstream() *egress.Upstream {
	if r.Proxy == nil {
		return nil
	}
	return r.Proxy.Upstream
}

// scope is what the page shares, nil for nothing.
func (r *Request) scope() *assetcache.Scope {
	if r.Credentials != nil || r.Session != nil || len(r.Headers) > 0 || len(r.Cookies) > 0 {
		return nil
	}
	return r.Shared
}

// check validates the request and returns its address. Only http and https are allowed. User information in an address
// is refused because browsers hide it, so that people misjudge the address.
func (r *Request) check() (*url.URL, *Failure) {
	refuse := func(format string, args ...any) (*url.URL, *Failure) {
		return nil, &Failure{Reason: ReasonInvalidAddress, Stage: "guard", Err: fmt.Errorf(format, args...)}
	}
	if len(r.URL) > maxURLLength {
		return refuse("address has %d bytes, at most %d are supported", len(r.URL), maxURLLength)
	}
	if strings.ContainsFunc(r.URL, func(c rune) bool { return c <= ' ' || c == '\\' || c == 0x7f }) {
		return refuse("address contains white space, a control character or a backslash")
	}
	target, err := url.Parse(r.URL)
	if err != nil {
		return refuse("address cannot be parsed: %w", err)
	}
	if target.Scheme != "http" && target.Scheme != "https" {
		return refuse("scheme %q is not supported, only http and https", target.Scheme)
	}
	if target.Hostname() == "" || target.User != nil || strings.Contains(target.Hostname(), "%") {
		return refuse("address needs a host and must not contain a user name")
	}
	if port := target.Port(); port != "" {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return refuse("port %q is not a number from 0 to 65535", port)
		}
	}
	if _, ok := devices[r.Device]; !ok {
		return refuse("device %q is unknown", r.Device)
	}
	if !validSuffix(r.UserAgentSuffix) {
		return refuse("user agent suffix %q is not visible ASCII of at most %d characters", r.UserAgentSuffix, maxSuffixLength)
	}
	if size := totalLength(r.Styles) + totalLength(r.Scripts) + totalLength(r.Hide); size > maxInjection {
		return refuse("injected CSS, JavaScript and selectors have %d bytes together, at most %d are supported", size, maxInjection)
	}
	if err := r.checkIdentity(); err != nil {
		return refuse("%w", err)
	}
	return target, nil
}

// checkIdentity validates what is sent to the site besides the address.
func (r *Request) checkIdentity() error {
	if len(r.Headers) > maxHeaders || len(r.Cookies) > maxHeaders {
		return fmt.Errorf("there are %d headers and %d cookies, at most %d of each are supported",
			len(r.Headers), len(r.Cookies), maxHeaders)
	}
	for _, h := range r.Headers {
		if err := h.Check(); err != nil {
			return fmt.Errorf("header: %w", err)
		}
	}
	for _, c := range r.Cookies {
		if err := c.Check(); err != nil {
			return fmt.Errorf("cookie: %w", err)
		}
	}
	return nil
}

func validSuffix(suffix string) bool {
	return len(suffix) <= maxSuffixLength && !strings.ContainsFunc(suffix, func(c rune) bool { return c < ' ' || c > '~' })
}

func totalLength(texts []string) int {
	total := 0
	for _, text := range texts {
		total += len(text)
	}
	return total
}

// hostPort is the form in which the egress guard records an address: lower-case host and explicit port.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "80"
		if u.Scheme == "https" {
			port = "443"
		}
	}
	host := strings.ToLower(u.Hostname())
	if addr, err := netip.ParseAddr(host); err == nil && addr.Is6() {
		return "[" + host + "]:" + port
	}
	return host + ":" + port
}
