package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
)

// receiver is a webhook's other side. It fails three requests in ten, but not the same delivery for ever.
type receiver struct {
	t      *testing.T
	secret string

	mu       sync.Mutex
	requests map[string]*told // by webhook-id
	failed   int
	taken    int           // deliveries that were answered 2xx
	goal     int           // so many, and the next answers are held back
	held     int           // answers that wait
	released chan struct{} // closed when they may go
	draw     *rand.Rand
}

func newReceiver(t *testing.T) *receiver {
	return &receiver{t: t, requests: map[string]*told{}, released: make(chan struct{}), draw: rand.New(rand.NewPCG(1, 0))}
}

// told is what a receiver knows of one delivery.
type told struct {
	body           string
	subject        string // what the event is about
	tries, answers int    // requests, and those answered 2xx
}

// mostFailures of one delivery: ten attempts must do.
const mostFailures = 6

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return // the sender was killed
	}
	mac := hmac.New(sha256.New, []byte(r.secret))
	mac.Write(body)
	if request.Header.Get("Signature") != hex.EncodeToString(mac.Sum(nil)) {
		r.t.Errorf("a request is not signed: %.200s", body)
	}
	takes, wait := r.judge(request.Header.Get("Webhook-Id"), body)
	if wait != nil {
		<-wait
	}
	if !takes {
		r.failOnPurpose(w)
	}
}

// holdAt lets so many deliveries arrive, and holds the answers of those that follow until release.
func (r *receiver) holdAt(goal int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.goal, r.held, r.released = goal, 0, make(chan struct{})
}

func (r *receiver) holds() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held > 0
}

func (r *receiver) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.goal = math.MaxInt
	close(r.released)
}

// judge writes a request down and tells whether it is to succeed, and what its answer waits for, if for anything. What
// waits is taken: the sender will not learn of it.
func (r *receiver) judge(id string, body []byte) (takes bool, wait <-chan struct{}) {
	var payload struct {
		ID   string
		Data struct{ ID string }
	}
	if err := json.Unmarshal(body, &payload); err != nil || payload.ID != id || payload.Data.ID == "" {
		r.t.Errorf("webhook-id %q came with %.200s", id, body)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.requests[id]
	if d == nil {
		d = &told{body: string(body), subject: payload.Data.ID}
		r.requests[id] = d
	}
	if d.body != string(body) {
		r.t.Errorf("delivery %s came with another body", id)
	}
	d.tries++
	if r.taken >= r.goal {
		r.held++
		wait = r.released
	}
	if wait == nil && r.draw.IntN(10) < 3 && d.tries-d.answers <= mostFailures {
		r.failed++
		return false, wait
	}
	if d.answers++; d.answers == 1 {
		r.taken++
	}
	return true, wait
}

// failOnPurpose answers in one of the ways in which receivers fail.
func (r *receiver) failOnPurpose(w http.ResponseWriter) {
	r.mu.Lock()
	way := r.draw.IntN(4)
	r.mu.Unlock()
	switch way {
	case 0:
		w.WriteHeader(http.StatusInternalServerError)
	case 1:
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
	case 2:
		w.Header().Set("Location", "http://elsewhere.test/")
		w.WriteHeader(http.StatusFound)
	default:
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close()
		}
	}
}
