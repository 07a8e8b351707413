package page

import (
	"net"
	"strings"
)

// IsRoute reports whether the fragment of an address, without its #, names a page of an application that draws all its pages itself,
// as in #/about and #!about, rather than a place on a page.
func IsRoute(fragment string) bool {
	return strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!")
}

// SameSite reports whether two hosts belong to one site: they are equal or share the last two labels of their names, or the last three
// where the second to last is a short one, as in co.uk.
func SameSite(a, b string) bool { return a == b || net.ParseIP(a) == nil && siteOf(a) == siteOf(b) }

func siteOf(host string) string {
	labels := strings.Split(host, ".")
	keep := 2
	if n := len(labels); n >= 3 && len(labels[n-1]) == 2 && len(labels[n-2]) <= 3 {
		keep = 3
	}
	return strings.Join(labels[max(0, len(labels)-keep):], ".")
}

// WithoutQuery removes the query, which often only busts caches, from an address. Other texts are returned unchanged.
func WithoutQuery(text string) string {
	if strings.ContainsAny(text, " \t\n") || !strings.Contains(text, "/") {
		return text
	}
	address, _, _ := strings.Cut(text, "?")
	return address
}
