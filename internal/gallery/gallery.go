// Package gallery serves stored images at unguessable links: `/images/<token>.png`, and a small preview at
// `/images/<token>_compressed.jpeg`. Anyone with the link may see the image, because the links are used in <img> tags and
// emails, which cannot send a token.
//
// For a comparison only a mask is stored. Its link shows the mask over the after screenshot; the mask alone, for
// overlaying in a browser, is at `/images/<token>_mask.png`.
//
// Image tokens are visible to their account only. The images of a comparison's public page are at
// `/images/<token of the page>_before.png`, `_after.png` and `_differences.png` (the mask), so that no link on the page
// works longer than the page itself. Those of a comparison on the public page of its batch are at
// `/images/<token of the page>-<id of the comparison>_before.png` and so on, with previews at `_after_compressed.jpeg` and
// `_differences_compressed.jpeg`.
//
// Browsers decode pictures as a whole, which takes hundreds of megabytes for a very tall page. So every PNG link but that
// of a composed picture also has strips of StripRows rows: `<token>_strip-0.png` from the top, `<token>_mask_strip-0.png`,
// `_before_strip-0.png` and so on; 404 beyond the last one. They are made of the whole picture at the first request for one.
package gallery

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/singleflight"

	"afterimage/internal/blob"
	"afterimage/vcd"
)

// Prefix is the path at which the handler is mounted.
const Prefix = "/images/"

const (
	maxTokenLength = 64
	idLength       = 36
)

// fresh is for how long a browser may show a picture again without asking whether it still may: a link that is withdrawn works
// nowhere for longer.
const fresh = "private, max-age=30, must-revalidate"

// Rows finds the picture of a token; a token that is unknown, or whose picture is shown no more, is vcd.CodeNotFound.
type Rows interface {
	ImageByToken(ctx context.Context, token string) (*vcd.Image, error)
	ImageByPublicLink(ctx context.Context, token string, part vcd.PublicPart) (*vcd.Image, error)
}

// Shared finds a picture of a comparison on the public page of its batch, like Rows.
type Shared interface {
	SharedImage(ctx context.Context, token string, comparison vcd.ID, part vcd.PublicPart) (*vcd.Image, error)
}

// Handler serves images. Create it with New.
type Handler struct {
	rows   Rows
	shared Shared
	files  blob.Store
	links  Linker // nil: all pictures are sent from here
	logger *slog.Logger

	making singleflight.Group // by file: each is made once however many ask
	slots  chan struct{}      // held while a picture is made of another, row by row: the files of both are in memory
	large  chan struct{}      // held as well while a larger one is, so that others get a processor

	cuttings   sync.Map // *cutting by the hash of the picture whose strips are made
	background sync.WaitGroup
}

// New returns a handler. It renders at most as many derived images concurrently as there are CPUs.
func New(rows Rows, shared Shared, files blob.Store, logger *slog.Logger) *Handler {
	return &Handler{
		rows: rows, shared: shared, files: files, logger: logger, slots: make(chan struct{}, runtime.NumCPU()),
		large: make(chan struct{}, 1),
	}
}

// Wait returns when no strips are being made any more. They are made to the end when their client has left.
func (h *Handler) Wait() { h.background.Wait() }

// link names a picture: by its own token, or as a part of a public page by the page's.
type link struct {
	token      string
	comparison vcd.ID // on the page of a batch; else empty
	ending
}

// parseLink reads the last part of a link's path; ok is false for what is no link.
func parseLink(name string) (l link, ok bool) {
	end := strings.IndexFunc(name, notTokenRune)
	if end < 1 || end > maxTokenLength {
		return link{}, false
	}
	l.token, name = name[:end], name[end:]
	if rest, ofBatch := strings.CutPrefix(name, "-"); ofBatch {
		if len(rest) < idLength {
			return link{}, false
		}
		if l.comparison, ok = vcd.ParseID(rest[:idLength]); !ok {
			return link{}, false
		}
		name = rest[idLength:]
	}
	l.ending, ok = endingOf(name)
	return l, ok && (l.comparison == "" || l.part != "")
}

// ServeHTTP answers 200, 304 or 206 with the image, 302 with a link to it (see RedirectTo), 404 for anything unknown, 405 for other
// methods, 503 while the database is unavailable and 500 for an image whose file is corrupt.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Images are read-only.", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, Prefix)
	wanted, ok := parseLink(name)
	if !ok {
		h.missing(w)
		return
	}
	if err := h.serve(w, r, wanted); err != nil {
		h.refuse(w, r, err)
	}
}

func (h *Handler) serve(w http.ResponseWriter, r *http.Request, wanted link) error {
	img, err := h.find(r.Context(), wanted)
	if err != nil {
		return err
	}
	if h.redirected(w, r, img, wanted.ending) {
		return nil
	}
	file, f, name, err := h.openEnding(r.Context(), img, wanted.ending)
	if err != nil {
		return fmt.Errorf("open image %s of account %s: %w", img.ID, img.Account, err)
	}
	defer func() { _ = file.Close() }()
	setHeaders(w.Header(), f, name)
	http.ServeContent(w, r, "", time.Time{}, file) // no time: pictures never change under their link
	return nil
}

func (h *Handler) find(ctx context.Context, l link) (*vcd.Image, error) {
	switch {
	case l.comparison != "":
		return h.shared.SharedImage(ctx, l.token, l.comparison, l.part)
	case l.part != "":
		return h.rows.ImageByPublicLink(ctx, l.token, l.part)
	}
	return h.rows.ImageByToken(ctx, l.token)
}

func notTokenRune(c rune) bool {
	return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

// setHeaders lets a browser keep pictures, to be asked for again by their tag, and show them on other sites, and keeps it from
// taking them for anything else than pictures. No cache between may keep them: it would not hear of a link that is withdrawn.
func setHeaders(header http.Header, f form, name string) {
	header.Set("Content-Type", f.mediaType)
	header.Set("ETag", `"`+name+`"`)
	header.Set("Cache-Control", fresh)
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Set("Access-Control-Allow-Origin", "*") // for canvases; whoever has the link may see the picture anyway
	header.Set("Content-Security-Policy", "default-src 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Robots-Tag", "noindex")
}

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case r.Context().Err() != nil: // the client has left
	case vcd.CodeOf(err) == vcd.CodeNotFound, errors.Is(err, errNoForm):
		h.missing(w)
	case errors.Is(err, fs.ErrNotExist):
		h.logger.ErrorContext(r.Context(), "an image file is missing: run 'afterimage doctor'", "cause", err)
		h.missing(w)
	case errors.Is(err, blob.ErrUnavailable):
		h.logger.ErrorContext(r.Context(), "the image store is not available", "cause", err)
		w.Header().Set("Retry-After", "5")
		h.fail(w, http.StatusServiceUnavailable, "The pictures are temporarily unavailable, please try again.")
	case errors.Is(err, blob.ErrDamaged):
		h.logger.ErrorContext(r.Context(), "an image file is corrupt: run 'afterimage doctor --deep' and restore it from a backup", "cause",
			err)
		h.fail(w, http.StatusInternalServerError, "The image is corrupt and cannot be shown.")
	case errors.Is(err, syscall.ENOSPC):
		h.logger.ErrorContext(r.Context(), "a preview could not be stored: the disk is full", "cause", err)
		w.Header().Set("Retry-After", "60")
		h.fail(w, http.StatusServiceUnavailable,
			"The service's disk is full: this version of the picture cannot be created until the operator frees space.")
	case vcd.CodeOf(err) == vcd.CodeUnavailable:
		w.Header().Set("Retry-After", "1")
		h.fail(w, http.StatusServiceUnavailable, "The service is temporarily unavailable, please try again.")
	default:
		h.logger.ErrorContext(r.Context(), "serving an image failed", "request_id", w.Header().Get("X-Request-Id"), "cause", err)
		h.fail(w, http.StatusInternalServerError, "The image cannot be shown.")
	}
}

func (h *Handler) missing(w http.ResponseWriter) {
	h.fail(w, http.StatusNotFound, "There is no picture at this address. It may have been deleted, or its link withdrawn.")
}

// fail answers with a sentence that nobody keeps.
func (h *Handler) fail(w http.ResponseWriter, status int, sentence string) {
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, sentence, status)
}
