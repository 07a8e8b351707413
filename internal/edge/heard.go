package edge

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// How much of a body is taken in after a request was answered, and for how long.
const (
	heardBytes = 256 << 20
	heardTime  = 10 * time.Second
)

// Heard lets a client send its request to the end, within limits, although the answer is clear before. Many clients read nothing
// until they have sent everything: when the connection is closed meanwhile, all that they report is a broken pipe. What they send
// is dropped as it comes. It must be wrapped by deadline.Requests.
func Heard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody || r.ProtoMajor != 1 { // HTTP/2 ends a stream without its connection
			next.ServeHTTP(w, r)
			return
		}
		heard := &heardBody{ReadCloser: r.Body}
		inner := r.WithContext(r.Context()) // a copy, for the server looks at its own request afterwards
		inner.Body = heard
		next.ServeHTTP(w, inner)
		if heard.ended || !heard.begun && r.Header.Get("Expect") != "" { // that client waits to be asked for the body
			return
		}
		// A shorter time than the one that the whole body has. When it has passed, the connection is closed.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(heardTime))
		_, _ = io.CopyN(io.Discard, r.Body, heardBytes) // a client that is gone needs no answer
	})
}

// heardBody notes how far a body was read.
type heardBody struct {
	io.ReadCloser
	begun, ended bool
}

func (b *heardBody) Read(p []byte) (int, error) {
	b.begun = true
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.ended = true
	}
	return n, err
}
