package webhook

import (
	"net/http"
	"strconv"
	"time"

	"afterimage/internal/retryafter"
)

// Outcome is what an attempt means for its delivery.
type Outcome string

// The outcomes.
const (
	Delivered Outcome = "delivered" // a 2xx response
	Failed    Outcome = "failed"    // to be retried, see Retry
	Gone      Outcome = "gone"      // 410: the receiver no longer exists
)

// Attempt is the outcome of one request.
type Attempt struct {
	At         time.Time
	Latency    time.Duration
	Status     int    // of the response; 0 if there was none
	Body       []byte // the beginning of the response, at most MaxAnswer bytes
	Outcome    Outcome
	Problem    string        // a sentence for the webhook's owner; "" when delivered
	RetryAfter time.Duration // requested by the receiver; 0 if not
}

// judge fills in what a status means.
func (a *Attempt) judge(status int, header http.Header) {
	a.Status = status
	switch {
	case status >= 200 && status < 300:
		a.Outcome = Delivered
	case status == http.StatusGone:
		a.Outcome, a.Problem = Gone, "The receiver answered 410 Gone: it wants no more requests."
	case status >= 300 && status < 400:
		a.Outcome, a.Problem = Failed,
			"The receiver redirected ("+strconv.Itoa(status)+"); redirects are not followed. Register the final address."
	default:
		a.Outcome, a.Problem = Failed, "The receiver answered "+strconv.Itoa(status)+"."
	}
	a.RetryAfter = retryafter.Parse(header.Get("Retry-After"), a.At)
}
