package edge

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// worthCompressing is how many bytes a response has at least that is compressed: a smaller one fills one packet anyway.
const worthCompressing = 1400

// Compress sends text responses with gzip to clients that accept it.
//
// A response that holds a secret beside something that its requester chose must not be compressed where others see its
// length: whoever can have it requested often enough learns the secret (BREACH, Gluck, Harris and Prado 2013). Therefore
// requests with a cookie, which pages of others could cause, are never answered with gzip, and neither is a response
// with "Cache-Control: no-transform", which handlers set when they show secrets.
func Compress(next http.Handler) http.Handler {
	compressed := CompressStatic(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Cookie") != "" {
			w.Header().Add("Vary", "Accept-Encoding")
			next.ServeHTTP(w, r)
			return
		}
		compressed.ServeHTTP(w, r)
	})
}

// CompressStatic is like Compress, for files that are the same for everybody: they contain no secrets, so cookies do
// not matter.
func CompressStatic(next http.Handler) http.Handler {
	compressed := gzipped(keepSecrets(next))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" || r.Header.Get("Range") != "" {
			w.Header().Add("Vary", "Accept-Encoding")
			next.ServeHTTP(w, r)
			return
		}
		compressed.ServeHTTP(weakTags{w}, r)
	})
}

// gzipped wraps handlers with the library's. Other media types are compressed already, as pictures are, or are streams,
// which must not wait for a full buffer.
var gzipped = func() func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.EnableZstd(false),
		gzhttp.MinSize(worthCompressing),
		gzhttp.CompressionLevel(3), // costs a third of the default's time, for responses a tenth larger
		gzhttp.ContentTypes([]string{
			"application/json", "application/graphql-response+json", "application/yaml",
			"text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml", "font/ttf",
		}))
	if err != nil {
		panic(err) // the options are constants
	}
	return wrap
}()

// keepSecrets tells the library which responses it must not compress. It stands between the library and the handler.
func keepSecrets(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(secretKeeper{w}, r) })
}

type secretKeeper struct{ http.ResponseWriter }

func (s secretKeeper) Write(p []byte) (int, error) {
	s.mark()
	return s.ResponseWriter.Write(p)
}

// Flush sends what there is, for streams.
func (s secretKeeper) Flush() {
	s.mark()
	_ = http.NewResponseController(s.ResponseWriter).Flush() // a connection that is gone needs no flush
}

func (s secretKeeper) mark() {
	if strings.Contains(s.Header().Get("Cache-Control"), "no-transform") {
		s.Header().Set(gzhttp.HeaderNoCompression, "1") // which the library removes
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (s secretKeeper) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// weakTags makes the ETag of a compressed response weak: it has the same meaning, but not the same bytes. It stands
// outside of the library, whose own suffix to the tag would never match the handler's tag again.
type weakTags struct{ http.ResponseWriter }

func (t weakTags) WriteHeader(status int) {
	t.weaken()
	t.ResponseWriter.WriteHeader(status)
}

func (t weakTags) Write(p []byte) (int, error) {
	t.weaken()
	return t.ResponseWriter.Write(p)
}

// Flush sends what there is, for streams.
func (t weakTags) Flush() {
	_ = http.NewResponseController(t.ResponseWriter).Flush() // a connection that is gone needs no flush
}

func (t weakTags) weaken() {
	header := t.Header()
	if tag := header.Get("ETag"); strings.HasPrefix(tag, `"`) && header.Get("Content-Encoding") == "gzip" {
		header.Set("ETag", "W/"+tag)
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (t weakTags) Unwrap() http.ResponseWriter { return t.ResponseWriter }
