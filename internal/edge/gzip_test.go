package edge

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

func answering(status int, header map[string]string, chunks ...string) http.Handler {
	return Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for name, value := range header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		for _, chunk := range chunks {
			_, _ = io.WriteString(w, chunk)
		}
	}))
}

func TestAnswersThatAreCompressed(t *testing.T) {
	long := strings.Repeat(`{"name":"value"},`, 500)
	json := map[string]string{"Content-Type": "application/json; charset=utf-8", "Content-Length": strconv.Itoa(len(long)), "ETag": `"x"`}
	with := func(name, value string) map[string]string {
		out := map[string]string{name: value}
		for k, v := range json {
			if k != name {
				out[k] = v
			}
		}
		return out
	}
	for _, c := range []struct {
		name, accept, other string // another header of the request, as name=value
		status              int
		header              map[string]string
		body                string
		compressed          bool
	}{
		{"long JSON", "gzip, deflate, br", "", 200, json, long, true},
		{"an error", "gzip", "", 422, json, long, true},
		{"no length given", "gzip", "", 200, map[string]string{"Content-Type": "application/json"}, long, true},
		{"short JSON", "gzip", "", 200, map[string]string{"Content-Type": "application/json"}, `{}`, false},
		{"a client that does not take it", "br", "", 200, json, long, false},
		{"a client that refuses it", "gzip;q=0", "", 200, json, long, false},
		{"a wildcard", "*", "", 200, json, long, false},
		{"a request with a cookie", "gzip", "Cookie=a=b", 200, json, long, false},
		{"a part", "gzip", "Range=bytes=0-5", 200, json, long, false},
		{"an answer with a secret", "gzip", "", 200, with("Cache-Control", "no-store, no-transform"), long, false},
		{"a picture", "gzip", "", 200, with("Content-Type", "image/png"), long, false},
		{"a stream", "gzip", "", 200, map[string]string{"Content-Type": "text/event-stream"}, long, false},
		{"compressed already", "gzip", "", 200, with("Content-Encoding", "br"), long, false},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", c.accept)
		if name, value, ok := strings.Cut(c.other, "="); ok {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		answering(c.status, c.header, c.body[:len(c.body)/2], c.body[len(c.body)/2:]).ServeHTTP(w, r)
		var reader io.Reader = w.Body
		compressed := w.Header().Get("Content-Encoding") == "gzip"
		if compressed {
			var err error
			if reader, err = gzip.NewReader(w.Body); err != nil {
				t.Fatal(err)
			}
			if w.Header().Get("Content-Length") != "" || strings.HasPrefix(w.Header().Get("ETag"), `"`) {
				t.Errorf("%s: headers %v", c.name, w.Header())
			}
		}
		body, err := io.ReadAll(reader)
		if err != nil || string(body) != c.body || w.Code != c.status || compressed != c.compressed {
			t.Errorf("%s: status %d, compressed %t, %d bytes (%v)", c.name, w.Code, compressed, len(body), err)
		}
		if w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: Vary is %q", c.name, w.Header().Get("Vary"))
		}
	}
}

func TestAnswersWithoutABodyStay(t *testing.T) {
	for _, status := range []int{200, 204, 304} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", "gzip")
		w := httptest.NewRecorder()
		answering(status, nil).ServeHTTP(w, r)
		if w.Code != status || w.Body.Len() > 0 || w.Header().Get("Content-Encoding") != "" {
			t.Errorf("%d: %d, %d bytes", status, w.Code, w.Body.Len())
		}
	}
}

// A list of a hundred comparisons is some hundred kilobytes.
func BenchmarkCompress(b *testing.B) {
	var body strings.Builder
	for i := range 1500 {
		body.WriteString(`{"id":"0190a1b2-0000-7000-8000-` + strconv.Itoa(100_000_000_000+i*7919) + `","status":"new","difference_percent":0.` + strconv.Itoa(i) + `},`)
	}
	handler := answering(200, map[string]string{"Content-Type": "application/json"}, body.String())
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	b.SetBytes(int64(body.Len()))
	var size int
	for b.Loop() {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		size = w.Body.Len()
	}
	b.ReportMetric(float64(size)/float64(body.Len()), "ratio")
}
