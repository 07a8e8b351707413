package graph

import (
	"context"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql/handler/transport"

	"afterimage/vcd"
)

// clientHeader must come with every request that a cookie authenticates, except the opening of a WebSocket or of an event
// stream by GET, which only reads. A page of another origin cannot set it without being asked first, and is refused then.
const clientHeader = "X-Afterimage-Client"

// authenticate finds out who makes a request, from its headers alone. A WebSocket may come without credentials: then
// its first message brings them.
func (s *Server) authenticate(ctx context.Context, r *http.Request, how carrier) (context.Context, error) {
	if how == bySocket && !s.origins.allows(r) {
		return ctx, vcd.Forbidden()
	}
	if header := r.Header.Get("Authorization"); header != "" {
		return s.withToken(ctx, bearer(header))
	}
	shown, err := s.sessionCredential(r)
	switch {
	case err == nil && !s.trusts(r, how):
		return ctx, vcd.Forbidden()
	case err == nil:
		return s.withCredential(ctx, shown)
	case how == bySocket:
		return ctx, nil
	}
	return ctx, vcd.Unauthenticated()
}

// trusts reports whether a request with a cookie was made by a page that may act for the signed-in user.
func (s *Server) trusts(r *http.Request, how carrier) bool {
	if how == bySocket {
		return s.origins.own(r)
	}
	if how == byEvents && r.Method == http.MethodGet { // an EventSource, which can set no header
		site := r.Header.Get("Sec-Fetch-Site")
		return (site == "" || site == "same-origin") && (r.Header.Get("Origin") == "" || s.origins.own(r))
	}
	return r.Header.Get(clientHeader) != "" && (r.Header.Get("Origin") == "" || s.origins.own(r))
}

// bearer is the token of an Authorization header, empty for other schemes.
func bearer(header string) string {
	scheme, token, _ := strings.Cut(strings.TrimSpace(header), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// payloadToken is the token that a WebSocket's first message brings.
func payloadToken(payload transport.InitPayload) string {
	if header := payload.Authorization(); header != "" {
		return bearer(header)
	}
	return payload.GetString("token")
}
