package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// counts is a batch's progress.
type counts struct {
	Open, Processing, Done, Failed int
}

func (c counts) ended() int { return c.Done + c.Failed }
func (c counts) total() int { return c.Open + c.Processing + c.ended() }

const progressSubscription = `subscription($batch: ID!) {
  batchProgress(id: $batch) { finished counts { open processing done failed } }
}`

// handshake bounds the time until the server has accepted the connection.
const handshake = 10 * time.Second

// message is one of the protocol graphql-transport-ws.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// watch follows a batch over a GraphQL subscription until it is finished.
func watch(ctx context.Context, server, token, batch string, show func(counts)) error {
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: handshake}
	address := "ws" + strings.TrimPrefix(server, "http") + "/graphql"
	socket, response, err := dialer.DialContext(ctx, address, nil)
	if err != nil {
		return fmt.Errorf("connect to %s: %w", address, err)
	}
	defer func() { _ = errors.Join(response.Body.Close(), socket.Close()) }()
	stop := context.AfterFunc(ctx, func() { _ = socket.Close() })
	defer stop()
	if err := subscribe(socket, token, batch); err != nil {
		return err
	}
	err = follow(socket, show)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func subscribe(socket *websocket.Conn, token, batch string) error {
	greeting, err := json.Marshal(map[string]string{"Authorization": "Bearer " + token})
	if err != nil {
		return err
	}
	if err := socket.WriteJSON(message{Type: "connection_init", Payload: greeting}); err != nil {
		return err
	}
	var answer message
	if err := socket.ReadJSON(&answer); err != nil {
		return fmt.Errorf("the server did not accept the subscription: %w", err)
	}
	if answer.Type != "connection_ack" {
		return fmt.Errorf("the server answered connection_init with %q instead of an acknowledgement", answer.Type)
	}
	query, err := json.Marshal(map[string]any{"query": progressSubscription, "variables": map[string]string{"batch": batch}})
	if err != nil {
		return err
	}
	return socket.WriteJSON(message{ID: "1", Type: "subscribe", Payload: query})
}

// follow shows every progress message until the server completes the subscription.
func follow(socket *websocket.Conn, show func(counts)) error {
	for {
		var m message
		if err := socket.ReadJSON(&m); err != nil {
			return fmt.Errorf("the subscription ended: %w", err)
		}
		switch m.Type {
		case "ping":
			if err := socket.WriteJSON(message{Type: "pong"}); err != nil {
				return err
			}
		case "complete":
			return nil
		case "error":
			return fmt.Errorf("the subscription was refused: %s", m.Payload)
		case "next":
			if err := showNext(m.Payload, show); err != nil {
				return err
			}
		}
	}
}

func showNext(payload json.RawMessage, show func(counts)) error {
	var next struct {
		Data *struct {
			BatchProgress struct {
				Finished bool
				Counts   counts
			}
		}
		Errors json.RawMessage
	}
	if err := json.Unmarshal(payload, &next); err != nil {
		return err
	}
	if next.Data == nil {
		return fmt.Errorf("the subscription failed: %s", next.Errors)
	}
	show(next.Data.BatchProgress.Counts)
	return nil
}

// barWidth is the length of the drawn bar in characters.
const barWidth = 30

// bar draws the progress of a run: over the last line of a terminal, else a line at each quarter.
type bar struct {
	out     io.Writer
	live    bool
	title   string
	quarter int
	started bool
}

func (b *bar) show(c counts) {
	if c.total() == 0 {
		return
	}
	if !b.started {
		b.started = true
		fmt.Fprintf(b.out, "%s\n", b.title)
	}
	quarter := 4 * c.ended() / c.total()
	if !b.live && quarter == b.quarter {
		return
	}
	b.quarter = quarter
	filled := barWidth * c.ended() / c.total()
	line := fmt.Sprintf("  [%s%s] %d of %d", strings.Repeat("█", filled), strings.Repeat("·", barWidth-filled), c.ended(), c.total())
	if c.Failed > 0 {
		line += fmt.Sprintf(", %d failed", c.Failed)
	}
	end := "\n"
	if b.live && c.ended() < c.total() {
		end = ""
	}
	if b.live {
		line = "\r" + line
	}
	fmt.Fprint(b.out, line+end)
}
