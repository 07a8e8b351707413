package edge

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
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
		{"a client that prefers another", "br;q=1.0, GZIP;q=0.5", "", 200, json, long, true},
		{"a client that refuses it with decimals", "gzip; q=0.000, br", "", 200, json, long, false},
		{"a weight that is none", "gzip;q=much", "", 200, json, long, false},
		{"no word about it", "", "", 200, json, long, false},
		{"one that offers newer codings too", "deflate, gzip, br, zstd", "", 200, json, long, true},
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

// TestStaticFiles wants the files of pages compressed for who is signed in, too, and known again by their tags.
func TestStaticFiles(t *testing.T) {
	const tag = `"1a2b"`
	handler := CompressStatic(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Header().Set("ETag", tag)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(strings.Repeat("export const answer = 42;\n", 100)))
	}))
	ask := func(name, value string) *http.Response {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", "gzip")
		r.Header.Set("Cookie", "a=b")
		r.Header.Set(name, value)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Result()
	}
	first := ask("Accept", "*/*")
	if first.Header.Get("Content-Encoding") != "gzip" || first.Header.Get("ETag") != "W/"+tag {
		t.Errorf("headers %v", first.Header)
	}
	if again := ask("If-None-Match", first.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("asked again: status %d, want 304", again.StatusCode)
	}
	part := ask("Range", "bytes=0-5")
	if part.StatusCode != http.StatusPartialContent || part.Header.Get("Content-Encoding") != "" || part.ContentLength != 6 {
		t.Errorf("a part: status %d, headers %v", part.StatusCode, part.Header)
	}
}

// TestABrokenAnswerDoesNotLookWhole lets a handler give up in the middle.
func TestABrokenAnswerDoesNotLookWhole(t *testing.T) {
	server := httptest.NewServer(Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, strings.Repeat("[0],", 10_000))
		panic(http.ErrAbortHandler)
	})))
	defer server.Close()
	response, err := server.Client().Get(server.URL)
	if err != nil {
		return // nothing of it was sent
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err == nil {
		t.Errorf("read %d bytes without an error", len(body))
	}
}

// TestAStreamIsNotHeldBack reads what was flushed while the handler still runs.
func TestAStreamIsNotHeldBack(t *testing.T) {
	read := make(chan struct{})
	server := httptest.NewServer(Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, ":\n\n")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-read
	})))
	defer server.Close()
	response, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadFull(response.Body, make([]byte, 3)); err != nil {
		t.Error(err)
	}
	close(read)
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
		body.WriteString(`{"id":"0190a1b2-0000-7000-8000-` + strconv.Itoa(100_000_000_000+i*7919) +
			`","status":"new","difference_percent":0.` + strconv.Itoa(i) + `},`)
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
