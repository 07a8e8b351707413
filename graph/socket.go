package graph

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/gorilla/websocket"

	"afterimage/graph/resolver"
	"afterimage/vcd"
)

// protocol is the only one spoken on WebSockets: https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md.
// Its predecessor graphql-ws, which gqlgen speaks as well, is not offered.
const protocol = "graphql-transport-ws"

// Close codes of the protocol.
const (
	closeBadRequest     = 4400
	closeUnauthorized   = 4401
	closeForbidden      = 4403
	closeInitTimeout    = 4408
	closeSubscriberName = 4409
	closeTooManyInits   = 4429
	closeTooMany        = 4429 // clients take it for an end for which trying again is no help
)

func speaksProtocol(r *http.Request) bool {
	return slices.Contains(websocket.Subprotocols(r), protocol)
}

// serveSocket carries operations over a WebSocket until the client leaves, the server closes or the token ends.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	ctx, cancel, done, ok := s.alive(r.Context())
	if !ok {
		w.Header().Set("Retry-After", "1")
		refuseRequest(w, http.StatusServiceUnavailable, coded(string(vcd.CodeUnavailable), "The server is shutting down: try again."))
		return
	}
	defer done()
	conn := &socket{
		limits: s.config.Limits, timing: s.config.Timing, closing: s.closing,
		own: map[string]string{}, clients: map[string]string{},
	}
	leave := func() {}
	defer func() { leave() }()
	defer cancel()
	defer conn.finish()
	ws := transport.Websocket{
		Implementation:   upgrader{conn},
		InitTimeout:      s.config.Timing.Init,
		PingPongInterval: s.config.Timing.Ping,
		PayloadReadLimit: &s.config.Limits.Body,
		InitFunc: func(ctx context.Context, payload transport.InitPayload) (context.Context, *transport.InitPayload, error) {
			ctx, err := s.admit(ctx, payload)
			if err != nil {
				return ctx, nil, err
			}
			who, _ := resolver.ActorOf(ctx)
			ctx, gone, refused := s.connect(ctx, who, func() { _ = conn.end(closeForbidden, "Forbidden") })
			if refused != nil {
				return withClose(ctx, closeTooMany, "Too many connections"), nil, errors.New(refused.Message)
			}
			leave = gone
			return ctx, nil, nil
		},
	}
	ws.Do(w, r.WithContext(ctx), s.execution)
}

// admit finds out who opened a WebSocket, unless its headers told already. It always returns a context, which carries
// the code with which a refused connection is closed.
func (s *Server) admit(ctx context.Context, payload transport.InitPayload) (context.Context, error) {
	if _, known := resolver.ActorOf(ctx); known {
		return ctx, nil
	}
	ctx, err := s.withToken(ctx, payloadToken(payload))
	if err == nil {
		return ctx, nil
	}
	shown := s.execution.presenter.present(ctx, err)
	code, reason := closeForbidden, "Forbidden"
	switch vcd.CodeOf(err) {
	case vcd.CodeUnavailable:
		code, reason = websocket.CloseTryAgainLater, "Try again later"
	case vcd.CodeInternal:
		code, reason = websocket.CloseInternalServerErr, "Internal server error"
	}
	return withClose(ctx, code, reason), errors.New(shown.Message)
}

// withClose tells the transport how to close a connection that is refused.
func withClose(ctx context.Context, code int, reason string) context.Context {
	return transport.WithWebsocketCloseCode(transport.AppendCloseReason(ctx, reason), code)
}

// upgrader makes a WebSocket of a request that was checked already.
type upgrader struct {
	conn *socket
}

func (u upgrader) Accept(w http.ResponseWriter, r *http.Request, _ transport.WebsocketAcceptOptions) (transport.WebsocketConn, error) {
	g := websocket.Upgrader{
		Subprotocols:     []string{protocol},
		HandshakeTimeout: u.conn.timing.Write,
		CheckOrigin:      func(*http.Request) bool { return true }, // authenticate did
		Error:            func(http.ResponseWriter, *http.Request, int, error) {},
	}
	conn, err := g.Upgrade(w, r, http.Header{requestIDHeader: w.Header().Values(requestIDHeader)})
	if err != nil {
		return nil, err
	}
	u.conn.Conn = conn
	context.AfterFunc(r.Context(), func() { // also while the transport still waits for connection_init
		_ = u.conn.end(websocket.CloseNormalClosure, "terminated")
	})
	return u.conn, nil
}
