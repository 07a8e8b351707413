// Package deadline limits how long a client may take to send a request and to receive the response. The timeouts of
// http.Server cannot be used for this: they would end subscriptions, which last for hours.
package deadline

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// Requests limits the time a client may take to send a request body; after that, reading fails and the connection is
// closed, even if the body is not read. The time of the response is not limited. Wrap it around everything else.
func Requests(next http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		controller := http.NewResponseController(w)
		_ = controller.SetWriteDeadline(time.Time{}) // Answers has set it for an earlier request of this connection
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		_ = controller.SetReadDeadline(time.Now().Add(limit)) // a writer that has no connection needs none
		limited := r.WithContext(r.Context())                 // a copy, for the server looks at its own request afterwards
		limited.Body = &body{ReadCloser: r.Body, ended: func() { _ = controller.SetReadDeadline(time.Time{}) }}
		next.ServeHTTP(w, limited)
	})
}

// body tells when it has been read to its end. The server goes on to read from the connection then, to notice when the
// client leaves: a deadline that stood would look like that.
type body struct {
	io.ReadCloser
	ended func()
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.ended()
	}
	return n, err
}

// Answers limits the time a client may take to receive the response; after that, writing fails and the connection is
// closed. It must be wrapped by Requests, and is not for streams.
func Answers(next http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The deadline stays when the handler has returned: the server still holds the end of the answer.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(limit))
		next.ServeHTTP(w, r)
	})
}
