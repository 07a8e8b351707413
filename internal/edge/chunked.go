package edge

import "net/http"

// Chunked closes connections after requests whose body came in chunks. Such a request may have named a Content-Length too, by which a proxy
// in front may see its end elsewhere than we do, and take what follows for the next request of somebody else (RFC 9112, section 6.1). net/http
// takes that header away before anybody can look, so all chunked requests are treated alike: the few clients that send them dial again.
func Chunked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 && r.ProtoMajor == 1 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
