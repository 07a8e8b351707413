package gallery

import (
	"context"
	"net/http"
	"time"

	"afterimage/vcd"
)

// Linker makes links at which anybody can read a stored picture until the time is over. *blob.Bucket implements it.
type Linker interface {
	Link(ctx context.Context, hash string, expiry time.Duration) (string, error)
}

// linkFor is how long a link to the bucket works: no longer than a browser may show a picture whose link was withdrawn.
const linkFor = 30 * time.Second

// RedirectTo makes the handler redirect programs that download whole pictures to the place where these are kept. It must be called
// before the first request.
func (h *Handler) RedirectTo(links Linker) { h.links = links }

// redirected answers with a redirect, unless the picture must come from here.
func (h *Handler) redirected(w http.ResponseWriter, r *http.Request, img *vcd.Image, e ending) bool {
	if h.links == nil || e.strip != noStrip || !downloads(r) {
		return false
	}
	if f, err := h.formOf(img, e.form); err != nil || f.make != nil { // it is not stored as it is shown
		return false
	}
	link, err := h.links.Link(r.Context(), img.Hash, linkFor)
	if err != nil {
		h.logger.WarnContext(r.Context(), "could not sign a link to the bucket; the picture is sent from here", "cause", err)
		return false
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Robots-Tag", "noindex")
	http.Redirect(w, r, link, http.StatusFound) //nolint:gosec // the link is one of our own bucket
	return true
}

// downloads reports whether a request can follow a redirect to another site: not one of a page, whose policy or canvas might forbid that,
// and not one that asks whether a picture is still the same.
func downloads(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return r.Method == http.MethodGet && r.Header.Get("If-None-Match") == "" && r.Header.Get("Origin") == "" &&
		(site == "" || site == "none")
}
