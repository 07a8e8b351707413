// Package samplesite is a small web site to try Afterimage on: the guide of a
// botanical garden that does not exist. `make demo` captures it, changes it,
// and captures it again; tests and benchmarks use it as a realistic page.
//
// It has what makes real pages hard to capture: a page of several screens,
// web fonts, lazy images, a sticky header, endless CSS animations, an
// auto-advancing carousel, a wide table, a form, and a mobile layout that is
// not the desktop one made narrow. It needs no network, and an answer depends
// only on the address and the release: no dates, no randomness.
package samplesite

import (
	"net/http"
	"sync/atomic"
)

// Site is the web site as an [http.Handler]. It begins with the release
// "before"; [Site.Change] publishes the release "after". It is safe for
// concurrent use; requests under way finish with the release they began with.
type Site struct {
	changed atomic.Bool
	routes  http.Handler
}

// New returns the site in its release "before".
func New() *Site {
	s := &Site{}
	s.routes = s.buildRoutes()
	return s
}

// Change publishes the release "after". A second call changes nothing.
func (s *Site) Change() { s.changed.Store(true) }

// Reset goes back to the release "before".
func (s *Site) Reset() { s.changed.Store(false) }

// Changed reports whether the release "after" is published.
func (s *Site) Changed() bool { return s.changed.Load() }

// ServeHTTP answers a request for a page, picture, font, style sheet or
// script of the site, and 404 with a page for everything else.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Both releases have the same addresses, so nothing may be kept.
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	s.routes.ServeHTTP(w, r)
}
