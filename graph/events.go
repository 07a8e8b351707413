package graph

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"afterimage/graph/resolver"
	"afterimage/vcd"
)

// serveEvents answers by server-sent events. The stream ends with the request, with the server, with its token, or when
// the client takes no more.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	var executor graphql.GraphExecutor = s.execution
	if r.Method == http.MethodGet {
		executor = subscriptionsOnly{s.execution, r.Header.Get(lastEventHeader) != ""}
		var refused *gqlerror.Error
		if r, refused = asEventSource(r); refused != nil {
			refuseRequest(w, http.StatusBadRequest, refused)
			return
		}
	}
	ctx, cancel, done, ok := s.alive(r.Context())
	if !ok {
		w.Header().Set("Retry-After", "1")
		refuseRequest(w, http.StatusServiceUnavailable, coded(string(vcd.CodeUnavailable), "The server is shutting down: try again."))
		return
	}
	defer done()
	patient := &patientWriter{
		ResponseWriter: w, control: http.NewResponseController(w), limit: s.config.Timing.Write, alive: ctx, failed: cancel,
	}
	defer patient.end()
	defer cancel()
	who, _ := resolver.ActorOf(ctx)
	ctx, leave, refused := s.connect(ctx, who, cancel)
	if refused != nil {
		refuseRequest(w, http.StatusTooManyRequests, refused)
		return
	}
	defer leave()
	s.events.Do(patient, r.WithContext(ctx), executor)
}

// patientWriter writes a stream that may last for hours: the time-out of the server's responses does not apply to it,
// but each of its writes has one. Between two writes there is none, since HTTP/2 ends a stream when its time is up, whether
// something is being written or not. After its end it writes nothing, since gqlgen's pings may come late. A stream that is
// cut off must not look completed to its client either, which is to resume it.
type patientWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
	alive   context.Context
	failed  func()

	mu    sync.Mutex
	ended bool
}

func (w *patientWriter) Write(data []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || w.alive.Err() != nil {
		return len(data), nil
	}
	err := w.inTime(func() error {
		_, err := w.ResponseWriter.Write(withEventID(data))
		return err
	})
	if err != nil {
		return 0, err
	}
	return len(data), nil
}

// Flush sends what was written.
func (w *patientWriter) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		_ = w.inTime(w.control.Flush) // the failure has ended the stream
	}
}

// inTime sends something within the limit, or ends the stream.
func (w *patientWriter) inTime(send func() error) error {
	_ = w.control.SetWriteDeadline(time.Now().Add(w.limit)) // where deadlines are not supported, none is needed
	if err := send(); err != nil {
		w.failed()
		return err
	}
	_ = w.control.SetWriteDeadline(time.Time{})
	return nil
}

// end makes the writer silent and gives the connection its usual deadlines back.
func (w *patientWriter) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	_ = w.control.SetWriteDeadline(time.Time{})
}
