package hostile

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"afterimage/capture"
)

// answered are pages that attack by how the server answers.
var answered = []Page{
	dead("never", never),
	dead("endless-document", drip("text/html", "<p>more</p>", 10*time.Millisecond)),
	dead("endless-blank", drip("text/html", " ", 10*time.Millisecond)),
	dead("endless-script", html(`<!doctype html><title>hostile</title><script src="never"></script>`)),
	dead("endless-style",
		html(`<!doctype html><title>hostile</title><link rel=stylesheet href="never"><p>hidden until then<script>0</script>`)),
	refused("flood", drip("text/html", strings.Repeat("<p>more</p>", 6000), 0), capture.ReasonTooLarge, capture.ReasonCrashed),
	refused("flood-of-style", html(`<!doctype html><title>hostile</title><link rel=stylesheet href="flood.css">`), capture.ReasonTooLarge),
	refused("flood-of-events", script(`new EventSource('events')`), capture.ReasonTooLarge),
	refused("long-header", longHeader, capture.ReasonTooLarge, capture.ReasonConnect, capture.ReasonTLS),
	heavy("requests", script(`let n = 0; setInterval(() => { for (let i = 0; i < 50; i++) fetch('control?' + n++) }, 10)`),
		capture.ReasonTooLarge),
	soon(page("hanging-requests", script(`for (let i = 0; i < 500; i++) fetch('never?' + i)`))),
	page("sockets", script(`for (let i = 0; i < 300; i++) new WebSocket(new URL('never?' + i, location).href.replace('http', 'ws'))`)),
	refused("download", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=page.html")
		html("hello")(w, r)
	}, capture.ReasonDownload),
	refused("credentials", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="r"`)
		w.WriteHeader(http.StatusUnauthorized)
	}, capture.ReasonCredentials),
	refused("archive", text("application/zip", "PK\x03\x04"), capture.ReasonNotHTML),
	refused("nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, capture.ReasonHTTPStatus),
	refused("broken-off", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100000")
		panic(http.ErrAbortHandler)
	}, capture.ReasonConnect),
}

// never answers while somebody waits.
func never(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// drip sends the same again and again, with a pause in between, until nobody reads any more.
func drip(kind, part string, pause time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		flusher := http.NewResponseController(w)
		ticker := time.NewTicker(max(pause, 1))
		defer ticker.Stop()
		for {
			if _, err := w.Write([]byte(part)); err != nil {
				return
			}
			if pause == 0 {
				continue
			}
			_ = flusher.Flush()
			select {
			case <-ticker.C:
			case <-r.Context().Done():
				return
			}
		}
	}
}

// longHeader is a header without end.
func longHeader(w http.ResponseWriter, _ *http.Request) {
	conn, buffer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer func() { _ = conn.Close() }()
	_, _ = buffer.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
	for i := 0; ; i++ {
		if _, err := fmt.Fprintf(buffer, "X-%d: %s\r\n", i, strings.Repeat("x", 1000)); err != nil {
			return
		}
	}
}
