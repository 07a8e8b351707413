// Package gallery serves stored pictures at their unguessable links: `/images/<token>.png`, and a small preview at
// `/images/<token>_compressed.jpeg`. Whoever has the link may see the picture: the links stand in plain <img> tags and
// mails, which cannot send a token.
package gallery

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"afterimage/imgdiff"
	"afterimage/internal/blob"
	"afterimage/vcd"
)

// Prefix is where the handler is mounted.
const Prefix = "/images/"

const (
	pictureSuffix  = ".png"
	previewSuffix  = "_compressed.jpeg"
	previewVariant = "compressed.jpeg"
	previewWidth   = 480 // pixels
	previewQuality = 72
	maxTokenLength = 64
)

// Rows finds the picture of a token; a token that is unknown is vcd.CodeNotFound.
type Rows interface {
	ImageByToken(ctx context.Context, token string) (*vcd.Image, error)
}

// Handler serves pictures. Make one by New.
type Handler struct {
	rows   Rows
	files  *blob.Files
	logger *slog.Logger

	making singleflight.Group // previews, by hash: each is made once however many ask
	slots  chan struct{}      // held while a preview is made: the decoded picture takes up to 90 MB
}

// New makes a handler. It makes as many previews at the same time as there are CPUs.
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
	if token, ok := strings.CutSuffix(name, previewSuffix); ok {
		h.serve(w, r, token, "image/jpeg", h.preview)
		return
	}
	if token, ok := strings.CutSuffix(name, pictureSuffix); ok {
		h.serve(w, r, token, "image/png", h.picture)
		return
	}
	http.NotFound(w, r)
}

// opener finds the file of a stored picture by its hash.
type opener func(ctx context.Context, hash string) (*os.File, error)

func (h *Handler) serve(w http.ResponseWriter, r *http.Request, token, mediaType string, open opener) {
	img, err := h.find(r.Context(), token)
	if err == nil {
		var file *os.File
		if file, err = open(r.Context(), img.Hash); err == nil {
			defer func() { _ = file.Close() }()
			setHeaders(w.Header(), mediaType, img.Hash)
			http.ServeContent(w, r, "", time.Time{}, file) // no time: pictures never change under their link
			return
		}
	}
	h.refuse(w, r, err)
}

func (h *Handler) find(ctx context.Context, token string) (*vcd.Image, error) {
	if token == "" || len(token) > maxTokenLength || strings.ContainsFunc(token, notTokenRune) {
		return nil, fs.ErrNotExist
	}
	return h.rows.ImageByToken(ctx, token)
}

func notTokenRune(c rune) bool {
	return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

// setHeaders lets pictures be kept for ever and shown on other sites, and keeps a browser from taking them for
// anything else than pictures.
func setHeaders(header http.Header, mediaType, hash string) {
	header.Set("Content-Type", mediaType)
	header.Set("ETag", `"`+hash+mediaType[len("image/"):]+`"`)
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
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
		h.logger.ErrorContext(r.Context(), "serving a picture failed", "cause", err)
		http.Error(w, "The picture cannot be shown.", http.StatusInternalServerError)
	}
}

func (h *Handler) picture(_ context.Context, hash string) (*os.File, error) {
	return h.files.File(hash)
}

// preview opens the small form of a picture, and makes it first when nobody has asked for it before.
func (h *Handler) preview(ctx context.Context, hash string) (*os.File, error) {
	file, err := h.files.Variant(hash, previewVariant)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if err := h.awaitPreview(ctx, hash); err != nil {
		return nil, err
	}
	return h.files.Variant(hash, previewVariant)
}

// awaitPreview returns when the preview is there. It waits for a slot while others are made, unless ctx ends.
func (h *Handler) awaitPreview(ctx context.Context, hash string) error {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-h.slots }()
	_, err, _ := h.making.Do(hash, func() (any, error) { return nil, h.makePreview(hash) })
	return err
}

// makePreview stores the preview unless somebody else has while we waited.
func (h *Handler) makePreview(hash string) error {
	if file, err := h.files.Variant(hash, previewVariant); err == nil {
		return file.Close()
	}
	content, err := h.files.Get(hash)
	if err != nil {
		return err
	}
	small, err := imgdiff.Preview(content, previewWidth, previewQuality)
	if err != nil {
		return err
	}
	return h.files.PutVariant(hash, previewVariant, small)
}
