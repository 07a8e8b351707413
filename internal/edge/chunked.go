package edge

import "net/http"

// Chunked closes the connection after a request with a chunked body. Such a request may also contain a
// Content-Length, so that a proxy in front may see its end elsewhere and take what follows for the next request of
// another client (request smuggling, RFC 9112, section 6.1). net/http removes that header before a handler can see
// it, so all chunked requests are treated alike; the few clients that send them reconnect.
func Chunked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 && r.ProtoMajor == 1 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
