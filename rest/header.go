package rest

import (
	"crypto/rand"
	"net/http"
	"strconv"
)

const requestIDHeader = "X-Request-Id"

func randomRequestID() string { return rand.Text() }

// setHeaders sets what every answer carries and returns the request's id. An id that a handler around this one has set
// already is kept.
func (s *server) setHeaders(w http.ResponseWriter) string {
	h := w.Header()
	id := h.Get(requestIDHeader)
	if id == "" {
		id = s.config.NewRequestID()
		h.Set(requestIDHeader, id)
	}
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	return id
}

// write sends a reply. A client that has gone away is its own affair.
func write(w http.ResponseWriter, r reply) {
	if r.body != nil {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(r.body)))
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body)
}
