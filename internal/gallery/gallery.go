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

// Handler serves pictures.
type Handler struct {
	Rows   Rows
	Files  *blob.Files
	Logger *slog.Logger

	making singleflight.Group // previews, by hash: each is made once however many ask
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
		h.serve(w, r, token, "image/png", func(img *vcd.Image) (*os.File, error) { return h.Files.File(img.Hash) })
		return
	}
	http.NotFound(w, r)
}

func (h *Handler) serve(w http.ResponseWriter, r *http.Request, token, mediaType string, open func(*vcd.Image) (*os.File, error)) {
	img, err := h.find(r.Context(), token)
	if err == nil {
		var file *os.File
		if file, err = open(img); err == nil {
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
	return h.Rows.ImageByToken(ctx, token)
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
	case errors.Is(err, fs.ErrNotExist), vcd.CodeOf(err) == vcd.CodeNotFound:
		http.NotFound(w, r)
	case vcd.CodeOf(err) == vcd.CodeUnavailable:
		w.Header().Set("Retry-After", "1")
		http.Error(w, "The service is temporarily unavailable, please try again.", http.StatusServiceUnavailable)
	default:
		h.Logger.ErrorContext(r.Context(), "serving a picture failed", "cause", err)
		http.Error(w, "The picture cannot be shown.", http.StatusInternalServerError)
	}
}

// preview opens the small form of a picture, and makes it first when nobody has asked for it before.
func (h *Handler) preview(img *vcd.Image) (*os.File, error) {
	file, err := h.Files.Variant(img.Hash, previewVariant)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if _, err, _ := h.making.Do(img.Hash, func() (any, error) { return nil, h.makePreview(img.Hash) }); err != nil {
		return nil, err
	}
	return h.Files.Variant(img.Hash, previewVariant)
}

func (h *Handler) makePreview(hash string) error {
	content, err := h.Files.Get(hash)
	if err != nil {
		return err
	}
	small, err := imgdiff.Preview(content, previewWidth, previewQuality)
	if err != nil {
		return err
	}
	return h.Files.PutVariant(hash, previewVariant, small)
}
