// Package health tells whether a process lives (/healthz) and whether it can do its work (/readyz), and in words what is
// missing. The words hold no address and no cause: the causes go to the log, once for each change.
package health

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// The addresses of both answers.
const (
	LivePath  = "/healthz"
	ReadyPath = "/readyz"
)

const (
	// checkTimeout limits each check. Probes wait little longer by default.
	checkTimeout = 2 * time.Second
	// fresh is how long an answer is given again: anybody may ask, and the database is not to notice.
	fresh = time.Second
)

// Problem is an error with a sentence for whoever asks.
type Problem struct {
	Sentence string // what is missing and what to do about it
	Cause    error  // for the log; may be nil
}

func (p *Problem) Error() string {
	if p.Cause == nil {
		return p.Sentence
	}
	return fmt.Sprintf("%s (%v)", p.Sentence, p.Cause)
}

func (p *Problem) Unwrap() error { return p.Cause }

// Check looks at one part of the process.
type Check struct {
	Part string
	Look func(ctx context.Context) error // a *Problem, unless the words of Part suffice
}

// Health is that of one process. It starts as not ready: see Begin and Started.
type Health struct {
	logger *slog.Logger
	now    func() time.Time

	mu      sync.Mutex
	phase   string // what the process does before and after it is ready; empty while it is
	checks  []Check
	said    map[string]string // the latest sentence of each part, empty when it was ready
	last    []Part
	lastAt  time.Time
	looking sync.Mutex // one look at a time
}

// Part is what was found of a part of the process.
type Part struct {
	Name     string
	Sentence string // empty when it is ready
}

// New creates the health of a process that is starting.
func New(logger *slog.Logger) *Health {
	return &Health{logger: logger, now: time.Now, phase: "The process is starting.", said: map[string]string{}}
}

// Begin says what the process does before it is ready, for example "The process brings the database up to date."
func (h *Health) Begin(phase string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.phase = phase
}

// Started says that from now on the checks tell whether the process is ready.
func (h *Health) Started(checks ...Check) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.phase, h.checks = "", checks
}

// Stopping makes the process not ready, for those who send it requests.
func (h *Health) Stopping() { h.Begin("The process is stopping.") }

// Look returns the parts of the process in the order of the checks, at most a second old.
func (h *Health) Look(ctx context.Context) []Part {
	h.looking.Lock()
	defer h.looking.Unlock()
	h.mu.Lock()
	phase, checks, last, age := h.phase, h.checks, h.last, h.now().Sub(h.lastAt)
	h.mu.Unlock()
	if phase != "" {
		return []Part{{Name: "process", Sentence: phase}}
	}
	if last != nil && age < fresh {
		return last
	}
	parts, causes := look(context.WithoutCancel(ctx), checks)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last, h.lastAt = parts, h.now()
	for i, p := range parts {
		h.tell(ctx, p, causes[i])
	}
	return parts
}

// look makes all checks at once.
func look(ctx context.Context, checks []Check) (parts []Part, causes []error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	parts, causes = make([]Part, len(checks)), make([]error, len(checks))
	var all sync.WaitGroup
	for i, c := range checks {
		all.Go(func() {
			causes[i] = c.Look(ctx)
			parts[i] = Part{Name: c.Part, Sentence: sentence(c.Part, causes[i])}
		})
	}
	all.Wait()
	return parts, causes
}

func sentence(part string, err error) string {
	var known *Problem
	switch {
	case err == nil:
		return ""
	case errors.As(err, &known):
		return known.Sentence
	}
	return "Something is wrong with the " + part + ": see the log of this process."
}

// tell logs a change of a part.
func (h *Health) tell(ctx context.Context, p Part, cause error) {
	before := h.said[p.Name]
	h.said[p.Name] = p.Sentence
	switch {
	case before == p.Sentence:
	case p.Sentence == "":
		h.logger.InfoContext(ctx, "ready again", "part", p.Name)
	default:
		h.logger.WarnContext(ctx, "not ready", "part", p.Name, "problem", p.Sentence, "cause", cause)
	}
}

// Ready tells for each part whether it is ready.
func (h *Health) Ready(ctx context.Context) map[string]bool {
	ready := map[string]bool{}
	for _, p := range h.Look(ctx) {
		ready[p.Name] = p.Sentence == ""
	}
	return ready
}

// Register adds both addresses to a mux.
func (h *Health) Register(mux *http.ServeMux) {
	mux.HandleFunc("GET "+LivePath, func(w http.ResponseWriter, _ *http.Request) { write(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET "+ReadyPath, func(w http.ResponseWriter, r *http.Request) {
		parts := h.Look(r.Context())
		if slices.ContainsFunc(parts, func(p Part) bool { return p.Sentence != "" }) {
			write(w, http.StatusServiceUnavailable, "not ready\n"+lines(parts))
			return
		}
		write(w, http.StatusOK, "ready\n"+lines(parts))
	})
}

// Before answers both addresses in front of another handler.
func (h *Health) Before(next http.Handler) http.Handler {
	own := http.NewServeMux()
	h.Register(own)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == LivePath || r.URL.Path == ReadyPath {
			own.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func lines(parts []Part) string {
	var text strings.Builder
	for _, p := range parts {
		said := p.Sentence
		if said == "" {
			said = "ready"
		}
		fmt.Fprintf(&text, "%s: %s\n", p.Name, said)
	}
	return text.String()
}

func write(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}
