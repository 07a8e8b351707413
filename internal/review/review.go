// Package review serves the public page of one comparison at its unguessable link, /c/<token>: before, after and the
// difference, for visitors without an account; and that of a whole batch at /b/<token>, with a page for each of its
// comparisons below it. The pages load only our own files and images, and reveal nothing about the account but the brand that it
// chose and, in reports, its name. Their script, web/guest, shows what is in the page. Where the link of a batch lets its visitors
// review, it sends what they decide and say; otherwise it asks for nothing but pictures. Without scripts, the pages show pictures and
// words.
package review

import (
	"bytes"
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/review"
)

// The paths at which the handler is mounted.
const (
	Prefix      = "/c/" // comparisons
	BatchPrefix = "/b/"
	// ReportPrefix is for those who are signed in: reports of batches at /reports/<batch>.pdf.
	ReportPrefix = "/reports/"
)

const maxTokenLength = 64

// Reviews finds what the token of a page shows; a token that is unknown is vcd.CodeNotFound.
type Reviews interface {
	Review(ctx context.Context, token string) (*review.SharedComparison, error)
	Shared(ctx context.Context, token, change string, p vcd.Page) (*review.SharedBatch, error)
	SharedComparison(ctx context.Context, token string, id vcd.ID) (*review.SharedComparison, error)
	// Reported shows a batch to its own account.
	Reported(ctx context.Context, actor vcd.Actor, batch vcd.ID, p vcd.Page) (*review.SharedBatch, error)

	Guests
	Logos
}

// Origin knows the pages of this server.
type Origin interface {
	// FromOwnPage reports whether a page of this server made a request that changes something.
	FromOwnPage(r *http.Request) bool
	// SignedInReader is who made a request, with the right to read.
	SignedInReader(r *http.Request) (vcd.Actor, error)
}

var (
	//go:embed *.html
	sources embed.FS

	document = parse("review.html")
)

// policy allows nothing but the page's own script, style sheet and pictures, and no text that is turned into script or markup.
var policy = strings.Join([]string{
	"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "base-uri 'none'", "form-action 'none'",
	"frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
}, "; ")

// parse reads a document, with what all documents have at their head.
func parse(name string) *template.Template {
	return template.Must(template.ParseFS(sources, name, "letterhead.html"))
}

// Assets are the addresses of the script and the style sheet of the pages; empty when they were not built. The pages then
// show pictures and words only.
type Assets struct{ Script, Style string }

// Handler serves the pages. Create it with New.
type Handler struct {
	reviews Reviews
	guests  Guests
	origin  Origin
	limits  Limits
	printer Printer
	crops   Cropper
	assets  Assets
	logger  *slog.Logger

	reporting sync.Map // accounts that have a report made
}

// Config is what a handler needs.
type Config struct {
	Reviews Reviews
	Origin  Origin
	Limits  Limits
	Printer Printer // nil for no reports
	Crops   Cropper // for reports
	Assets  Assets
	Logger  *slog.Logger
}

// New returns a handler.
func New(c Config) *Handler {
	return &Handler{
		reviews: c.Reviews, guests: c.Reviews, origin: c.Origin, limits: c.Limits, printer: c.Printer, crops: c.Crops,
		assets: c.Assets, logger: c.Logger,
	}
}

// ServeHTTP answers 200 with the page, 404 for anything unknown, 405 for other methods and 503 while the database is
// unavailable. What a guest sends is answered in JSON.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header())
	path, ofBatch := strings.CutPrefix(r.URL.Path, BatchPrefix)
	if ofBatch && r.Method == http.MethodPost {
		h.serveGuest(w, r, path)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, textsFor(r).ReadOnly, http.StatusMethodNotAllowed)
		return
	}
	if name, ok := strings.CutPrefix(r.URL.Path, ReportPrefix); ok {
		h.serveOwnReport(w, r, name)
		return
	}
	if ofBatch {
		h.serveShared(w, r, path)
		return
	}
	h.servePage(w, r, strings.TrimPrefix(r.URL.Path, Prefix))
}

// servePage answers for /c/<token> and /c/<token>/logo.png.
func (h *Handler) servePage(w http.ResponseWriter, r *http.Request, path string) {
	token, rest, below := strings.Cut(path, "/")
	if !isToken(token) || below && rest != logoEnding {
		h.missing(w, r)
		return
	}
	if below {
		logo, err := h.reviews.ReviewLogo(r.Context(), token)
		h.serveLogo(w, r, logo, err)
		return
	}
	c, err := h.reviews.Review(r.Context(), token)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	h.write(w, r, document, viewOf(h.frameOf(r, &c.From, Prefix+token), c.Comparison, token))
}

// screen is what is written with a document.
type screen interface{ policy() string }

// frame is what all pages have.
type frame struct {
	Assets
	Letterhead letterhead
	Words      *words
	Zone       *time.Location
	Language   string // that the address chooses, for links to other pages; "" if it does not
	Switch     string // address of the page in the other language
	Data       pageData
}

// frameOf is the frame of a page of an account, below whose link the logo is.
func (h *Handler) frameOf(r *http.Request, from *review.Letterhead, link string) frame {
	logo := template.URL(link + "/" + logoEnding) //nolint:gosec // of a token that was found
	f := frame{Assets: h.assets, Letterhead: letterheadOf(&from.Brand, logo), Zone: from.Zone}
	var chosen bool
	if f.Words, chosen = wordsFor(r); chosen {
		f.Language = f.Words.Language
	}
	f.Switch = inLanguage(r.URL.Path, f.Words.Other().Language)
	return f
}

// link is the address of another page in the language that this one was chosen in.
func (f *frame) link(path string) string { return inLanguage(path, f.Language) }

// inLanguage is the address of a page in a language; "" for the one that the browser asks for.
func inLanguage(path, language string) string {
	if language == "" {
		return path
	}
	return path + "?" + languageParameter + "=" + language
}

// policy is the content security policy of the page.
func (f *frame) policy() string { return policyOf(f.Letterhead.Style, f.Data.Guest != nil) }

// write answers with a page. A link can be withdrawn, so nobody may keep it.
func (h *Handler) write(w http.ResponseWriter, r *http.Request, document *template.Template, v screen) {
	var out bytes.Buffer
	if err := document.Execute(&out, v); err != nil {
		h.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", v.policy())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(out.Bytes())
}

func isToken(text string) bool {
	return text != "" && len(text) <= maxTokenLength && !strings.ContainsFunc(text, notTokenRune)
}

func notTokenRune(c rune) bool {
	return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

func setHeaders(header http.Header) {
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer") // the address is the secret
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("X-Robots-Tag", "noindex, nofollow")
	header.Set("Vary", "Accept-Language")
}

func (h *Handler) missing(w http.ResponseWriter, r *http.Request) {
	http.Error(w, textsFor(r).NothingHere, http.StatusNotFound)
}

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	switch vcd.CodeOf(err) {
	case vcd.CodeNotFound:
		h.missing(w, r)
	case vcd.CodeUnavailable:
		w.Header().Set("Retry-After", "1")
		http.Error(w, textsFor(r).Unavailable, http.StatusServiceUnavailable)
	default:
		if r.Context().Err() != nil { // the client has left
			return
		}
		h.logger.ErrorContext(r.Context(), "serving a review failed", "cause", err)
		http.Error(w, textsFor(r).CannotShow, http.StatusInternalServerError)
	}
}
