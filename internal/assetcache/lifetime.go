package assetcache

import (
	"math"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"time"
)

// MaxLifetime is how long a response is used at most, whatever it says. Sites change files in place although they may be
// kept for a year, and a picture should not be older than that.
const MaxLifetime = 5 * time.Minute

// Header is one header field.
type Header struct{ Name, Value string }

// Headers are header fields in their order. Names may repeat.
type Headers []Header

// values returns the values of all fields with a name.
func (h Headers) values(name string) []string {
	var found []string
	for _, field := range h {
		if strings.EqualFold(field.Name, name) {
			found = append(found, field.Value)
		}
	}
	return found
}

// Lifetime is how long a response with status 200 that was received at the given time may answer the same request of other
// visitors; 0 for not at all. It follows RFC 9111 for a shared cache and takes the least where the response says several
// things: of max-age and s-maxage, of repeated directives, and of everything and [MaxLifetime]. What is invalid counts as
// stale.
func Lifetime(h Headers, received time.Time) time.Duration {
	if isPersonal(h) || isDocument(h) || variesUnseen(h) {
		return 0
	}
	control := parseControl(h)
	if control.forbids {
		return 0
	}
	date, hasDate := httpDate(h, "Date")
	if !hasDate {
		date = received
	}
	lifetime := control.lifetime
	if !control.explicit {
		lifetime = implicitLifetime(h, date)
	}
	return min(lifetime-age(h, date, received), MaxLifetime)
}

// isPersonal reports whether a response does something to its visitor.
func isPersonal(h Headers) bool {
	for _, name := range []string{"Set-Cookie", "Set-Cookie2", "Clear-Site-Data", "WWW-Authenticate", "Authentication-Info", "Refresh"} {
		if len(h.values(name)) > 0 {
			return true
		}
	}
	return false
}

// isDocument reports whether a response is a document, a part of something or never complete: none is an asset. A site that
// serves its error page with status 200 in place of a picture is why documents are looked for.
func isDocument(h Headers) bool {
	if len(h.values("Content-Range")) > 0 {
		return true
	}
	for _, kind := range h.values("Content-Type") {
		kind, _, _ = strings.Cut(strings.ToLower(kind), ";")
		kind = strings.TrimSpace(kind)
		if kind == "text/html" || kind == "application/xhtml+xml" || kind == "text/event-stream" || strings.HasPrefix(kind, "multipart/") {
			return true
		}
	}
	return false
}

// variesUnseen reports whether a response depends on what [Request.Key] does not contain. All other request headers that a
// browser sends for an asset are part of the key.
func variesUnseen(h Headers) bool {
	for _, list := range h.values("Vary") {
		for name := range strings.SplitSeq(list, ",") {
			name = strings.ToLower(textproto.TrimString(name))
			if name == "*" || name == "referer" || strings.HasPrefix(name, "sec-fetch-") {
				return true
			}
		}
	}
	return false
}

// control is what Cache-Control and its predecessor Pragma say.
type control struct {
	forbids  bool // another visitor may not have the response, or not without asking the site
	explicit bool // lifetime was given
	lifetime time.Duration
}

func parseControl(h Headers) control {
	var c control
	lists := h.values("Cache-Control")
	for _, list := range lists {
		for directive := range splitList(list) {
			c.apply(directive)
		}
	}
	if len(lists) == 0 {
		for _, list := range h.values("Pragma") {
			c.forbids = c.forbids || strings.Contains(strings.ToLower(list), "no-cache")
		}
	}
	return c
}

// apply reads one directive. Those that limit fields (no-cache="set-cookie", private="x") count for the whole response.
func (c *control) apply(directive string) {
	name, value, _ := strings.Cut(directive, "=")
	switch strings.ToLower(textproto.TrimString(name)) {
	case "no-store", "no-cache", "private":
		c.forbids = true
	case "max-age", "s-maxage":
		lifetime := seconds(strings.Trim(textproto.TrimString(value), `"`))
		if c.explicit {
			lifetime = min(lifetime, c.lifetime)
		}
		c.explicit, c.lifetime = true, lifetime
	}
}

// splitList yields the elements of a list whose elements may contain quoted commas.
func splitList(list string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		quoted, escaped, begin := false, false, 0
		for i := range len(list) {
			switch c := list[i]; {
			case escaped:
				escaped = false
			case quoted && c == '\\':
				escaped = true
			case c == '"':
				quoted = !quoted
			case c == ',' && !quoted:
				if !yield(list[begin:i]) {
					return
				}
				begin = i + 1
			}
		}
		yield(list[begin:])
	}
}

// seconds reads a number of seconds; 0 for what is none.
func seconds(text string) time.Duration {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n > math.MaxInt32 { // too large: RFC 9111, section 1.2.2
		n = math.MaxInt32
	}
	return time.Duration(n) * time.Second
}

// implicitLifetime follows Expires, else a tenth of the time since the last change (RFC 9111, section 4.2.2).
func implicitLifetime(h Headers, date time.Time) time.Duration {
	if len(h.values("Expires")) > 0 {
		expires, ok := httpDate(h, "Expires")
		if !ok {
			return 0
		}
		return expires.Sub(date)
	}
	changed, ok := httpDate(h, "Last-Modified")
	if !ok || changed.After(date) {
		return 0
	}
	return date.Sub(changed) / 10
}

// httpDate returns the date in a field that occurs once.
func httpDate(h Headers, name string) (time.Time, bool) {
	values := h.values(name)
	if len(values) != 1 {
		return time.Time{}, false
	}
	date, err := http.ParseTime(values[0])
	return date, err == nil
}

// age is how old a response was when it was received (RFC 9111, section 4.2.3), without the time that it travelled.
func age(h Headers, date, received time.Time) time.Duration {
	old := max(0, received.Sub(date))
	for _, value := range h.values("Age") {
		value = textproto.TrimString(value)
		if value == "" || strings.Trim(value, "0123456789") != "" {
			return math.MaxInt32 * time.Second
		}
		old = max(old, seconds(value))
	}
	return old
}
