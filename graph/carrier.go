package graph

import (
	"context"
	"mime"
	"net/http"
	"strings"

	"github.com/gorilla/websocket"
)

// carrier is how an operation reaches the server.
type carrier int

const (
	byNothing carrier = iota // the request is none that carries operations
	byPost
	byGet
	byEvents // server-sent events
	bySocket // WebSocket
)

// streams reports whether the carrier can bring more than one response.
func (c carrier) streams() bool { return c == byEvents || c == bySocket }

type carrierKey struct{}

func withCarrier(ctx context.Context, c carrier) context.Context {
	return context.WithValue(ctx, carrierKey{}, c)
}

func carrierOf(ctx context.Context) carrier {
	c, _ := ctx.Value(carrierKey{}).(carrier)
	return c
}

// classify tells from its headers how a request carries an operation, or the status and the reason for which it cannot.
func classify(r *http.Request) (carrier, int, string) {
	switch {
	case r.Method == http.MethodGet && r.Header.Get("Upgrade") != "":
		if !websocket.IsWebSocketUpgrade(r) || !speaksProtocol(r) {
			return byNothing, http.StatusBadRequest, "A WebSocket must offer the subprotocol " + protocol + "."
		}
		return bySocket, 0, ""
	case r.Method == http.MethodGet && acceptsEvents(r):
		return byEvents, 0, ""
	case r.Method == http.MethodGet:
		return byGet, 0, ""
	case r.Method != http.MethodPost:
		return byNothing, http.StatusMethodNotAllowed, "Use POST, GET or a WebSocket."
	}
	// Only JSON: a plain form, which any page can send, must not run a mutation.
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return byNothing, http.StatusUnsupportedMediaType, "The content type of a request must be application/json."
	}
	if acceptsEvents(r) {
		return byEvents, 0, ""
	}
	return byPost, 0, ""
}

func acceptsEvents(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}
