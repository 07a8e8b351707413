package page

import "strings"

// IsRoute tells whether the fragment of an address, without its #, names a page of an application that draws all its pages itself,
// as in #/about and #!about, rather than a place on a page.
func IsRoute(fragment string) bool {
	return strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!")
}
