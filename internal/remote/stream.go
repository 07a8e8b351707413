package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"
)

// The patience of a subscription.
const (
	silence    = time.Minute // without a byte: the server sends something every 20 seconds
	patience   = 5 * time.Minute
	maxBackoff = 30 * time.Second
	maxMessage = 8 << 20 // bytes
)

// ErrLost is a subscription that could not be taken up again.
var ErrLost = errors.New("the connection to the server was lost and could not be re-established within 5 minutes")

// message is a result of a subscription whose field has a number, to go on from.
type message struct {
	Data   map[string]json.RawMessage `json:"data"`
	Errors []*Refusal                 `json:"errors"`
}

// follow subscribes to a document and calls each with every result of its only field, until each returns false. Where the
// connection breaks, it goes on after the number of the last result, which the document takes as $after.
func (c *Client) follow(ctx context.Context, document string, variables map[string]any, each func(json.RawMessage) (bool, error)) error {
	s := stream{client: c, document: document, variables: maps.Clone(variables), each: each, heard: time.Now()}
	for tries := 0; ; tries++ {
		done, err := s.listen(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case done:
			return err
		case s.renewed:
			tries, s.renewed = 0, false
		}
		if err := s.mayTryAgain(err); err != nil {
			return err
		}
		if err := c.pause(ctx, min(time.Second<<min(tries, 10), maxBackoff)); err != nil {
			return err
		}
	}
}

// stream is a subscription in progress.
type stream struct {
	client    *Client
	document  string
	variables map[string]any
	each      func(json.RawMessage) (bool, error)
	heard     time.Time // when the last result came
	renewed   bool      // one came on this connection
}

// mayTryAgain returns nil for what may pass.
func (s *stream) mayTryAgain(err error) error {
	var refused *Refusal
	var unreachable *unreachableError
	switch {
	case errors.As(err, &refused) && refused.Extensions.Code == codeInvalid && s.variables["after"] != nil:
		delete(s.variables, "after") // what came after that number is not kept: begin with how things stand
		return nil
	case errors.As(err, &refused) && !refused.passes(false):
		return err
	case err != nil && !errors.As(err, &refused) && !errors.As(err, &unreachable):
		return err
	case time.Since(s.heard) > patience:
		return ErrLost
	}
	return nil
}

// listen follows one connection to its end.
func (s *stream) listen(ctx context.Context) (done bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watchdog := time.AfterFunc(silence, cancel)
	defer watchdog.Stop()
	answer, err := s.client.post(ctx, s.document, s.variables, "text/event-stream")
	if err != nil {
		return false, s.fail(err)
	}
	defer answer.Body.Close()
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		return false, s.refused(answer)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		watchdog.Reset(silence)
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if data = bytes.TrimSpace(data); !ok || len(data) == 0 {
			continue // pings, and names of events
		}
		if done, err := s.take(data); done || err != nil {
			return done, err
		}
	}
	return false, s.fail(lines.Err())
}

// fail makes a broken connection one that can be made again; one that the watchdog ended is broken too.
func (s *stream) fail(err error) error {
	var unreachable *unreachableError
	if err == nil || errors.As(err, &unreachable) {
		return err
	}
	return &unreachableError{s.client.String(), err}
}

// refused reads the error of an answer that is no stream.
func (s *stream) refused(answer *http.Response) error {
	var decoded response
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxMessage))
	if err != nil || json.Unmarshal(text, &decoded) != nil || len(decoded.Errors) == 0 {
		return s.client.notOurs(answer)
	}
	return decoded.Errors[0].at(answer.Header)
}

// take hands a result on.
func (s *stream) take(data []byte) (done bool, err error) {
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return true, fmt.Errorf("a message of %s cannot be read; does the server run another version? %w", s.client, err)
	}
	if len(m.Errors) > 0 {
		return false, m.Errors[0]
	}
	for _, field := range m.Data { // a subscription has one
		var numbered struct{ Number *int64 }
		if json.Unmarshal(field, &numbered) == nil && numbered.Number != nil {
			s.variables["after"] = *numbered.Number
		}
		s.heard, s.renewed = time.Now(), true
		more, err := s.each(field)
		if err != nil || !more {
			return true, err
		}
	}
	return false, nil
}
