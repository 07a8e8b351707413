package zoo

import (
	"fmt"
	"image/color"
	"math/rand/v2"
	"net/http"
	"time"
)

// addLive serves what goes on while a page is there.
func addLive(mux *http.ServeMux) {
	mux.HandleFunc("GET /live/events", events)
	mux.HandleFunc("GET /live/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("GET /live/stream", stream)
	mux.HandleFunc("GET /live/advertisement", advertisement)
}

// events tells two things by server-sent events and then keeps the connection open, as a site with live news does.
func events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, c := range []color.RGBA{content, second} {
		if !wait(r, 200*time.Millisecond) {
			return
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", hex(c))
		flush(w)
	}
	<-r.Context().Done()
}

// stream is a document that arrives in three parts.
func stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprint(w, `<!doctype html><body style="margin:0">`)
	for _, c := range []color.RGBA{content, second, third} {
		_, _ = fmt.Fprintf(w, `<div style="height:150px;background:%s">%200s</div>`, hex(c), "")
		flush(w)
		if !wait(r, 250*time.Millisecond) {
			return
		}
	}
}

// advertisement is a picture of a random colour.
func advertisement(w http.ResponseWriter, r *http.Request) {
	c := rand.IntN(1 << 20) //nolint:gosec // an advertisement needs no secret
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = fmt.Fprintf(w,
		`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="#f%05x"/></svg>`, c)
}

func flush(w http.ResponseWriter) {
	// A connection that cannot be flushed is one that is gone.
	_ = http.NewResponseController(w).Flush()
}
