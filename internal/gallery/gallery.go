// Package gallery serves stored pictures at their unguessable links: `/images/<token>.png`, and a small preview at
// `/images/<token>_compressed.jpeg`. Whoever has the link may see the picture: the links stand in plain <img> tags and
// mails, which cannot send a token.
//
// Of a comparison only a mask is stored. Its links show it over the picture after; the mask alone, to be laid over a
// picture by a browser, is at `/images/<token>_mask.png`.
package gallery

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"afterimage/internal/blob"
	"afterimage/vcd"
)

// Prefix is where the handler is mounted.
const Prefix = "/images/"

const maxTokenLength = 64

// Rows finds the picture of a token; a token that is unknown is vcd.CodeNotFound.
type Rows interface {
	ImageByToken(ctx context.Context, token string) (*vcd.Image, error)
}

// Handler serves pictures. Make one by New.
type Handler struct {
	rows   Rows
	files  *blob.Files
	logger *slog.Logger

	making singleflight.Group // by file: each is made once however many ask
	slots  chan struct{}      // held while a picture is made of another: a decoded one takes up to 90 MB
}

// New makes a handler. It makes as many pictures of others at the same time as there are CPUs.
func New(rows Rows, files *blob.Files, logger *slog.Logger) *Handler {
	return &Handler{rows: rows, files: files, logger: logger, slots: make(chan struct{}, runtime.NumCPU())}
}

// ServeHTTP answers 200, 304 or 206 with the picture, 404 for anything unknown, 405 for other methods and 503 while the
// database is away.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Pictures can only be read.", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, Prefix)
	end := strings.IndexFunc(name, notTokenRune)
	if end < 1 || end > maxTokenLength || !isEnding(name[end:]) {
		http.NotFound(w, r)
		return
	}
	if err := h.serve(w, r, name[:end], name[end:]); err != nil {
		h.refuse(w, r, err)
	}
}

func (h *Handler) serve(w http.ResponseWriter, r *http.Request, token, ending string) error {
	img, err := h.rows.ImageByToken(r.Context(), token)
	if err != nil {
		return err
	}
	f, err := h.formOf(img, ending)
	if err != nil {
		return err
	}
	file, err := h.open(r.Context(), img, f)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	setHeaders(w.Header(), img, f)
	http.ServeContent(w, r, "", time.Time{}, file) // no time: pictures never change under their link
	return nil
}

func notTokenRune(c rune) bool {
	return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

// setHeaders lets pictures be kept for ever and shown on other sites, and keeps a browser from taking them for
// anything else than pictures.
func setHeaders(header http.Header, img *vcd.Image, f form) {
	header.Set("Content-Type", f.mediaType)
	header.Set("ETag", `"`+f.name(img)+`"`)
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Set("Access-Control-Allow-Origin", "*") // for canvases; whoever has the link may see the picture anyway
	header.Set("Content-Security-Policy", "default-src 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Robots-Tag", "noindex")
}

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case r.Context().Err() != nil: // the client has left
	case errors.Is(err, fs.ErrNotExist), vcd.CodeOf(err) == vcd.CodeNotFound:
		http.NotFound(w, r)
	case vcd.CodeOf(err) == vcd.CodeUnavailable:
		w.Header().Set("Retry-After", "1")
		http.Error(w, "The service is temporarily unavailable, please try again.", http.StatusServiceUnavailable)
	default:
		h.logger.ErrorContext(r.Context(), "serving a picture failed", "request_id", w.Header().Get("X-Request-Id"), "cause", err)
		http.Error(w, "The picture cannot be shown.", http.StatusInternalServerError)
	}
}
