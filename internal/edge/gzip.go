package edge

import (
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// worthCompressing is how many bytes an answer has at least that is compressed: a smaller one fills one packet anyway.
const worthCompressing = 1400

// Compress sends answers of text by gzip to clients that take it.
//
// An answer that holds a secret beside something that its requester chose must not be compressed where others see its
// length: who can have it asked for often enough learns the secret (BREACH, Gluck, Harris and Prado 2013). Therefore
// requests with a cookie, which pages of others could cause, are never answered so, and neither is what says
// "Cache-Control: no-transform", as handlers do that show secrets.
func Compress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		if r.Header.Get("Cookie") != "" || r.Header.Get("Upgrade") != "" || r.Header.Get("Range") != "" || !acceptsGzip(r.Header.Values("Accept-Encoding")) {
			next.ServeHTTP(w, r)
			return
		}
		c := &compressor{ResponseWriter: w}
		next.ServeHTTP(c, r)
		c.finish() // not when next panics: a broken answer must not look whole
	})
}

// acceptsGzip reads Accept-Encoding (RFC 9110, section 12.5.3): gzip must be named, with a quality above zero.
func acceptsGzip(values []string) bool {
	for _, value := range values {
		for coding := range strings.SplitSeq(value, ",") {
			name, parameter, weighted := strings.Cut(coding, ";")
			if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
				continue
			}
			weight, isQuality := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q=")
			if !weighted || !isQuality {
				return true
			}
			quality, err := strconv.ParseFloat(weight, 64)
			return err == nil && quality > 0
		}
	}
	return false
}

// writers are used again: each holds some hundred kilobytes. Their level costs a third of the usual one's time, for
// answers a tenth larger.
var writers = sync.Pool{New: func() any {
	writer, err := gzip.NewWriterLevel(io.Discard, 3)
	if err != nil {
		panic(err) // the level is a valid one
	}
	return writer
}}

// compressor holds the head of an answer back until its first bytes tell whether it is to be compressed.
type compressor struct {
	http.ResponseWriter
	status int // 0 until the handler gives it
	sent   bool
	writer *gzip.Writer // nil when the answer goes as it is
}

func (c *compressor) WriteHeader(status int) {
	if status >= 100 && status < 200 {
		c.ResponseWriter.WriteHeader(status)
		return
	}
	if c.status == 0 {
		c.status = status
	}
}

func (c *compressor) Write(p []byte) (int, error) {
	c.begin(len(p))
	if c.writer != nil {
		return c.writer.Write(p)
	}
	return c.ResponseWriter.Write(p)
}

// begin sends the head of the answer, of which so many bytes are known.
func (c *compressor) begin(first int) {
	if c.sent {
		return
	}
	c.sent = true
	if c.status == 0 {
		c.status = http.StatusOK
	}
	header := c.Header()
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		length = first
	}
	if length >= worthCompressing && compressible(c.status, header) {
		header.Del("Content-Length")
		header.Del("Accept-Ranges")
		header.Set("Content-Encoding", "gzip")
		if tag := header.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
			header.Set("ETag", "W/"+tag) // of the same meaning, not of the same bytes
		}
		c.writer, _ = writers.Get().(*gzip.Writer)
		c.writer.Reset(c.ResponseWriter)
	}
	c.ResponseWriter.WriteHeader(c.status)
}

func compressible(status int, header http.Header) bool {
	if status == http.StatusNoContent || status == http.StatusNotModified || status == http.StatusPartialContent ||
		header.Get("Content-Encoding") != "" || strings.Contains(header.Get("Cache-Control"), "no-transform") {
		return false
	}
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	switch strings.TrimSpace(kind) {
	case "application/json", "application/yaml", "application/graphql-response+json", "text/html", "text/css":
		return true
	}
	return false // pictures are compressed already, and streams must not wait
}

// finish ends the answer.
func (c *compressor) finish() {
	if c.status != 0 || c.sent {
		c.begin(0)
	}
	if c.writer != nil {
		_ = c.writer.Close() // a client that is gone needs no end
		writers.Put(c.writer)
		c.writer = nil
	}
}

// Flush sends what there is, for streams.
func (c *compressor) Flush() {
	c.begin(0)
	if c.writer != nil {
		_ = c.writer.Flush()
	}
	_ = http.NewResponseController(c.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (c *compressor) Unwrap() http.ResponseWriter { return c.ResponseWriter }
