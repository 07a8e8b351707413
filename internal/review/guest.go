package review

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"afterimage/internal/ratelimit"
	"afterimage/vcd"
	"afterimage/vcd/review"
)

// Guests are the use cases of visitors whose link lets them review; for others, the batch is vcd.CodeNotFound.
type Guests interface {
	CommentAsGuest(ctx context.Context, g review.Guest, comparison vcd.ID, text string) (*vcd.Comment, error)
	JudgeAsGuest(ctx context.Context, g review.Guest, comparison vcd.ID, status vcd.ComparisonStatus) (review.Verdict, error)
	AcceptAsGuest(ctx context.Context, g review.Guest, fingerprint string) (review.Verdict, error)
	UndoAsGuest(ctx context.Context, g review.Guest, id vcd.ID) (review.Undone, error)
}

// Limiter limits how often somebody may ask.
type Limiter interface {
	Take(key string) (remaining int, wait time.Duration)
}

// Limits are how often visitors may ask for what costs something.
type Limits struct {
	ByAddress Limiter // of the guest
	ByLink    Limiter // of all its guests together
	Reports   Limiter // made for an address
}

// maxGuestBody is enough for the longest comment.
const maxGuestBody = 64 << 10

// guestRequest is what a page asks on behalf of a guest.
type guestRequest struct {
	Name        string               `json:"name"`
	Text        string               `json:"text"`
	Status      vcd.ComparisonStatus `json:"status"`
	Fingerprint string               `json:"fingerprint"` // of a change
	Review      string               `json:"review"`
}

// guestVerdict tells what became of a verdict.
type guestVerdict struct {
	Changed   []vcd.ID `json:"changed"`
	StillOpen int      `json:"stillOpen"`
	Since     int      `json:"since"`  // comparisons that somebody has changed since, and that stay as they are
	Review    *vcd.ID  `json:"review"` // undoes it; null if nothing changed
}

// serveGuest answers a page whose guest changes something: POST /b/<token>/accept or /undo, and /b/<token>/<comparison>/comment
// or /verdict. There are no cookies: the link is what a guest has. Only our own pages may ask, with a header that forms cannot
// send.
func (h *Handler) serveGuest(w http.ResponseWriter, r *http.Request, path string) {
	w.Header().Set("Cache-Control", "no-store")
	result, err := h.askAsGuest(w, r, path)
	if err != nil {
		h.refuseGuest(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, result)
}

func (h *Handler) askAsGuest(w http.ResponseWriter, r *http.Request, path string) (any, error) {
	if !h.origin.FromOwnPage(r) {
		return nil, vcd.Forbidden()
	}
	if err := spend(h.limits.ByAddress, ratelimit.ClientOf(r), textsFor(r).TooManyChanges); err != nil {
		return nil, err
	}
	token, action, _ := strings.Cut(path, "/")
	if !isToken(token) {
		return nil, vcd.NotFound("Batch", "")
	}
	if err := spend(h.limits.ByLink, token, textsFor(r).TooManyChanges); err != nil {
		return nil, err
	}
	var q guestRequest
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxGuestBody))
	body.DisallowUnknownFields()
	if err := body.Decode(&q); err != nil {
		return nil, vcd.Invalid("body", "json", "The {field} must be a JSON object of at most 64 KiB, with known fields only.")
	}
	g := review.Guest{Token: token, Name: q.Name}
	if id, what, below := strings.Cut(action, "/"); below {
		return h.onComparison(r.Context(), g, id, what, q)
	}
	return h.onBatch(r.Context(), g, action, q)
}

// spend takes a change from what a key may do; words say that there are none left.
func spend(limiter Limiter, key, words string) error {
	if _, wait := limiter.Take(key); wait > 0 {
		return vcd.RateLimited(words, wait)
	}
	return nil
}

func (h *Handler) onComparison(ctx context.Context, g review.Guest, raw, action string, q guestRequest) (any, error) {
	id, ok := vcd.ParseID(raw)
	if !ok {
		return nil, vcd.NotFound("Comparison", "")
	}
	switch action {
	case "comment":
		comment, err := h.guests.CommentAsGuest(ctx, g, id, q.Text)
		if err != nil {
			return nil, err
		}
		return commentOf(comment), nil
	case "verdict":
		return verdictOf(h.guests.JudgeAsGuest(ctx, g, id, q.Status))
	}
	return nil, vcd.NotFound("Action", "")
}

func (h *Handler) onBatch(ctx context.Context, g review.Guest, action string, q guestRequest) (any, error) {
	switch action {
	case "accept":
		return verdictOf(h.guests.AcceptAsGuest(ctx, g, q.Fingerprint))
	case "undo":
		id, ok := vcd.ParseID(q.Review)
		if !ok {
			return nil, vcd.Invalid("review", "uuid", "The {field} field must be a valid UUID.")
		}
		undone, err := h.guests.UndoAsGuest(ctx, g, id)
		verdict, err := verdictOf(undone.Verdict, err)
		if err != nil {
			return nil, err
		}
		verdict.Since = undone.Since
		return verdict, nil
	}
	return nil, vcd.NotFound("Action", "")
}

func verdictOf(v review.Verdict, err error) (*guestVerdict, error) {
	if err != nil {
		return nil, err
	}
	return &guestVerdict{Changed: v.Changed, StillOpen: v.StillOpenCount, Review: v.Review}, nil
}

// refuseGuest answers in JSON. What is not there, or no longer, looks the same whatever the reason.
func (h *Handler) refuseGuest(w http.ResponseWriter, r *http.Request, err error) {
	t := textsFor(r)
	status, message := http.StatusInternalServerError, t.NotSaved
	var refused *vcd.Error
	if errors.As(err, &refused) {
		message = refused.Message
	}
	switch vcd.CodeOf(err) {
	case vcd.CodeNotFound:
		status, message = http.StatusNotFound, t.NothingHere
	case vcd.CodeForbidden:
		status = http.StatusForbidden
	case vcd.CodeRateLimited:
		status = http.StatusTooManyRequests
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(refused.RetryAfter.Seconds()))))
	case vcd.CodeUnavailable:
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "1")
	case vcd.CodeInvalid:
		status = http.StatusUnprocessableEntity
		message = t.refusal(refused)
	default:
		if r.Context().Err() != nil { // the client has left
			return
		}
		message = t.NotSaved
		h.logger.ErrorContext(r.Context(), "a change by a guest failed", "cause", err)
	}
	writeJSON(w, status, map[string]string{"message": message})
}

// refusal says what is wrong with what a guest sent. The pages let guests fill in nothing but their name and comments; what
// programs get wrong besides is told in English.
func (w *words) refusal(refused *vcd.Error) string {
	if len(refused.Fields) == 0 {
		return refused.Message
	}
	switch refused.Fields[0].Path {
	case "name":
		return w.BadName
	case "text":
		return w.BadText
	}
	return refused.Fields[0].Text()
}

func writeJSON(w http.ResponseWriter, status int, content any) {
	text, err := json.Marshal(content)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // a client that is gone needs no answer
}
